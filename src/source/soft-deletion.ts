import { timeIn } from '../model/kinds/index.ts'
import { type Deleted, type Field, fieldOf, type Model, type Unfinished } from '../model/model.ts'
import { after } from '../model/objects.ts'
import type { ModelConfigs } from '../model/setup/configure.ts'
import { configureSoftDeletion } from '../model/setup/soft-deletion.ts'
import { both, type Condition, everything } from '../query/ast.ts'
import { layeredSource } from './layer.ts'
import { assertTransactions, type ModelSource, type RecordStore } from './source.ts'

/**
 * The models of the source, with the columns of `modelConfig.X.softDelete`.
 *
 * @param pending how the unfinished records of a model are recognized. @default none are
 * @returns `source.models` itself if nothing changes
 * @throws StartError
 */
export const softlyDeletedModels = (
  source: ModelSource<unknown>,
  modelConfig: ModelConfigs = {},
  pending?: { readonly model: string; readonly unfinished: Unfinished },
): readonly Model[] => {
  const models = configureSoftDeletion(source.models, modelConfig)
  const deleting = models.find(({ softDelete }) => softDelete !== undefined)
  if (deleting !== undefined) assertTransactions(source, `modelConfig.${deleting.name}.softDelete needs`)
  if (pending === undefined) return models
  const { model: name, unfinished } = pending
  return Object.freeze(
    models.map((model) => (model.name === name ? Object.freeze({ ...model, unfinished }) : model)),
  )
}

/**
 * A source whose stores delete by an update, and to which deleted and unfinished records do not exist: each statement has a guard
 * for the records of its model, and for those of each model that it leads to. The stores of `withDeleted()`, `onlyDeleted()` and
 * `withUnfinished()` have another guard for the records of their model, but the same for all others.
 *
 * @param models those of `softlyDeletedModels`
 */
export const withSoftDeletion = <Types>(
  source: ModelSource<Types>,
  models: readonly Model[],
): ModelSource<Types> => {
  if (models === source.models) return source
  // Stores recognize `everything`, and keep statements for conditions that stay the same.
  const conditions = new Map(models.map((model) => [model.name, conditionsOf(model)]))
  const fields = new Map(
    models.flatMap((model) =>
      model.softDelete === undefined ? [] : [[model.name, fieldOf(model, model.softDelete)]],
    ),
  )
  const guardOf = (name: string, records: Deleted | 'living' = 'living'): Condition =>
    conditions.get(name)?.get(records) ?? everything
  const deleting =
    (lock?: 'lock') =>
    (living: RecordStore, { name, deleted }: Model): RecordStore => {
      const field = deleted === undefined ? fields.get(name) : undefined
      return field === undefined ? living : deletingStore(living, field, lock)
    }
  return layeredSource(source, () => ({
    models,
    guardOf: (name) => guardOf(name),
    ownGuard: ({ name, deleted }) => guardOf(name, deleted),
    outside: deleting(),
    inside: deleting('lock'),
  }))
}

/** The records of a model that its stores show, by their kind. */
const conditionsOf = ({
  softDelete: field,
  unfinished,
}: Model): ReadonlyMap<Deleted | 'living', Condition> => {
  const finished: Condition =
    unfinished === undefined
      ? everything
      : {
          op: 'not',
          condition: { op: 'contains', field: unfinished.field, value: unfinished.text },
        }
  const within = (op: 'is-null' | 'is-not-null'): Condition =>
    Object.freeze(field === undefined ? finished : both({ op, field }, finished))
  return new Map<Deleted | 'living', Condition>([
    ['living', within('is-null')],
    ['only', within('is-not-null')],
    ['with', finished],
    ['all', everything],
  ])
}

/** Deletes by an update. A record that is deleted already does not match. */
const deletingStore = (living: RecordStore, field: Field, lock?: 'lock'): RecordStore => {
  const removed = (...[key, guard]: Parameters<RecordStore['remove']>) =>
    living.update(key, { [field.name]: timeIn(field, Date.now()) }, guard)
  return Object.freeze<RecordStore>({
    ...living,
    remove: (key, guard) => after(removed(key, guard), (row) => row !== undefined),
    // The update may change more than the time of the deletion.
    take: (key, guard) =>
      after(living.read(key, guard, lock), (row) =>
        row === undefined ? row : after(removed(key, guard), (stored) => stored && row),
      ),
  })
}
