import type { Controller, DeclaredAction, PermissionAct } from '../controller/controller.ts'
import { permissionActs } from '../controller/controller.ts'
import { permissionsOf } from '../controller/permissions.ts'
import type { Model } from '../model/model.ts'
import { hasOperation, type OperationName } from '../model/operations.ts'
import { holdsSecrets, type SecretFields, secretKeyOf, secretsIn, wasSecret } from '../model/setup/secret.ts'
import type { InternalReason } from '../model/setup/served.ts'
import type { Operation } from '../operation/operation.ts'
import type { OpenedRelation, WithheldInclude } from '../resource/document/related.ts'
import { type Advice, adviceOf } from '../source/advice.ts'
import { replacedLines } from './replaced.ts'
import type { Setup } from './setup.ts'

interface StartedApi {
  readonly models: readonly Model[]
  /** Keyed by model name, with the rule for users applied. */
  readonly controllers: ReadonlyMap<string, Controller>
  /** The same models, as the application configured them. */
  readonly own: ReadonlyMap<string, Controller>
  readonly routes: number
  /** The number of controllers and their places. */
  readonly summary: string
  /** The operations that routes of the application replace. */
  readonly replaced: readonly Operation[]
  /** The relations across pure join tables that anonymous callers may be able to use. */
  readonly opened: readonly OpenedRelation[]
  /** The default includes that some callers do not get, with the names of the models that have them. */
  readonly withheld: readonly (WithheldInclude & { readonly of: string })[]
}

/** The startup log lines, which list the served models and the callers that may access them. */
export const startLines = (setup: Setup, served: StartedApi): readonly string[] => {
  const { host, secret, options } = setup
  const { models, routes, summary } = served
  const isProtected = (options.auth ?? false) !== false
  const under = host.base === '' ? '/' : host.base
  const access = isProtected ? protection(served) : 'PUBLIC (auth: false)'
  const counts = `${counted(models.length, 'model')}, ${counted(routes, 'route')}`
  const shared = isProtected ? openToUsers(served) : []
  return [
    `${counts} under ${under}, ${access}, ${summary}, docs ${host.base}/docs`,
    ...(shared.length > 0 ? [`open to every user: ${shared.join(', ')}`] : []),
    ...openedLine(served),
    ...withheldLine(served),
    ...replacedLines(host.base, served.replaced),
    ...models.flatMap((model) => hiddenByName(model, secret)),
    ...shadowedLines(models, adviceOf(options.models)),
    ...keylessLine(models),
    ...internalLine(setup),
    ...holdersLine(setup),
    ...shownKeyLines(models),
  ]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const operationsFor: Readonly<Record<PermissionAct, readonly OperationName[]>> = {
  read: ['list', 'read', 'related'],
  create: ['create'],
  update: ['update', 'replace'],
  delete: ['delete'],
}

/** Lists models with the acts for which a condition holds. */
const actsWith = (models: readonly Model[], holds: (model: Model, act: PermissionAct) => boolean): string[] =>
  models.flatMap((model) => {
    const had = permissionActs.filter((act) => operationsFor[act].some((name) => hasOperation(model, name)))
    const acts = had.filter((act) => holds(model, act))
    if (acts.length === 0) return []
    return acts.length === had.length ? model.name : `${model.name} (${acts.join(', ')})`
  })

const permissionOf = ({ controllers }: StartedApi, model: Model, act: PermissionAct) =>
  permissionsOf(model, controllers.get(model.name), true)[act]

/** A function may let anonymous callers pass, so it counts as neither public nor protected. */
const protection = (served: StartedApi): string => {
  const open = [
    ...actsWith(served.models, (model, act) => permissionOf(served, model, act) === 'public'),
    ...actionsWith(served, (permission) => permission === 'public'),
  ]
  const decided = [
    ...actsWith(
      served.models,
      ({ name }, act) => typeof served.own.get(name)?.permissions[act] === 'function',
    ),
    ...actionsWith(served, (permission) => typeof permission === 'function'),
  ]
  return [
    open.length === 0 ? 'protected' : `protected except for ${open.join(', ')}`,
    ...(decided.length === 0
      ? []
      : [`permission functions decide about each request, even an anonymous one: ${decided.join(', ')}`]),
  ].join(', ')
}

/** Lists actions whose own permission fulfils a condition: `Ticket.close`. */
const actionsWith = (
  { models, own }: StartedApi,
  holds: (permission: DeclaredAction['permission']) => boolean,
): readonly string[] =>
  models.flatMap(({ name: model }) =>
    (own.get(model)?.actions ?? [])
      .filter(({ permission }) => holds(permission))
      .map(({ name }) => `${model}.${name}`),
  )

/** Every authenticated caller may do this to every record, and to all fields that callers have. */
const openToUsers = (served: StartedApi): readonly string[] => {
  const limited = ({ name }: Model): boolean => {
    const { scope, access } = served.controllers.get(name)?.hooks ?? {}
    return scope !== undefined || access !== undefined
  }
  const managed = served.models.filter(
    ({ name }) => served.own.get(name)?.permissions.manageUsers === 'authenticated',
  )
  return [
    ...actsWith(
      served.models.filter((model) => !limited(model)),
      (model, act) => permissionOf(served, model, act) === 'authenticated',
    ),
    ...managed.map(({ name }) => `${name}.manageUsers`),
  ]
}

const openedLine = ({ opened }: StartedApi): readonly string[] => {
  const [first] = opened
  if (first === undefined) return []
  const named = opened.map(({ path, join }) => `${path} (${join})`)
  return [
    `open to everyone who may list both ends, without a permission for the join table in parentheses: ${named.join(', ')}. To require one, set modelConfig: { ${first.join}: { public: false } }.`,
  ]
}

/** A permission function decides later. */
const withheldLine = ({ withheld }: StartedApi): readonly string[] => {
  const known = withheld.filter(({ isDecided }) => !isDecided)
  if (known.length === 0) return []
  const named = known.map(({ of, path, model }) => `${of}.${path} (${model})`)
  return [
    `included by default, but not for anonymous callers, who may not list the model in parentheses: ${named.join(', ')}. To include it for them, set modelConfig: { ${known[0]?.model}: { public: 'read' } }.`,
  ]
}

const hiddenByName = (model: Model, secret: SecretFields): readonly string[] => {
  const hidden = secretsIn(model, secret).filter(({ access }) => access === 'write-only')
  const names = hidden.map(({ name, inSource }) => (inSource === undefined ? name : `${name} (${inSource})`))
  return names.length === 0
    ? []
    : [
        `${model.name}: hidden because of their names: ${names.join(', ')}. To show one, set modelConfig: { ${model.name}: { hidden: { ${hidden[0]?.name}: false } } }.`,
      ]
}

/** One line for all fields that another one hides. */
const shadowedLines = (models: readonly Model[], { columnName }: Advice): readonly string[] => {
  const shadowed = models.flatMap(({ name: model, fields }) =>
    fields.flatMap(({ name, shadowedBy }) => (shadowedBy === undefined ? [] : [{ model, name, shadowedBy }])),
  )
  const [first] = shadowed
  if (first === undefined) return []
  const all = shadowed.map(({ model, name, shadowedBy }) => `${model}.${name} (${shadowedBy} stays)`)
  return [
    `Clients do not have ${all.join(', ')}, because the names differ only in style. To serve both, give one another name: modelConfig: { ${first.model}: { fields: { ${first.name}: '…' } } }, or rename it in the model and keep the name of its column with ${columnName}.`,
  ]
}

/** The fields because of which the model is internal. */
const secretsOfHolder = (model: Model, secret: SecretFields): readonly string[] =>
  holdsSecrets(model.name) ? secretsIn(model, secret).map(({ name }) => name) : secretKeyOf(model, secret)

const holdersLine = ({ internal, reasons, secret }: Setup): readonly string[] => {
  const holders = internal.filter(({ name }) => reasons.get(name) === 'secret')
  const named = holders.map(
    (model) => `${model.app}.${model.name} (${secretsOfHolder(model, secret).join(', ')})`,
  )
  return holders.length === 0
    ? []
    : [
        `internal, not served, because their names suggest secrets: ${named.join(', ')}. ${remedyFor(holders[0])}`,
      ]
}

const remedyFor = (model: Model | undefined): string =>
  `To serve one, set modelConfig: { ${model?.name}: { internal: false } }.`

const reasonNames: ReadonlyMap<InternalReason | undefined, string> = new Map([
  ['own', 'the user model'],
  ['migrations', 'migrations'],
  ['auth', 'the app auth'],
  ['chosen', 'modelConfig'],
])

const internalLine = ({ internal, reasons, entries, keys }: Setup): readonly string[] => {
  const titles = new Map([
    [entries?.name, 'the audit log'],
    [keys?.name, 'the API keys'],
  ])
  const others = internal.flatMap((model) => {
    const reason = reasons.get(model.name)
    const title = titles.get(model.name) ?? reasonNames.get(reason)
    return title === undefined || reason === 'secret' ? [] : [{ model, reason, title }]
  })
  if (others.length === 0) return []
  const named = others.map(({ model, title }) => `${model.app}.${model.name} (${title})`)
  // The application has left out the others itself, or has no use for them.
  const wanted = others.find(({ reason }) => reason === 'own' || reason === 'auth')
  return [
    `internal, not served: ${named.join(', ')}${wanted === undefined ? '' : `. ${remedyFor(wanted.model)}`}`,
  ]
}

const keylessLine = (models: readonly Model[]): readonly string[] => {
  const names = models.filter(({ primaryKey }) => primaryKey.length === 0).map(({ name }) => name)
  return names.length === 0 ? [] : [`lists only: ${names.join(', ')} (no primary key)`]
}

/** Keys whose names suggest a secret, but which the application serves deliberately. */
const shownKeyLines = (models: readonly Model[]): readonly string[] => {
  const shown = models.flatMap(({ name, fields, primaryKey }) =>
    fields
      .filter((field) => primaryKey.includes(field.name) && wasSecret(field, name))
      .map((field) => `${name}.${field.name}`),
  )
  return shown.length === 0
    ? []
    : [`keys whose names suggest a secret, visible in URLs and responses: ${shown.join(', ')}`]
}
