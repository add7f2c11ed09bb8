import type { ModelConfigs } from '../model/configure.ts'
import { timeIn } from '../model/kinds/index.ts'
import { type Deleted, type Field, fieldOf, type Model, type Unfinished } from '../model/model.ts'
import { after, onceFor } from '../model/objects.ts'
import { configureSoftDeletion } from '../model/soft-deletion.ts'
import { both, type Condition, everything, hasRelation, type Selection } from '../query/ast.ts'
import { relationOf } from '../query/order.ts'
import { type Guards, withGuards } from '../query/related.ts'
import {
  assertTransactions,
  type ModelSource,
  type RecordStore,
  type RelatedTo,
  type Session,
} from './source.ts'
import { type StoreWraps, wrappedSource, wrappedStore } from './wrapped.ts'

/**
 * The source, without the records that are deleted by `modelConfig.X.softDelete`, and those that are not finished.
 *
 * @param pending how the unfinished records of a model are recognized. @default none are
 * @throws StartError
 */
export const withSoftDeletion = <Types>(
  source: ModelSource<Types>,
  modelConfig: ModelConfigs = {},
  pending?: { readonly model: string; readonly unfinished: Unfinished },
): ModelSource<Types> => {
  const models = configureSoftDeletion(source.models, modelConfig)
  const deleting = models.find(({ softDelete }) => softDelete !== undefined)
  if (deleting !== undefined) assertTransactions(source, `modelConfig.${deleting.name}.softDelete needs`)
  if (pending === undefined) return deleting === undefined ? source : livingSource(source, models)
  const { model: name, unfinished } = pending
  const marked = models.map((model) =>
    model.name === name ? Object.freeze({ ...model, unfinished }) : model,
  )
  return livingSource(source, Object.freeze(marked))
}

/**
 * A source whose stores delete by an update, and to which deleted and unfinished records do not exist: each statement has a guard
 * for the records of its model, and for those of each model that it leads to. The stores of `withDeleted()`, `onlyDeleted()` and
 * `withUnfinished()` have another guard for the records of their model, but the same for all others.
 */
const livingSource = <Types>(source: ModelSource<Types>, models: readonly Model[]): ModelSource<Types> => {
  const living = livingRecords(models)
  const wrapping = (lock?: 'lock') =>
    onceFor((store: RecordStore) => onceFor((model: Model) => livingStore(store, model, living, lock)))
  const [wrapped, inTransaction] = [wrapping(), wrapping('lock')]
  const conditionOf = source.conditionOf?.bind(source)
  const storeIn = (session: Session, model: Model): RecordStore => inTransaction(session.store(model))(model)
  return wrappedSource(
    source,
    {
      models,
      store: (model, ...use) => wrapped(source.store(model, ...use))(model),
      ...(conditionOf && {
        conditionOf: (model, condition) => conditionOf(model, living.guarded(condition, model)),
      }),
      transaction: (work) =>
        source.transaction((inside) => work({ db: inside.db, store: (model) => storeIn(inside, model) })),
    },
    (observed) => livingSource(observed, models),
  )
}

/** What statements say about the records that are finished and not deleted. */
interface Living extends Guards {
  /** Related records count only if they are finished and not deleted. */
  readonly related: (condition: Condition, model: Model) => Condition
  /** The same, for records of the model as its stores show them. */
  readonly guarded: (condition: Condition, model: Model) => Condition
  readonly selected: (selection: Selection, model: Model) => Selection
  readonly reached: (to: RelatedTo, model: Model) => RelatedTo
}

const livingRecords = (models: readonly Model[]): Living => {
  const byName = new Map(models.map((model) => [model.name, model]))
  const modelOf = (name: string): Model => {
    const model = byName.get(name)
    if (model === undefined) throw new Error(`Unknown model ${name}.`)
    return model
  }
  // Stores recognize `everything`, and keep statements for conditions that stay the same.
  const conditions = new Map(models.map((model) => [model.name, conditionsOf(model)]))
  const guardOf = (name: string): Condition => conditions.get(name)?.get('living') ?? everything
  const guards: Guards = { modelOf, guardOf }
  const ownGuard = ({ name, deleted }: Model): Condition =>
    conditions.get(name)?.get(deleted ?? 'living') ?? everything
  // Stores recognize some conditions, so those that do not change stay the same.
  const related = (condition: Condition, { name }: Model): Condition =>
    hasRelation(condition) ? withGuards(condition, modelOf(name), guards) : condition
  return {
    ...guards,
    related,
    guarded: (condition, model) => both(related(condition, model), ownGuard(model)),
    selected: (selection, model) => {
      const filter = related(selection.filter, model)
      const isPlain = selection.order.every(({ via }) => via === undefined)
      if (filter === selection.filter && isPlain) return selection
      const order = selection.order.map((key) => withGuards(key, modelOf(model.name), guards))
      return { ...selection, filter, order }
    },
    reached: (to, model) => {
      const { model: end, through } = relationOf(modelOf(model.name), to.relation)
      const guard = both(related(to.guard, modelOf(end)), guardOf(end))
      if (through === undefined) return { ...to, guard }
      const own = related(to.link ?? everything, modelOf(through.model))
      const link = both(own, guardOf(through.model))
      return { ...to, guard, ...(link !== everything && { link }) }
    },
  }
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

const livingStore = (store: RecordStore, model: Model, living: Living, lock?: 'lock'): RecordStore => {
  const described = living.modelOf(model.name)
  const field = model.deleted === undefined ? described.softDelete : undefined
  const guarded = (guard: Condition): Condition => living.guarded(guard, model)
  const endOf = (to: RelatedTo): Model => living.modelOf(relationOf(described, to.relation).model)
  return wrappedStore(store, {
    list: (list) => (selection, guard, admits) =>
      list(living.selected(selection, model), guarded(guard), admits),
    count: (count) => (filter, guard, atMost) => count(living.related(filter, model), guarded(guard), atMost),
    read: (read) => (key, guard, lock) => read(key, guarded(guard), lock),
    update: (update) => (key, values, guard) => update(key, values, guarded(guard)),
    ...(field === undefined
      ? {
          remove: (remove) => (key, guard) => remove(key, guarded(guard)),
          take: (take) => (key, guard) => take(key, guarded(guard)),
        }
      : deleting(store, fieldOf(described, field), guarded, lock)),
    estimate: (estimate) => (filter) => estimate(guarded(filter)),
    aggregate: (aggregate) => (aggregation, guard, admits) => {
      const filter = living.related(aggregation.filter, model)
      return aggregate({ ...aggregation, filter }, guarded(guard), admits)
    },
    related: (related) => (to, selection, admits) =>
      related(living.reached(to, model), living.selected(selection, endOf(to)), admits),
    countRelated: (countRelated) => (to, filter) =>
      countRelated(living.reached(to, model), living.related(filter, endOf(to))),
  })
}

/** Deletes by an update. A record that is deleted already does not match. */
const deleting = (
  store: RecordStore,
  field: Field,
  guarded: (guard: Condition) => Condition,
  lock: 'lock' | undefined,
): Pick<StoreWraps, 'remove' | 'take'> => {
  const removed = (key: readonly unknown[], within: Condition) =>
    store.update(key, { [field.name]: timeIn(field, Date.now()) }, within)
  return {
    remove: () => (key, guard) => after(removed(key, guarded(guard)), (row) => row !== undefined),
    // The update may change more than the time of the deletion.
    take: () => (key, guard) => {
      const within = guarded(guard)
      return after(store.read(key, within, lock), (row) =>
        row === undefined ? row : after(removed(key, within), (stored) => stored && row),
      )
    },
  }
}
