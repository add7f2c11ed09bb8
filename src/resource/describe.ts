import type { HookName, PermissionAct } from '../controller/hooks.ts'
import { needsCaller, type Verb, verbs } from '../controller/permissions.ts'
import type { ProblemCode } from '../error/codes.ts'
import { isFileField } from '../model/kinds/index.ts'
import { isReadable, type Model } from '../model/model.ts'
import { plural, quoted, withArticle } from '../model/naming.ts'
import type { BodyShape, Method, Operation, Success } from '../operation/operation.ts'
import { translateErrors } from '../operation/refusals.ts'
import { defaultLimit } from '../query/list-query.ts'
import { exampleOf } from '../schema/example.ts'
import { membersOf, staysOnReplace } from '../schema/members.ts'
import { bodyExample, formShape } from './body.ts'
import { isReadToo, JSON_TYPE } from './record.ts'
import type { Resource } from './resource.ts'

/** What an act says of itself; the rest of its operation follows from the model. */
interface ActDescription extends Pick<Operation, 'parameters' | 'success' | 'withheld' | 'run' | 'body'> {
  readonly verb: Verb
  readonly method: Method
  readonly path: 'collection' | 'record' | 'file'
  /** Those of its own; every operation can fail with `internal_error`. */
  readonly problems: readonly ProblemCode[]
}

/** An operation on a model's records: `listProducts`, `getProduct`. */
export const operationOn = (resource: Resource, act: ActDescription): Operation => {
  const { model } = resource
  const { verb, path, problems, ...rest } = act
  const isFile = path === 'file'
  return Object.freeze({
    ...rest,
    ...describedAct(resource, isFile ? 'file' : verb),
    id: verb === 'list' ? `list${plural(model.name)}` : `${verb}${model.name}${isFile ? 'File' : ''}`,
    path: paths[path](model),
    // The document shows no files: replies say where they are.
    model: model.name,
    ...(!isFile && { tag: model.name }),
    deprecated: model.deprecated,
    caller: callerNeeds(resource.around, verbs[verb].act),
    problems: [
      ...problems,
      ...formProblems(rest.body),
      ...hookProblems(resource, verb),
      'internal_error' as const,
    ],
    run: translateErrors(resource, act.run),
  })
}

const paths: Readonly<Record<ActDescription['path'], (model: Model) => string>> = {
  collection: (model) => `/${model.path}/`,
  record: (model) => `/${model.path}/{id}`,
  file: (model) => `/media/${model.path}/{id}/{field}/{name}`,
}

/** What only a body that is read as it arrives can do wrong. */
const formProblems = (body: BodyShape | undefined): readonly ProblemCode[] =>
  body?.form === undefined ? [] : ['malformed_multipart']

const callerNeeds = (around: Resource['around'], act: PermissionAct): NonNullable<Operation['caller']> =>
  needsCaller(around, act) ? 'required' : around.access[act] === 'public' ? 'anyone' : 'decided'

/** A reply with one record in the detail schema. */
export const detailSuccess = (resource: Resource, status: 200 | 201, description: string): Success => ({
  status,
  description,
  mediaType: JSON_TYPE,
  schema: resource.jsonSchemas.detail,
  get example() {
    return exampleOf(resource.model, 'detail')
  },
  ...(status === 201 ? { headers: newPath } : {}),
})

/** The replies of a write: the record as it is stored, or nothing of it where its caller may be one who may not read it. */
export const writtenSuccess = (
  resource: Resource,
  act: 'create' | 'update',
): Pick<ActDescription, 'success' | 'withheld'> => {
  const success = detailSuccess(resource, act === 'create' ? 201 : 200, 'The record as it is stored.')
  if (isReadToo(resource.around, act)) return { success }
  const description = 'The record is stored. The permission to read it refuses the caller.'
  return { success, withheld: { status: 204, description, ...(act === 'create' && { headers: newPath }) } }
}

const newPath = { Location: 'The path of the new record.' }

const MERGE_PATCH = 'application/merge-patch+json'

/** A body in one of the model's schemas: JSON, and a form where the model takes one. */
export const bodyShape = (resource: Resource, which: 'create' | 'update' | 'replace'): BodyShape => {
  const form = formShape(resource, which)
  return {
    mediaTypes: which === 'update' ? [JSON_TYPE, MERGE_PATCH] : [JSON_TYPE],
    required: which !== 'update',
    schema: resource.jsonSchemas[which],
    get example() {
      return bodyExample(resource, which)
    },
    ...resource.bodyBounds,
    ...(form !== undefined && { form }),
  }
}

const updateHooks: readonly HookName[] = ['beforeUpdate', 'afterUpdate']

const hooksOf: Readonly<Record<Verb, readonly HookName[]>> = {
  list: ['beforeList', 'afterList'],
  get: [],
  create: ['beforeCreate', 'afterCreate'],
  update: updateHooks,
  replace: updateHooks,
  delete: ['beforeDelete', 'afterDelete'],
}

const scopedWrites: ReadonlySet<Verb> = new Set(['create', 'update', 'replace'])

/**
 * What an operation may answer because of the application's own hooks, schemas and
 * permissions: a `ValueError`, a record out of reach; and because of how callers are known.
 */
const hookProblems = (
  { around: { controller, access, writeProblems = [] }, bodies }: Resource,
  verb: Verb,
): readonly ProblemCode[] => {
  const hooks = controller?.hooks ?? {}
  const { act } = verbs[verb]
  const permission = access[act]
  const isCustom = Object.entries(bodies.isCustom).some(([which, custom]) => which === verb && custom)
  return [
    ...(isCustom || hooksOf[verb].some((name) => hooks[name] !== undefined) ? (['rejected'] as const) : []),
    ...(permission === 'public' ? [] : (['unauthenticated'] as const)),
    ...(act === 'read' ? [] : writeProblems),
    ...(typeof permission === 'function' || (hooks.scope !== undefined && scopedWrites.has(verb))
      ? (['forbidden'] as const)
      : []),
  ]
}

type Words = Pick<Operation, 'summary' | 'description'>

/** What the document says of an act on the records of a model. */
const describedAct = (resource: Resource, act: Verb | 'file'): Words => {
  const { summary, lines } = acts[act](resource)
  const isScoped = resource.around.controller?.hooks.scope !== undefined
  const scope = isScoped && act !== 'file' ? [scopes[act]] : []
  return { summary, description: [...lines, ...scope].filter((line) => line !== '').join(' ') }
}

interface Sentences {
  readonly summary: string
  /** Sentences. An empty one is left out. */
  readonly lines: readonly string[]
}

const acts: Readonly<Record<Verb | 'file', (resource: Resource) => Sentences>> = {
  list: ({ model, rules }) => ({
    summary: `List ${plural(model.name)}`,
    lines: [
      `Returns the ${plural(model.name)} that match \`q\`, one page at a time. Without \`sort\` they are in the order of ${quoted(model.primaryKey)}.`,
      rules.paging === 'page-number'
        ? `A page has ${rules.perPage} records.`
        : `A page has ${defaultLimit(rules)} records unless \`limit\` says otherwise, up to ${rules.maxLimit}.`,
    ],
  }),
  get: ({ model }) => ({
    summary: `Get ${withArticle(model.name)}`,
    lines: [`Returns the ${model.name} with this key.`],
  }),
  create: ({ model, bodies, files }) => ({
    summary: `Create ${withArticle(model.name)}`,
    lines: [
      `Stores a new ${model.name} and returns it with its defaults and generated values.`,
      bodies.isCustom.create ? '' : requiredLine(model),
      uniqueLine(model),
      files?.takesForm.create === true ? formLine(model) : '',
    ],
  }),
  update: ({ model, files }) => ({
    summary: `Update ${withArticle(model.name)}`,
    lines: [
      'Changes the fields that the body names and leaves all others as they are. An empty body changes nothing.',
      uniqueLine(model),
      files?.takesForm.update === true ? formLine(model) : '',
    ],
  }),
  replace: ({ model, files }) => ({
    summary: `Replace ${withArticle(model.name)}`,
    lines: [
      `Replaces every field that can be written: one that the body leaves out gets its default, or null.${keptLine(model)} It never creates ${withArticle(model.name)}.`,
      uniqueLine(model),
      files?.takesForm.replace === true ? formLine(model) : '',
    ],
  }),
  delete: ({ model }) => ({
    summary: `Delete ${withArticle(model.name)}`,
    lines: [
      `Deletes the ${model.name} with this key; a second request for it is a 404. While other records refer to it, the database may refuse: 409.`,
    ],
  }),
  file: ({ model }) => ({
    summary: `Get a file of ${withArticle(model.name)}`,
    lines: [`Returns a file for as long as the ${model.name} holds it.`],
  }),
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
