import { assertNoQuery } from '../operation/head.ts'
import { readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { nothing, takePath } from '../operation/path.ts'
import { wait } from '../operation/steps.ts'
import { validateBody } from '../schema/validate.ts'
import { bodyProblems, detailSuccess, jsonBody, operationOn } from './describe.ts'
import { keyParameter, noSuchRecord, readKey } from './key.ts'
import { JSON_TYPE, record } from './replies.ts'
import type { Resource } from './resource.ts'

/** `PATCH /products/{id}`: absent fields stay untouched, and an empty body changes nothing. */
export const update = (resource: Resource): Operation => {
  const { model, store, schemas } = resource
  const body = jsonBody(resource, 'update')
  return operationOn(resource, {
    verb: 'update',
    method: 'PATCH',
    path: 'record',
    summary: `Change fields of one ${model.name}`,
    parameters: [keyParameter(model)],
    body,
    success: detailSuccess(resource, 200, 'The record as it is stored.'),
    problems: [
      ...bodyProblems,
      ...(['unknown_parameter', 'not_found', 'not_acceptable'] as const),
      ...(['unique_conflict', 'unrepresentable_value', 'unavailable'] as const),
    ],
    run: takePath({
      mediaType: JSON_TYPE,
      body,
      ask: (call) => {
        assertNoQuery(call)
        return readKey(model, call.params['id'] ?? '')
      },
      find: nothing,
      validate: (bytes) => (bytes.length === 0 ? {} : validateBody(schemas.update, readJson(bytes))),
      *act(key, values, guard) {
        const row = yield* wait(store.update(key, values, guard))
        if (row === undefined) throw noSuchRecord(model)
        return row
      },
      reply: (row) => record(resource, row),
    }),
  })
}
