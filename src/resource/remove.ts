import type { Operation } from '../operation/operation.ts'
import { skip, takePath } from '../operation/path.ts'
import { writeProblems } from '../operation/refusals.ts'
import { wait } from '../operation/steps.ts'
import type { Condition } from '../query/ast.ts'
import { operationOn } from './describe.ts'
import { keyParameter, noSuchRecord } from './key.ts'
import { askForKey, existing, findIfAsked, noContent, type Write } from './record.ts'
import type { Resource } from './resource.ts'
import { beforeDelete, performWrite } from './write.ts'

/** `DELETE /products/{id}`: a second one finds nothing. A body is ignored. */
export const remove = (resource: Resource): Operation => {
  const { model, around } = resource
  return operationOn(resource, {
    verb: 'delete',
    method: 'DELETE',
    path: 'record',
    parameters: [keyParameter(model)],
    success: { status: 204, description: 'The record is gone.' },
    problems: ['unknown_parameter', 'not_found', 'still_referenced', ...writeProblems],
    run: takePath({
      ask: askForKey(model),
      enter: around.enter('delete'),
      find: findIfAsked(resource, 'delete'),
      validate: skip,
      *act(key, _input, visit, found) {
        yield* beforeDelete(resource, visit, found)
        const act = deleting(resource, key, visit.guard)
        yield* performWrite(resource, visit, { event: 'delete', values: {}, sent: [], key, seen: found, act })
      },
      reply: () => noContent,
    }),
  })
}

/** The record is read where a hook wants to see it, or its files go with it. Any other that cannot be read exactly can be deleted all the same. */
const deleting = (
  { model, files, around: { controller } }: Resource,
  key: readonly unknown[],
  guard: Condition,
): Write['act'] => {
  const isShown = controller?.hooks.afterDelete !== undefined || controller?.hooks.afterCommit !== undefined
  const hasFiles = files !== undefined && files.fields.length > 0
  if (isShown || hasFiles) return (store) => existing(model, store.take(key, guard))
  return function* (store) {
    if (!(yield* wait(store.remove(key, guard)))) throw noSuchRecord(model)
    return {}
  }
}
