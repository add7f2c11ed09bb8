import { assertKnown, StartError } from '../../error/errors.ts'
import { fileFieldsOf } from '../kinds/index.ts'
import type { Model } from '../model.ts'
import { isPlainObject, ownValue } from '../objects.ts'
import type { AppIn, NameInApp } from '../types.ts'
import { configureModel, type ModelConfig, type ModelConfigs } from './configure.ts'
import { holdsSecrets, type SecretFields, secretFieldsOf, secretKeyOf, secretsIn } from './secret.ts'
import { areStamps, stampShape } from './stamps.ts'

export interface ModelChoices {
  readonly exclude?: Exclude
  readonly modelConfig?: ModelConfigs
}

/** Why a model is internal. `own`: the service itself uses it, for users or the audit log. */
export type InternalReason = 'chosen' | 'secret' | 'migrations' | 'auth' | 'own'

interface ChosenModels {
  readonly served: readonly Model[]
  /** Models that are not served even though `exclude` does not name them. */
  readonly internal: readonly Model[]
  /** By the names of internal models. */
  readonly reasons: ReadonlyMap<string, InternalReason>
  /** The secret fields of all models, served or not. */
  readonly secret: SecretFields
}

/** The secret fields of all models. The keys of models that `modelConfig` serves explicitly are not secret. */
export const secretsOf = (described: readonly Model[], modelConfig: ModelConfigs): SecretFields => {
  const opened = Object.entries(modelConfig).filter(([, config]) => config?.internal === false)
  return secretFieldsOf(described, new Set(opened.map(([name]) => name)))
}

/**
 * @param own the names of the models that the service itself uses, which are internal
 * @throws StartError for an unknown model or field
 */
export const chooseModels = (
  described: readonly Model[],
  choices: ModelChoices,
  own: readonly (string | undefined)[] = [],
): ChosenModels => {
  const { exclude = {}, modelConfig = {} } = choices
  assertConfigs(described, modelConfig)
  const secret = secretsOf(described, modelConfig)
  const configured = described.map((model) =>
    configureModel(model, ownValue(modelConfig, model.name), secret),
  )
  const left = withoutExcluded(configured, exclude)
  const reasons = new Map(
    left.flatMap((model) => {
      const reason = internalReason(model, choices, own, secret)
      return reason === undefined ? [] : [[model.name, reason]]
    }),
  )
  const internal = left.filter(({ name }) => reasons.has(name))
  const served = left.filter(({ name }) => !reasons.has(name))
  return { served: Object.freeze(served), internal, reasons, secret }
}

/** Path segments that models cannot use. `media` is reserved only if a model has files. */
export const reservedPaths = (models: readonly Model[]): readonly string[] => [
  ...['docs', 'openapi.json', 'auth', 'health', 'access'],
  ...(models.some((model) => fileFieldsOf(model).length > 0) ? ['media'] : []),
]

/** @throws StartError for two models with one path, or a reserved path */
export const assertPaths = (models: readonly Model[]): void => {
  const reserved = reservedPaths(models)
  const taken = new Map<string, string>()
  for (const { name, path } of models) {
    const remedy = `Set another path: modelConfig: { ${name}: { path: '…' } }.`
    if (reserved.includes(path)) throw new StartError(`${name}: the path /${path} is reserved. ${remedy}`)
    const other = taken.get(path)
    if (other !== undefined)
      throw new StartError(`${other} and ${name} have the same path /${path}. ${remedy}`)
    taken.set(path, name)
  }
}

/**
 * App label -> the models that are not served: `true` for the whole app, a set or array of model names, or `null` for
 * none. Internal models are excluded too, unless the value of their app is `null`.
 */
export type Exclude<Types = unknown> = {
  readonly [App in AppIn<Types>]?:
    | true
    | ReadonlySet<NameInApp<Types, App>>
    | readonly NameInApp<Types, App>[]
    | null
    | undefined
}

const withoutExcluded = (models: readonly Model[], exclude: Exclude): readonly Model[] => {
  if (!isPlainObject(exclude))
    throw new StartError("exclude must be an object, such as { shop: ['AuditEntry'] }.")
  const apps = [...new Set(models.map((model) => model.app))]
  for (const [app, what] of Object.entries(exclude)) {
    assertKnown('exclude: unknown app', app, apps)
    assertModels(app, what, models)
  }
  return models.filter((model) => !isExcluded(model, ownValue(exclude, model.app)))
}

const isExcluded = (model: Model, what: Exclude[string]): boolean =>
  what === true || (what !== null && what !== undefined && new Set(what).has(model.name))

const assertModels = (app: string, what: Exclude[string], models: readonly Model[]): void => {
  if (what === true || what === null || what === undefined) return
  if (!(what instanceof Set || Array.isArray(what))) {
    throw new StartError(`exclude.${app} must be true, a set or array of model names, or null.`)
  }
  const names = models.filter((model) => model.app === app).map((model) => model.name)
  for (const name of what) assertKnown(`exclude.${app}: unknown model`, name, names)
}

/**
 * A secret key would appear in every URL and list. Models of sessions, tokens and the like with a secret field, the app `auth`, tables of
 * the ORM, the user model and the audit model are internal too, unless `exclude` has `null` for the app. `modelConfig` takes precedence.
 */
const internalReason = (
  model: Model,
  { exclude = {}, modelConfig = {} }: ModelChoices,
  own: readonly (string | undefined)[],
  secret: SecretFields,
): InternalReason | undefined => {
  const chosen = ownValue(modelConfig, model.name)?.internal
  if (chosen !== undefined) return chosen ? 'chosen' : undefined
  if (secretKeyOf(model, secret).length > 0) return 'secret'
  if (ownValue(exclude, model.app) === null) return undefined
  if (own.includes(model.name)) return 'own'
  if (holdsSecrets(model.name) && secretsIn(model, secret).length > 0) return 'secret'
  if (model.internal === true) return 'migrations'
  return model.app === 'auth' ? 'auth' : undefined
}

interface OptionShape {
  readonly takes: string
  /** It names fields: one, a list, or as keys. */
  readonly isOfFields?: true
  readonly fits: (value: unknown) => boolean
}

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

const isYesOrNo = (value: unknown): boolean => value === undefined || typeof value === 'boolean'

const isText = (value: unknown): boolean => typeof value === 'string'
const textShape: OptionShape = { takes: 'a string', fits: isText }
const isProse = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

const proseShape: OptionShape = { takes: 'a non-empty string', fits: isProse }
const flagShape: OptionShape = { takes: 'true or false', fits: isYesOrNo }
const namesShape: OptionShape = { takes: 'an array of field names', fits: isNames, isOfFields: true }
const choiceShape: OptionShape = {
  isOfFields: true,
  takes: 'an array of field names, or an object such as { email: true, name: false }',
  fits: (value) => isNames(value) || (isPlainObject(value) && Object.values(value).every(isYesOrNo)),
}

const shapes: { readonly [Key in keyof Required<ModelConfig>]: OptionShape } = {
  path: textShape,
  label: {
    takes: "a non-empty string, or an object such as { one: 'Box', many: 'Boxes' }",
    fits: (value) =>
      isProse(value) ||
      (isPlainObject(value) &&
        Object.keys(value).toSorted().join() === 'many,one' &&
        Object.values(value).every(isProse)),
  },
  title: { ...textShape, isOfFields: true },
  operations: { takes: "an array of operations, such as ['list', 'read']", fits: isNames },
  hidden: choiceShape,
  readOnly: choiceShape,
  writeOnly: choiceShape,
  writable: namesShape,
  optional: choiceShape,
  search: namesShape,
  fields: {
    takes: "an object that maps fields to a new name, such as { createdAt: 'created' }",
    fits: (value) =>
      isPlainObject(value) && Object.values(value).every((name) => name === undefined || isText(name)),
  },
  relations: {
    takes: "an object that maps relations to a new name or false, such as { items: 'lines', entries: false }",
    fits: (value) =>
      isPlainObject(value) &&
      Object.values(value).every((name) => name === undefined || name === false || typeof name === 'string'),
  },
  include: { takes: "an array of relations, such as ['customer', 'items.product']", fits: isNames },
  version: { ...textShape, isOfFields: true },
  requireIfMatch: flagShape,
  softDelete: {
    takes: "the name of a nullable timestamp column, such as 'deleted_at'",
    fits: isText,
    isOfFields: true,
  },
  stamps: { takes: stampShape, fits: areStamps, isOfFields: true },
  bulk: flagShape,
  detailFields: flagShape,
  write: { takes: "an array of to-many relations, such as ['items', 'tags']", fits: isNames },
  count: {
    takes: 'an object { default, allowed }',
    fits: (value) =>
      isPlainObject(value) &&
      Object.keys(value).every((key) => key === 'default' || key === 'allowed') &&
      (value['allowed'] === undefined || isNames(value['allowed'])),
  },
  paginationType: {
    takes: "a pagination type such as 'cursor', or a list such as ['limit-offset', 'cursor']",
    fits: (value) => isText(value) || isNames(value),
  },
  public: {
    takes: "true, false or 'read'",
    fits: (value) => isYesOrNo(value) || value === 'read',
  },
  internal: flagShape,
  deprecated: flagShape,
  description: proseShape,
  fieldDescriptions: {
    isOfFields: true,
    takes: 'an object that maps field names to non-empty strings',
    fits: (value) =>
      isPlainObject(value) && Object.values(value).every((text) => text === undefined || isProse(text)),
  },
}

/** The options that name fields of the model. Their keys in `fields` are those of the source. */
export const namingOptions: ReadonlySet<string> = new Set(
  Object.entries<OptionShape>(shapes).flatMap(([key, { isOfFields }]) => (isOfFields ? [key] : [])),
)

/** The names of all options of a model. */
export const configKeys: readonly string[] = Object.keys(shapes)

/** @throws StartError for an unknown model or key, and for a value of the wrong type */
export const assertConfigs = (described: readonly Model[], modelConfig: ModelConfigs): void => {
  if (!isPlainObject(modelConfig))
    throw new StartError("modelConfig must be an object, such as { Product: { path: '…' } }.")
  const names = described.map((model) => model.name)
  for (const [name, config] of Object.entries(modelConfig)) {
    assertKnown('modelConfig: unknown model', name, names)
    if (config !== undefined) assertConfig(`modelConfig.${name}`, config)
  }
}

const assertConfig = (place: string, config: unknown): void => {
  if (!isPlainObject(config)) {
    throw new StartError(`${place} must be an object, such as { path: '…', hidden: ['…'] }.`)
  }
  assertNotEmpty(place, config)
  for (const [key, value] of Object.entries(config)) {
    assertKnown(`${place}: unknown key`, key, configKeys)
    const shape: OptionShape = Reflect.get(shapes, key)
    if (value !== undefined && !shape.fits(value))
      throw new StartError(`${place}.${key} must be ${shape.takes}.`)
    // An empty `search` is valid: it turns search off.
    if (key !== 'search') assertNotEmpty(`${place}.${key}`, value)
  }
}

const assertNotEmpty = (place: string, value: unknown): void => {
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
    throw new StartError(`${place} is empty and has no effect. Remove it or set it to undefined.`)
}
