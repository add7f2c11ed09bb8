import { assertNoQuery } from '../operation/head.ts'
import type { Operation } from '../operation/operation.ts'
import { noBody, nothing, takePath } from '../operation/path.ts'
import { wait } from '../operation/steps.ts'
import { detailSuccess, operationOn } from './describe.ts'
import { keyParameter, noSuchRecord, readKey } from './key.ts'
import { JSON_TYPE, record } from './replies.ts'
import type { Resource } from './resource.ts'

/** `GET /products/{id}` */
export const read = (resource: Resource): Operation => {
  const { model, store } = resource
  return operationOn(resource, {
    verb: 'get',
    method: 'GET',
    path: 'record',
    summary: `Get one ${model.name}`,
    parameters: [keyParameter(model)],
    success: detailSuccess(resource, 200, 'The record.'),
    problems: ['unknown_parameter', 'not_found', 'not_acceptable', 'unrepresentable_value', 'unavailable'],
    run: takePath({
      mediaType: JSON_TYPE,
      ask: (call) => {
        assertNoQuery(call)
        return readKey(model, call.params['id'] ?? '')
      },
      find: nothing,
      validate: noBody,
      *act(key, _input, guard) {
        const row = yield* wait(store.read(key, guard))
        if (row === undefined) throw noSuchRecord(model)
        return row
      },
      reply: (row) => record(resource, row),
    }),
  })
}
