import { needsCaller, type Verb, verbs } from '../controller/access.ts'
import type { PermissionAct } from '../controller/permissions.ts'
import type { ProblemCode } from '../error/codes.ts'
import type { Model } from '../model/model.ts'
import { plural } from '../model/naming.ts'
import type { BodyShape, Method, Operation, Success } from '../operation/operation.ts'
import { translated } from '../operation/refusals.ts'
import { exampleOf } from '../schema/example.ts'
import { describedAct } from './descriptions.ts'
import { bodyExample, formShape } from './form-shape.ts'
import { hookProblems } from './hook-problems.ts'
import { isReadToo } from './permit.ts'
import { JSON_TYPE } from './replies.ts'
import type { Resource } from './resource.ts'

/** What an act says of itself; the rest of its operation follows from the model. */
export interface ActDescription
  extends Pick<Operation, 'parameters' | 'success' | 'withheld' | 'run' | 'body'> {
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
    run: translated(resource, act.run),
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
