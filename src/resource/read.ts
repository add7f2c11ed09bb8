import type { Operation } from '../operation/operation.ts'
import { nothing, takePath } from '../operation/path.ts'
import { detailSuccess, operationOn } from './describe.ts'
import { keyParameter } from './key.ts'
import { askForKey, findPermitted } from './on-record.ts'
import { JSON_TYPE, json } from './replies.ts'
import type { Resource } from './resource.ts'
import { shownRow } from './shown-files.ts'

/** `GET /products/{id}` */
export const read = (resource: Resource): Operation => {
  const { model, around, serialiser } = resource
  const find = findPermitted(resource, 'get')
  return operationOn(resource, {
    verb: 'get',
    method: 'GET',
    path: 'record',
    parameters: [keyParameter(model)],
    success: detailSuccess(resource, 200, 'The record.'),
    problems: ['unknown_parameter', 'not_found', 'not_acceptable', 'unrepresentable_value', 'unavailable'],
    run: takePath({
      mediaType: JSON_TYPE,
      ask: askForKey(model),
      enter: around.enter('get'),
      find: nothing,
      validate: nothing,
      *act(key, _input, visit) {
        return yield* shownRow(resource, yield* find(key, visit))
      },
      reply: (row) => json(serialiser.record(row)),
    }),
  })
}
