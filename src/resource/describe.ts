import { needsCaller, type Verb, verbs } from '../controller/permissions.ts'
import type { ProblemCode } from '../error/codes.ts'
import { isFileField, kinds } from '../model/kinds/index.ts'
import { fieldOf, isReadable, type Model } from '../model/model.ts'
import { plural, quoted, withArticle } from '../model/naming.ts'
import { ownValue } from '../model/objects.ts'
import { hasOperation } from '../model/operations.ts'
import { bodyProblems } from '../operation/body.ts'
import type { Method, Operation, Parameter, Success } from '../operation/operation.ts'
import { type Path, pathAbout } from '../operation/path.ts'
import { readProblems, writeProblems } from '../operation/refusals.ts'
import { defaultLimit } from '../query/list-query.ts'
import { computedExample } from '../schema/computed.ts'
import { exampleOf } from '../schema/example.ts'
import { membersOf, staysOnReplace } from '../schema/members.ts'
import { isHooked, ownCodesOf } from './own-codes.ts'
import { JSON_TYPE } from './record.ts'
import { isNarrowed, isScoped, type Resource } from './resource.ts'

type ActName = Verb | 'file' | 'aggregate'

/** The members that differ between operations. The rest follows from the model. */
export interface Act extends Pick<Operation, 'success' | 'withheld' | 'body' | 'instead' | 'isInstead'> {
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
  aggregate: ['GET', ({ path }) => `/${path}/aggregate`],
  file: ['GET', ({ path }) => `/media/${path}/{id}/{field}/{name}`],
}

export const operationOn = (resource: Resource, which: ActName, description: Act): Operation => {
  const { model, permissions } = resource
  const [method, path] = routes[which]
  const isFile = which === 'file'
  const verb = verbOf(which)
  const { act, onRecord } = verbs[verb]
  const needs = permissions[act] === 'public' ? 'anyone' : 'decided'
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
    caller: needsCaller(resource, act) ? 'required' : needs,
    parameters: [...(onRecord ? [keyParameter(model)] : []), ...(description.parameters ?? [])],
    problems: problemsOf(resource, verb, description),
    ...ownCodesOf(resource, verb),
    run: pathAbout(resource, description.run),
  })
}

const verbOf = (which: ActName): Verb => {
  if (which === 'file') return 'get'
  return which === 'aggregate' ? 'list' : which
}

const idOf = ({ name }: Model, which: ActName): string => {
  if (which === 'file') return `get${name}File`
  return which + (which === 'list' || which === 'aggregate' ? plural(name) : name)
}

export const problemsOf = (
  resource: Resource,
  verb: Verb,
  { problems = [], success, body }: Pick<Act, 'problems' | 'success' | 'body'>,
): readonly ProblemCode[] => {
  const { permissions } = resource
  const { act, onRecord } = verbs[verb]
  const permission = permissions[act]
  const mayLeaveReach = (isScoped(resource) || isNarrowed(resource)) && (act === 'create' || act === 'update')
  return [
    ...problems,
    'unknown_parameter',
    ...(onRecord ? (['not_found'] as const) : []),
    ...(success.mediaType === undefined ? [] : (['not_acceptable', 'unrepresentable_value'] as const)),
    ...(body === undefined ? [] : ([...bodyProblems, 'unique_conflict'] as const)),
    ...(body?.form === undefined ? [] : (['malformed_multipart'] as const)),
    ...(act === 'read' ? readProblems : writeProblems),
    // A hook or custom schema of the application may throw a `ValueError`.
    ...(isHooked(resource, verb) ? (['rejected'] as const) : []),
    ...(permission === 'public' ? [] : (['unauthenticated'] as const)),
    ...(act === 'read' ? [] : (resource.writeProblems ?? [])),
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
export const recordExample = ({ model, computed }: Resource, which: 'list' | 'detail'): object => ({
  ...exampleOf(model, which),
  ...computedExample(computed),
})

export const detailSuccess = (resource: Resource, status: 200 | 201, description: string): Success => ({
  status,
  description,
  mediaType: JSON_TYPE,
  schema: resource.jsonSchemas.detail,
  get example() {
    return recordExample(resource, 'detail')
  },
  ...(status === 201 && headersOf(resource)),
})

/** The responses of a write: the stored record, or no record if the caller may not read it. */
export const writtenSuccess = (
  resource: Resource,
  act: 'create' | 'update',
): Pick<Operation, 'success' | 'withheld'> => {
  const { read } = resource.permissions
  const success = detailSuccess(resource, act === 'create' ? 201 : 200, 'The stored record.')
  if (read === 'public' || (read === 'authenticated' && needsCaller(resource, act))) return { success }
  const description = 'The record is stored. The caller may not read it.'
  return { success, withheld: { status: 204, description, ...(act === 'create' && headersOf(resource)) } }
}

/** Without its own route, a record has no path. */
const headersOf = ({ model }: Resource): Pick<Success, 'headers'> =>
  hasOperation(model, 'read') ? { headers: { Location: 'The path of the new record.' } } : {}

const describedAct = (resource: Resource, which: ActName): Pick<Operation, 'summary' | 'description'> => {
  const [summary, ...lines] = sentences[which](resource)
  const scope = which === 'file' ? [] : [scopeSentence(resource, which)]
  const access = isNarrowed(resource) && which !== 'file' && which !== 'delete' ? [ACCESS] : []
  return { summary, description: [...lines, ...scope, ...access].filter((line) => line !== '').join(' ') }
}

/** What the scope does to a request. Empty: there is none. */
export const scopeSentence = (resource: Resource, which: keyof typeof scopes): string =>
  isScoped(resource) ? scopes[which] : ''

const ACCESS = 'The fields that exist depend on the caller.'

/** The summary, then the sentences of the description. Empty ones are omitted. */
const sentences: Readonly<Record<ActName, (resource: Resource) => readonly [string, ...string[]]>> = {
  list: ({ model, rules }) => [
    `List ${plural(model.name)}`,
    `Returns the ${plural(model.name)} that match the filters, one page at a time, sorted by ${quoted(model.primaryKey)} by default.`,
    rules.paging === 'page-number'
      ? `A page has ${rules.perPage} records.`
      : `A page has ${defaultLimit(rules)} records by default and at most ${rules.maxLimit}.`,
  ],
  aggregate: ({ model }) => [
    `Aggregate ${plural(model.name)}`,
    `Groups the ${plural(model.name)} that match the filters, and counts or computes functions of each group.`,
  ],
  get: ({ model }) => [`Get ${withArticle(model.name)} by its key`, `Returns one ${model.name}.`],
  create: ({ model, served, bodies, files }) => [
    `Create ${withArticle(model.name)}`,
    `Creates ${withArticle(model.name)} and returns it, including defaults and generated values.`,
    bodies.isCustom.create ? '' : requiredLine(model),
    parentsLine(model, served),
    uniqueLine(model),
    files?.takesForm.create === true ? formLine(model) : '',
  ],
  update: ({ model, files }) => [
    `Update ${withArticle(model.name)}`,
    'Changes only the fields in the body. An empty body changes nothing.',
    uniqueLine(model),
    files?.takesForm.update === true ? formLine(model) : '',
  ],
  replace: ({ model, files }) => [
    `Replace ${withArticle(model.name)}`,
    `Replaces every writable field. A field that is missing from the body is set to its default or to null.${keptLine(model)} PUT never creates ${withArticle(model.name)}.`,
    uniqueLine(model),
    files?.takesForm.replace === true ? formLine(model) : '',
  ],
  delete: ({ model }) => [
    `Delete ${withArticle(model.name)}`,
    `Deletes one ${model.name}. The response is 404 if it does not exist, and 409 if other records refer to it and the database does not allow it.`,
  ],
  file: ({ model }) => [
    `Get a file of ${withArticle(model.name)}`,
    `Returns a file of the ${model.name} until it is replaced or deleted.`,
  ],
}

const scopes: Readonly<Record<Exclude<ActName, 'file'>, string>> = {
  aggregate: 'Groups contain only records within the scope of the caller.',
  list: 'The list and its count contain only records within the scope of the caller.',
  get: 'The response is 404 for a record outside the scope of the caller.',
  create: 'The response is 403 for a record outside the scope of the caller.',
  update:
    'The response is 404 for a record outside the scope of the caller, and 403 if the change moves it there.',
  replace:
    'The response is 404 for a record outside the scope of the caller, and 403 if the change moves it there.',
  delete: 'The response is 404 for a record outside the scope of the caller.',
}

const requiredLine = (model: Model): string => {
  const required = membersOf(model, 'create').filter((member) => member.required)
  return required.length === 0 ? '' : `Required: ${quoted(required.map(({ field }) => field.name))}.`
}

/** Required foreign keys: the records must exist first. Other models are not named if they are not served. */
const parentsLine = (model: Model, served: Resource['served']): string => {
  const required = new Set(
    membersOf(model, 'create').flatMap((member) => (member.required ? [member.field.name] : [])),
  )
  return model.relations
    .filter(({ kind, unchecked }) => kind === 'to-one' && unchecked === undefined)
    .filter(({ fields }) => fields.every((name) => required.has(name)))
    .map(({ model: other, fields }) => {
      const parent = served.has(other) ? withArticle(other) : 'a record'
      return `${quoted(fields)} must refer to ${parent} that already exists.`
    })
    .join(' ')
}

/** The unique sets of fields that callers can read. */
const uniqueLine = ({ fields, uniques }: Model): string => {
  const readable = new Set(fields.filter(isReadable).map(({ name }) => name))
  const known = uniques.filter((names) => names.every((name) => readable.has(name)))
  return known.length === 0
    ? ''
    : `The response is 409 if another record has the same ${known.map(quoted).join(', or the same ')}.`
}

const keptLine = (model: Model): string => {
  const kept = membersOf(model, 'replace')
    .map(({ field }) => field)
    .filter(staysOnReplace)
  return kept.length === 0
    ? ''
    : ` A missing ${kept.map(({ name }) => `\`${name}\``).join(' or ')} keeps its value.`
}

const formLine = ({ fields }: Model): string => {
  const names = fields
    .filter((field) => isFileField(field) && field.access !== 'hidden')
    .map(({ name }) => name)
  return names.length === 0 ? '' : `To upload ${quoted(names)}, send \`multipart/form-data\`.`
}
