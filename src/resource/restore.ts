import { StartError } from '../error/errors.ts'
import { hasOperation } from '../model/operations.ts'
import type { Operation } from '../operation/operation.ts'
import { skip, takePath } from '../operation/path.ts'
import { both } from '../query/ast.ts'
import { beforeUpdate } from './before.ts'
import { authoriseDeleted, seeing } from './deleted.ts'
import { operationOn, writtenSuccess } from './describe.ts'
import { matchOf, onMatch } from './if-match.ts'
import { enter, findPermitted, JSON_TYPE, type Write } from './record.ts'
import { recordReply } from './replies.ts'
import type { Resource } from './resource.ts'
import { performWrite } from './transaction.ts'
import { readConditions } from './write.ts'

/** @throws StartError for a relation or an action whose path is that of `restore` */
export const assertRestorable = ({ model, openRelations, actions, controller }: Resource): void => {
  if (model.softDelete === undefined) return
  if (actions.some(({ on, segment }) => on === 'record' && segment === 'restore'))
    throw new StartError(
      `${controller?.place}: actions.restore has the path of POST /${model.path}/{id}/restore, which modelConfig.${model.name}.softDelete serves. Rename the action.`,
    )
  if (!openRelations.some(({ name, kind }) => name === 'restore' && kind === 'to-many')) return
  throw new StartError(
    `modelConfig.${model.name}.softDelete: the relation restore has the path of POST /${model.path}/{id}/restore. Set modelConfig.${model.name}.relations: { restore: '…' }.`,
  )
}

/** What clients delete, they may be able to restore. */
export const restoreOperations = (resource: Resource): readonly Operation[] => {
  const { model } = resource
  const { softDelete } = model
  return softDelete !== undefined && hasOperation(model, 'delete') ? [restore(resource, softDelete)] : []
}

/**
 * `POST /products/{id}/restore`: an update that clears the time of the deletion. A record that is not deleted returns 404. A body is
 * ignored.
 *
 * @param field the column that holds that time
 */
const restore = (resource: Resource, field: string): Operation => {
  const { with: all, only } = seeing(resource)
  const find = findPermitted(only, 'update')
  const cleared = { [field]: null }
  return operationOn(resource, 'restore', {
    ...writtenSuccess(resource, 'update'),
    problems: ['unique_conflict', 'forbidden', 'unauthenticated'],
    run: takePath({
      mediaType: JSON_TYPE,
      ask: readConditions(resource),
      enter: enter(resource, 'update'),
      *find(key, scoped) {
        yield* authoriseDeleted(resource, scoped)
        return yield* find(key, scoped)
      },
      validate: skip,
      *act(key, _input, scoped, found) {
        const body = { values: cleared, sent: [] }
        const values = yield* beforeUpdate(all, scoped, body, found, (given) => ({ ...given, ...cleared }))
        const match = matchOf(all, scoped.call)
        const guard = both(scoped.guard, { op: 'is-not-null', field })
        const write: Write = {
          event: 'update',
          ...{ values, key, seen: found, sent: [], match },
          act: onMatch(all, { key, guard, match }, (records, guarded) =>
            records.update(key, values, guarded),
          ),
        }
        return yield* performWrite(all, scoped, write)
      },
      reply: (written) => recordReply(resource, written),
    }),
  })
}
