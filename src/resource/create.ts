import { assertNoQuery } from '../operation/head.ts'
import { readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { nothing, takePath } from '../operation/path.ts'
import { wait } from '../operation/steps.ts'
import { validateBody } from '../schema/validate.ts'
import { bodyProblems, detailSuccess, jsonBody, operationOn } from './describe.ts'
import { created, JSON_TYPE } from './replies.ts'
import type { Resource } from './resource.ts'

/** `POST /products/` */
export const create = (resource: Resource): Operation => {
  const { model, store, schemas } = resource
  const body = jsonBody(resource, 'create')
  return operationOn(resource, {
    verb: 'create',
    method: 'POST',
    path: 'collection',
    summary: `Create a ${model.name}`,
    parameters: [],
    body,
    success: detailSuccess(resource, 201, 'The record as it is stored.'),
    problems: [
      ...bodyProblems,
      ...([
        'unknown_parameter',
        'not_acceptable',
        'unique_conflict',
        'unrepresentable_value',
        'unavailable',
      ] as const),
    ],
    run: takePath({
      mediaType: JSON_TYPE,
      body,
      ask: assertNoQuery,
      find: nothing,
      validate: (bytes) => validateBody(schemas.create, readJson(bytes)),
      act: (_asked, values) => wait(store.create(values)),
      reply: (row, call) => created(resource, row, call),
    }),
  })
}
