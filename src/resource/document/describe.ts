import { needsCaller, type Verb, verbs } from '../../controller/permissions.ts'
import type { ProblemCode } from '../../error/codes.ts'
import { kinds } from '../../model/kinds/index.ts'
import { fieldOf, type Model } from '../../model/model.ts'
import { joinedIn, plural, quoted } from '../../model/naming.ts'
import { ownValue } from '../../model/objects.ts'
import { bodyProblems } from '../../operation/body.ts'
import type { Method, Operation, Parameter } from '../../operation/operation.ts'
import { type Path, pathAbout } from '../../operation/path.ts'
import { preconditionProblems } from '../../operation/preconditions.ts'
import { readProblems, writeProblems } from '../../operation/refusals.ts'
import { exampleOf } from '../../schema/example.ts'
import { isPresented } from '../parts/record.ts'
import { isNarrowed, isScoped, type Resource } from '../parts/resource.ts'
import { relatedProblems, type Touched, touching } from './related.ts'
import { ACCESS, type ActName, scopeSentence, sentences } from './sentences.ts'

/** The members that differ between operations. The rest follows from the model. */
export interface Act
  extends Pick<Operation, 'success' | 'withheld' | 'unchanged' | 'body' | 'instead' | 'isInstead'> {
  readonly run: Path
  /** How requests lead to other models. @default they do not */
  readonly touches?: Touched
  /** In addition to the key of a record. */
  readonly parameters?: readonly Parameter[]
  /** The problems that only this operation has. */
  readonly problems?: readonly ProblemCode[]
}

const routes: Readonly<Record<ActName, readonly [Method, path: (model: Model) => string]>> = {
  list: ['GET', ({ path }) => `/${path}/`],
  get: ['GET', ({ path }) => `/${path}/{id}`],
  create: ['POST', ({ path }) => `/${path}/`],
  update: ['PATCH', ({ path }) => `/${path}/{id}`],
  replace: ['PUT', ({ path }) => `/${path}/{id}`],
  delete: ['DELETE', ({ path }) => `/${path}/{id}`],
  restore: ['POST', ({ path }) => `/${path}/{id}/restore`],
  updateMany: ['PATCH', ({ path }) => `/${path}/`],
  deleteMany: ['DELETE', ({ path }) => `/${path}/`],
  aggregate: ['GET', ({ path }) => `/${path}/aggregate`],
  file: ['GET', ({ path }) => `/media/${path}/{id}/{field}/{name}`],
}

/** What describing the operations of a model needs of it. */
export type Describable = Pick<Resource, 'model' | 'access' | 'bodies' | 'rules' | 'related'>

export const operationOn = (
  resource: Describable,
  which: ActName,
  { touches, ...description }: Act,
): Operation => {
  const { model } = resource
  const { permissions } = resource.access
  const [method, path] = routes[which]
  const isFile = which === 'file'
  const verb = verbOf(which)
  const { act, onRecord } = verbs[verb]
  const isQueried = act === 'read' || isMany(which)
  const refusals = isQueried && !isFile ? relatedProblems(resource) : []
  const needs = permissions[act] === 'public' && refusals.length === 0 ? 'anyone' : 'decided'
  return Object.freeze({
    ...description,
    ...(touches && { models: touching(resource, touches) }),
    ...describedAct(resource, which),
    id: idOf(model, which),
    method,
    path: path(model),
    model: model.name,
    // The document does not list the endpoints of files, because responses contain their URLs.
    ...(!isFile && { tag: model.name }),
    deprecated: model.deprecated,
    caller: needsCaller(resource.access, act) ? 'required' : needs,
    parameters: [
      ...(onRecord && !isMany(which) ? [keyParameter(model)] : []),
      ...(onRecord && act !== 'read' && !isMany(which) ? ifMatchParameters(model) : []),
      ...(description.parameters ?? []),
    ],
    problems: [
      ...problemsOf(resource, verb, description, isMany(which) ? ['unsupported_header'] : undefined),
      ...refusals,
    ],
    ...ownCodesOf(resource, verb),
    run: pathAbout(resource.rules, description.run),
  })
}

export const verbOf = (which: ActName): Verb => {
  if (which === 'file') return 'get'
  if (which === 'restore') return 'update'
  if (isMany(which)) return which === 'updateMany' ? 'update' : 'delete'
  return which === 'aggregate' ? 'list' : which
}

const isMany = (which: ActName): which is 'updateMany' | 'deleteMany' =>
  which === 'updateMany' || which === 'deleteMany'

/** The id of the operation on the records below one of a model. */
export const idBelow = (act: 'list' | 'create', relation: string, { name }: Model): string =>
  joinedIn('camel', act, relation, 'of', name)

/** What clients can do with records of a model, with the ids of the operations, in the order of the documentation. */
export const servedActs = (
  model: Model,
  served: { has(id: string): boolean },
): readonly (readonly [name: ActName, id: string])[] =>
  (Object.keys(routes) as readonly ActName[])
    .map((name) => [name, idOf(model, name)] as const)
    .filter(([name, id]) => name !== 'file' && served.has(id))

const idOf = ({ name }: Model, which: ActName): string => {
  if (which === 'file') return `get${name}File`
  return which + (which === 'list' || which === 'aggregate' || isMany(which) ? plural(name) : name)
}

export const problemsOf = (
  resource: Pick<Resource, 'model' | 'access' | 'bodies'>,
  verb: Verb,
  { problems = [], success, body }: Pick<Act, 'problems' | 'success' | 'body'>,
  conditions: readonly ProblemCode[] = conditionProblems(resource.model, verb),
): readonly ProblemCode[] => {
  const { permissions, authProblems } = resource.access
  const { act, onRecord } = verbs[verb]
  const permission = permissions[act]
  const mayLeaveReach =
    (isScoped(resource.access) || isNarrowed(resource.access)) && (act === 'create' || act === 'update')
  return [
    ...problems,
    ...conditions,
    'unknown_parameter',
    ...(onRecord ? (['not_found'] as const) : []),
    ...(success.mediaType === undefined ? [] : (['not_acceptable', 'unrepresentable_value'] as const)),
    ...(body === undefined ? [] : ([...bodyProblems, 'unique_conflict'] as const)),
    ...(body?.form === undefined ? [] : (['malformed_multipart'] as const)),
    ...(act === 'read' ? readProblems : (['conflict', ...writeProblems] as const)),
    // A hook or custom schema of the application may throw a `ValueError`.
    ...(isHooked(resource, verb) ? (['rejected'] as const) : []),
    ...(permission === 'public' ? [] : (['unauthenticated'] as const)),
    ...(authProblems?.all ?? []),
    ...(act === 'read' ? [] : (authProblems?.writes ?? [])),
    ...(typeof permission === 'function' || mayLeaveReach ? (['forbidden'] as const) : []),
    'internal_error',
  ]
}

export const keyParameter = (model: Model): Parameter => {
  const [first = '', ...more] = model.primaryKey
  const field = fieldOf(model, first)
  return {
    name: 'id',
    in: 'path',
    required: true,
    description:
      more.length === 0
        ? `The \`${first}\` of the ${model.name}.`
        : `The key of the ${model.name}: ${quoted(model.primaryKey)}, each percent-encoded, joined by commas.`,
    get example() {
      return keyExample(model)
    },
    schema: more.length === 0 ? kinds[field.kind].schema(field) : { type: 'string' },
  }
}

/**
 * The key of the record in the other examples, which is the first key of a new database if the database generates keys
 * by counting.
 */
const keyExample = (model: Model): unknown => {
  const record = exampleOf(model, 'detail')
  const parts = model.primaryKey.map((name) => ownValue(record, name))
  return parts.length === 1 ? parts[0] : parts.map((part) => encodeURIComponent(String(part))).join(',')
}

const describedAct = (resource: Describable, which: ActName): Pick<Operation, 'summary' | 'description'> => {
  const [summary, ...lines] = sentences[which](resource)
  const scope = which === 'file' ? [] : [scopeSentence(resource.access, which)]
  const access = isNarrowed(resource.access) && which !== 'file' && verbOf(which) !== 'delete' ? [ACCESS] : []
  return { summary, description: [...lines, ...scope, ...access].filter((line) => line !== '').join(' ') }
}

/** The problems of conditions in the headers of an operation. */
const conditionProblems = (model: Model, verb: Verb): readonly ProblemCode[] => {
  if (verb === 'list') return []
  if (verb === 'get') return ['malformed_header']
  if (verb === 'create') return ['unsupported_header']
  return [
    ...preconditionProblems,
    ...(model.requireIfMatch === true ? (['precondition_required'] as const) : []),
  ]
}

/** Only where an application asks for it, because clients would otherwise have it in the signature of every function. */
const ifMatchParameters = ({ version, requireIfMatch }: Model): readonly Parameter[] =>
  version === undefined && requireIfMatch !== true
    ? []
    : [
        {
          name: 'If-Match',
          in: 'header',
          required: requireIfMatch === true,
          description: 'The `ETag` of the record that you have read. The response is 412 if it has changed.',
          schema: { type: 'string' },
        },
      ]

/** Whether a hook or custom schema of the application may refuse the request. */
const isHooked = (resource: Pick<Resource, 'access' | 'bodies'>, verb: Verb): boolean => {
  const { bodies } = resource
  const { controller } = resource.access
  const { act } = verbs[verb]
  const hookName = new RegExp(`^(before|after)${verb === 'list' ? verb : act}$`, 'i')
  return (
    Object.keys(controller?.hooks ?? {}).some((name) => hookName.test(name)) ||
    (act === 'read' && isPresented(resource)) ||
    Object.entries(bodies.isCustom).some(([which, custom]) => which === verb && custom)
  )
}

/** Whether any function of the application may refuse the request. */
const runsApplication = (resource: Pick<Resource, 'access' | 'bodies'>, verb: Verb): boolean =>
  isHooked(resource, verb) ||
  isScoped(resource.access) ||
  typeof resource.access.permissions[verbs[verb].act] === 'function' ||
  resource.access.ownAuthentication === true

/** The codes of the application that an operation may send. */
export const ownCodesOf = (
  resource: Pick<Resource, 'access' | 'bodies' | 'rules'>,
  verb: Verb,
): Pick<Operation, 'codes'> => {
  const { codes } = resource.rules
  const runs =
    runsApplication(resource, verb) ||
    // Its bodies create, change and delete other records.
    (verb in bodyVerbs &&
      resource.bodies
        .nested()
        .some(
          (target) =>
            typeof target.otherEnd?.permissions.read === 'function' ||
            writes.some((write) => runsApplication(target, write)),
        ))
  return codes !== undefined && runs ? { codes } : {}
}

const bodyVerbs = { create: true, update: true, replace: true }
const writes = ['create', 'update', 'delete'] as const
