import { readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { nothing, takePath } from '../operation/path.ts'
import { validateBody } from '../schema/validate.ts'
import { detailSuccess, jsonBody, operationOn } from './describe.ts'
import { keyParameter } from './key.ts'
import { askForKey, changeProblems, existing } from './on-record.ts'
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
    problems: changeProblems,
    run: takePath({
      mediaType: JSON_TYPE,
      body,
      ask: askForKey(model),
      find: nothing,
      validate: (bytes) => (bytes.length === 0 ? {} : validateBody(schemas.update, readJson(bytes))),
      act: (key, values, guard) => existing(model, store.update(key, values, guard)),
      reply: (row) => record(resource, row),
    }),
  })
}
