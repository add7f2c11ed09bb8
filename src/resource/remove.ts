import type { Operation } from '../operation/operation.ts'
import { noBody, nothing, takePath } from '../operation/path.ts'
import { wait } from '../operation/steps.ts'
import { operationOn } from './describe.ts'
import { keyParameter, noSuchRecord } from './key.ts'
import { askForKey } from './on-record.ts'
import { noContent } from './replies.ts'
import type { Resource } from './resource.ts'

/** `DELETE /products/{id}`: a second one finds nothing. A body is ignored. */
export const remove = (resource: Resource): Operation => {
  const { model, store } = resource
  return operationOn(resource, {
    verb: 'delete',
    method: 'DELETE',
    path: 'record',
    summary: `Delete one ${model.name}`,
    parameters: [keyParameter(model)],
    success: { status: 204, description: 'The record is gone.' },
    problems: ['unknown_parameter', 'not_found', 'still_referenced', 'unavailable'],
    run: takePath({
      ask: askForKey(model),
      find: nothing,
      validate: noBody,
      *act(key, _input, guard) {
        if (!(yield* wait(store.remove(key, guard)))) throw noSuchRecord(model)
      },
      reply: () => noContent,
    }),
  })
}
