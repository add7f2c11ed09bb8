import { needsCaller, type Verb, verbs } from '../../controller/permissions.ts'
import type { ProblemCode } from '../../error/codes.ts'
import { kinds } from '../../model/kinds/index.ts'
import { fieldOf, type Model } from '../../model/model.ts'
import { plural, quoted } from '../../model/naming.ts'
import { ownValue } from '../../model/objects.ts'
import { hasOperation } from '../../model/operations.ts'
import { bodyProblems } from '../../operation/body.ts'
import type { Method, Operation, Parameter, Success } from '../../operation/operation.ts'
import { type Path, pathAbout } from '../../operation/path.ts'
import { readProblems, writeProblems } from '../../operation/refusals.ts'
import { computedExample } from '../../schema/custom/computed.ts'
import { exampleOf } from '../../schema/example.ts'
import { isNarrowed, isScoped, type Resource } from '../parts/resource.ts'
import { relatedProblems } from '../show/reach.ts'
import { JSON_TYPE } from '../show/replies.ts'
import { conditionProblems, ETAG, ifMatchParameters } from './conditions.ts'
import { isHooked, ownCodesOf } from './own-codes.ts'
import { ACCESS, type ActName, scopeSentence, sentences } from './sentences.ts'

/** The members that differ between operations. The rest follows from the model. */
export interface Act
  extends Pick<
    Operation,
    'success' | 'withheld' | 'unchanged' | 'body' | 'instead' | 'isInstead' | 'models'
  > {
  readonly run: Path
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

export const operationOn = (resource: Resource, which: ActName, description: Act): Operation => {
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

const verbOf = (which: ActName): Verb => {
  if (which === 'file') return 'get'
  if (which === 'restore') return 'update'
  if (isMany(which)) return which === 'updateMany' ? 'update' : 'delete'
  return which === 'aggregate' ? 'list' : which
}

const isMany = (which: ActName): which is 'updateMany' | 'deleteMany' =>
  which === 'updateMany' || which === 'deleteMany'

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
  const { permissions } = resource.access
  const { act, onRecord } = verbs[verb]
  const permission = permissions[act]
  const mayLeaveReach = (isScoped(resource) || isNarrowed(resource)) && (act === 'create' || act === 'update')
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
    ...(act === 'read' ? [] : (resource.access.writeProblems ?? [])),
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

/** An example of a record in a response. */
export const recordExample = (
  { model, bodies: { computed } }: Pick<Resource, 'model' | 'bodies'>,
  which: 'list' | 'detail',
): object => ({
  ...exampleOf(model, which),
  ...computedExample(computed),
})

export const detailSuccess = (
  resource: Pick<Resource, 'model' | 'bodies'>,
  status: 200 | 201,
  description: string,
): Success => ({
  status,
  description,
  mediaType: JSON_TYPE,
  schema: resource.bodies.jsonSchemas.detail,
  get example() {
    return recordExample(resource, 'detail')
  },
  headers: { ...(status === 201 && locationOf(resource.model, 'create').headers), ETag: ETAG },
})

/** The responses of a write: the stored record, or no record if the caller may not read it. */
export const writtenSuccess = (
  resource: Pick<Resource, 'model' | 'access' | 'bodies'>,
  act: 'create' | 'update',
): Pick<Operation, 'success' | 'withheld'> => {
  const { read } = resource.access.permissions
  const success = detailSuccess(resource, act === 'create' ? 201 : 200, 'The stored record.')
  if (read === 'public' || (read === 'authenticated' && needsCaller(resource.access, act))) return { success }
  const description = 'The record is stored. The caller may not read it.'
  return { success, withheld: { status: 204, description, ...locationOf(resource.model, act) } }
}

/** Without its own route, a record has no path. */
const locationOf = (model: Model, act: 'create' | 'update'): Pick<Success, 'headers'> =>
  act === 'create' && hasOperation(model, 'read')
    ? { headers: { Location: 'The path of the new record.' } }
    : {}

const describedAct = (resource: Resource, which: ActName): Pick<Operation, 'summary' | 'description'> => {
  const [summary, ...lines] = sentences[which](resource)
  const scope = which === 'file' ? [] : [scopeSentence(resource, which)]
  const access = isNarrowed(resource) && which !== 'file' && verbOf(which) !== 'delete' ? [ACCESS] : []
  return { summary, description: [...lines, ...scope, ...access].filter((line) => line !== '').join(' ') }
}
