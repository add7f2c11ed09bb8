import { needsCaller, type Verb, verbs } from '../controller/permissions.ts'
import type { ProblemCode } from '../error/codes.ts'
import { isFileField, kinds } from '../model/kinds/index.ts'
import { fieldOf, isReadable, type Model } from '../model/model.ts'
import { plural, quoted, withArticle } from '../model/naming.ts'
import { bodyProblems } from '../operation/body.ts'
import type { Method, Operation, Parameter, Success } from '../operation/operation.ts'
import { translateErrors } from '../operation/path.ts'
import { readProblems, writeProblems } from '../operation/refusals.ts'
import { defaultLimit } from '../query/list-query.ts'
import { exampleOf } from '../schema/example.ts'
import { membersOf, staysOnReplace } from '../schema/members.ts'
import { JSON_TYPE } from './record.ts'
import { isScoped, type Resource } from './resource.ts'

type ActName = Verb | 'file'

/** What an operation says of itself; the rest follows from the model. */
interface Act extends Pick<Operation, 'success' | 'withheld' | 'run' | 'body'> {
  /** Beside the key of a record. */
  readonly parameters?: readonly Parameter[]
  /** Those of its own. */
  readonly problems?: readonly ProblemCode[]
}

const routes: Readonly<Record<ActName, readonly [Method, path: (model: Model) => string]>> = {
  list: ['GET', ({ path }) => `/${path}/`],
  get: ['GET', ({ path }) => `/${path}/{id}`],
  create: ['POST', ({ path }) => `/${path}/`],
  update: ['PATCH', ({ path }) => `/${path}/{id}`],
  replace: ['PUT', ({ path }) => `/${path}/{id}`],
  delete: ['DELETE', ({ path }) => `/${path}/{id}`],
  file: ['GET', ({ path }) => `/media/${path}/{id}/{field}/{name}`],
}

export const operationOn = (resource: Resource, which: ActName, description: Act): Operation => {
  const { model, access } = resource
  const [method, path] = routes[which]
  const isFile = which === 'file'
  const verb = isFile ? 'get' : which
  const { act, onRecord } = verbs[verb]
  const needs = access[act] === 'public' ? 'anyone' : 'decided'
  return Object.freeze({
    ...description,
    ...describedAct(resource, which),
    id: which === 'list' ? `list${plural(model.name)}` : `${verb}${model.name}${isFile ? 'File' : ''}`,
    method,
    path: path(model),
    model: model.name,
    // The document shows no files: replies say where they are.
    ...(!isFile && { tag: model.name }),
    deprecated: model.deprecated,
    caller: needsCaller(resource, act) ? 'required' : needs,
    parameters: [...(onRecord ? [keyParameter(model)] : []), ...(description.parameters ?? [])],
    problems: problemsOf(resource, verb, description),
    run: translateErrors(resource, description.run),
  })
}

const problemsOf = (
  resource: Resource,
  verb: Verb,
  { problems = [], success, body }: Act,
): readonly ProblemCode[] => {
  const { controller, access, bodies } = resource
  const { act, onRecord } = verbs[verb]
  const permission = access[act]
  const hookName = new RegExp(`^(before|after)${verb === 'list' ? verb : act}$`, 'i')
  const isHooked = Object.keys(controller?.hooks ?? {}).some((name) => hookName.test(name))
  const isCustom = Object.entries(bodies.isCustom).some(([which, custom]) => which === verb && custom)
  const mayLeaveReach = isScoped(resource) && (act === 'create' || act === 'update')
  return [
    ...problems,
    'unknown_parameter',
    ...(onRecord ? (['not_found'] as const) : []),
    ...(success.mediaType === undefined ? [] : (['not_acceptable', 'unrepresentable_value'] as const)),
    ...(body === undefined ? [] : ([...bodyProblems, 'unique_conflict'] as const)),
    ...(body?.form === undefined ? [] : (['malformed_multipart'] as const)),
    ...(act === 'read' ? readProblems : writeProblems),
    // A hook or a schema of the application's own may throw a `ValueError`.
    ...(isCustom || isHooked ? (['rejected'] as const) : []),
    ...(permission === 'public' ? [] : (['unauthenticated'] as const)),
    ...(act === 'read' ? [] : (resource.writeProblems ?? [])),
    ...(typeof permission === 'function' || mayLeaveReach ? (['forbidden'] as const) : []),
    'internal_error',
  ]
}

const keyParameter = (model: Model): Parameter => {
  const [first = '', ...more] = model.primaryKey
  const field = fieldOf(model, first)
  return {
    name: 'id',
    in: 'path',
    required: true,
    description:
      more.length === 0
        ? `The record's \`${first}\`.`
        : `The record's key \`${model.primaryKey.join(',')}\`: the parts joined by commas, each percent-encoded.`,
    schema: more.length === 0 ? kinds[field.kind].schema(field) : { type: 'string' },
  }
}

export const detailSuccess = (resource: Resource, status: 200 | 201, description: string): Success => ({
  status,
  description,
  mediaType: JSON_TYPE,
  schema: resource.jsonSchemas.detail,
  get example() {
    return exampleOf(resource.model, 'detail')
  },
  ...(status === 201 && { headers: newPath }),
})

/** The replies of a write: the record as it is stored, or nothing of it if its caller may be one who may not read it. */
export const writtenSuccess = (
  resource: Resource,
  act: 'create' | 'update',
): Pick<Operation, 'success' | 'withheld'> => {
  const { read } = resource.access
  const success = detailSuccess(resource, act === 'create' ? 201 : 200, 'The record as it is stored.')
  if (read === 'public' || (read === 'authenticated' && needsCaller(resource, act))) return { success }
  const description = 'The record is stored. The permission to read it refuses the caller.'
  return { success, withheld: { status: 204, description, ...(act === 'create' && { headers: newPath }) } }
}

const newPath = { Location: 'The path of the new record.' }

const describedAct = (resource: Resource, which: ActName): Pick<Operation, 'summary' | 'description'> => {
  const [summary, ...lines] = sentences[which](resource)
  const scope = isScoped(resource) && which !== 'file' ? [scopes[which]] : []
  return { summary, description: [...lines, ...scope].filter((line) => line !== '').join(' ') }
}

/** The summary, then the sentences of the description. An empty one is left out. */
const sentences: Readonly<Record<ActName, (resource: Resource) => readonly [string, ...string[]]>> = {
  list: ({ model, rules }) => [
    `List ${plural(model.name)}`,
    `Returns the ${plural(model.name)} that match \`q\`, one page at a time. Without \`sort\` they are in the order of ${quoted(model.primaryKey)}.`,
    rules.paging === 'page-number'
      ? `A page has ${rules.perPage} records.`
      : `A page has ${defaultLimit(rules)} records unless \`limit\` says otherwise, up to ${rules.maxLimit}.`,
  ],
  get: ({ model }) => [`Get ${withArticle(model.name)}`, `Returns the ${model.name} with this key.`],
  create: ({ model, bodies, files }) => [
    `Create ${withArticle(model.name)}`,
    `Stores a new ${model.name} and returns it with its defaults and generated values.`,
    bodies.isCustom.create ? '' : requiredLine(model),
    uniqueLine(model),
    files?.takesForm.create === true ? formLine(model) : '',
  ],
  update: ({ model, files }) => [
    `Update ${withArticle(model.name)}`,
    'Changes the fields that the body names and leaves all others as they are. An empty body changes nothing.',
    uniqueLine(model),
    files?.takesForm.update === true ? formLine(model) : '',
  ],
  replace: ({ model, files }) => [
    `Replace ${withArticle(model.name)}`,
    `Replaces every field that can be written: one that the body leaves out gets its default, or null.${keptLine(model)} It never creates ${withArticle(model.name)}.`,
    uniqueLine(model),
    files?.takesForm.replace === true ? formLine(model) : '',
  ],
  delete: ({ model }) => [
    `Delete ${withArticle(model.name)}`,
    `Deletes the ${model.name} with this key; a second request for it is a 404. While other records refer to it, the database may refuse: 409.`,
  ],
  file: ({ model }) => [
    `Get a file of ${withArticle(model.name)}`,
    `Returns a file for as long as the ${model.name} holds it.`,
  ],
}

const scopes: Readonly<Record<Verb, string>> = {
  list: 'Only records in the reach of the caller are listed and counted.',
  get: 'A record out of the reach of the caller is a 404.',
  create: 'A record that would be out of the reach of the caller is a 403.',
  update: 'A record out of the reach of the caller is a 404, and moving one there a 403.',
  replace: 'A record out of the reach of the caller is a 404, and moving one there a 403.',
  delete: 'A record out of the reach of the caller is a 404.',
}

const requiredLine = (model: Model): string => {
  const required = membersOf(model, 'create').filter((member) => member.required)
  return required.length === 0 ? '' : `Required: ${quoted(required.map(({ field }) => field.name))}.`
}

/** Sets of fields that callers know of, each once. */
const uniqueLine = ({ fields, uniques }: Model): string => {
  const readable = new Set(fields.filter(isReadable).map(({ name }) => name))
  const known = uniques.filter((names) => names.every((name) => readable.has(name)))
  return known.length === 0
    ? ''
    : `A second record with the same ${known.map(quoted).join(', or the same ')} is a 409.`
}

const keptLine = (model: Model): string => {
  const kept = membersOf(model, 'replace')
    .map(({ field }) => field)
    .filter(staysOnReplace)
  const [whose, its] = kept.length === 1 ? ['keeps', 'its value'] : ['keep', 'their values']
  return kept.length === 0 ? '' : ` Left out, ${quoted(kept.map(({ name }) => name))} ${whose} ${its}.`
}

const formLine = ({ fields }: Model): string => {
  const names = fields
    .filter((field) => isFileField(field) && field.access !== 'hidden')
    .map(({ name }) => name)
  return names.length === 0 ? '' : `Send \`multipart/form-data\` to upload ${quoted(names)}.`
}
