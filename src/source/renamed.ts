import type { ModelConfigs } from '../model/configure.ts'
import type { Model } from '../model/model.ts'
import { after, onceFor } from '../model/objects.ts'
import { configureRelations } from '../model/relation-config.ts'
import { assertConfigs } from '../model/served.ts'
import { type Condition, type Hop, type Order, sortName } from '../query/ast.ts'
import { reservedParameters } from '../query/parameters.ts'
import type { ModelSource, RecordStore, RelatedTo, Row, Session } from './source.ts'
import { wrappedSource, wrappedStore } from './wrapped.ts'

/** The source, with the relations that `modelConfig` renames and closes. @throws StartError */
export const withRelations = <Types>(
  source: ModelSource<Types>,
  modelConfig: ModelConfigs = {},
): ModelSource<Types> => {
  assertConfigs(source.models, modelConfig)
  const models = configureRelations(source.models, modelConfig, reservedParameters)
  return models === source.models ? source : renamedSource(source, models)
}

/**
 * A source whose relations have other names. Conditions and sort keys are translated on their way to the source, so that each
 * relation has one name everywhere else.
 *
 * @param models the models of the source, in the same order, with the names that requests and hooks use
 */
export const renamedSource = <Types>(
  source: ModelSource<Types>,
  models: readonly Model[],
): ModelSource<Types> => {
  const names = namesBetween(models, source.models)
  const renamed = onceFor((store: RecordStore) =>
    onceFor((model: Model) => (names === undefined ? store : renamedStore(store, model.name, names))),
  )
  const conditionOf = source.conditionOf?.bind(source)
  const storeIn = (session: Session, model: Model): RecordStore => renamed(session.store(model))(model)
  return wrappedSource(
    source,
    {
      models,
      store: (model, ...use) => renamed(source.store(model, ...use))(model),
      ...(conditionOf &&
        names && {
          conditionOf: (model, condition) =>
            conditionOf(model, translator(names).condition(condition, model.name)),
        }),
      transaction: (work) =>
        source.transaction((inside) => work({ db: inside.db, store: (model) => storeIn(inside, model) })),
    },
    (observed) => renamedSource(observed, models),
  )
}

interface End {
  /** The name of the relation in the source. */
  readonly name: string
  readonly model: string
  readonly join: string
}

/** Model -> name of a relation -> what the source knows of it. */
type Names = ReadonlyMap<string, ReadonlyMap<string, End>>

/** `undefined`: all names are the same. */
const namesBetween = (models: readonly Model[], inSource: readonly Model[]): Names | undefined => {
  let isSame = true
  const names = models.map(({ name: model, relations }, at) => {
    const ends = relations.map((relation, place) => {
      const name = inSource[at]?.relations[place]?.name ?? relation.name
      isSame &&= name === relation.name
      return [relation.name, { name, model: relation.model, join: relation.through?.model ?? '' }] as const
    })
    return [model, new Map(ends)] as const
  })
  return isSame ? undefined : new Map(names)
}

const renamedStore = (store: RecordStore, model: string, names: Names): RecordStore => {
  const inSource = translator(names)
  const condition = (given: Condition): Condition => inSource.condition(given, model)
  const endOf = ({ relation }: RelatedTo): string => names.get(model)?.get(relation)?.model ?? ''
  return wrappedStore(store, {
    list: (list) => (selection, guard, admits) => {
      const [filter, order] = [condition(selection.filter), inSource.order(selection.order, model)]
      return after(list({ ...selection, filter, order }, condition(guard), admits), (rows) =>
        withNames(rows, order, selection.order),
      )
    },
    count: (count) => (filter, guard, atMost) => count(condition(filter), condition(guard), atMost),
    read: (read) => (key, guard, lock) => read(key, condition(guard), lock),
    update: (update) => (key, values, guard) => update(key, values, condition(guard)),
    remove: (remove) => (key, guard) => remove(key, condition(guard)),
    take: (take) => (key, guard) => take(key, condition(guard)),
    estimate: (estimate) => (filter) => estimate(condition(filter)),
    aggregate: (aggregate) => (aggregation, guard, admits) =>
      aggregate({ ...aggregation, filter: condition(aggregation.filter) }, condition(guard), admits),
    related: (related) => (to, selection, admits) => {
      const end = endOf(to)
      const [filter, order] = [
        inSource.condition(selection.filter, end),
        inSource.order(selection.order, end),
      ]
      return after(related(inSource.to(to, model), { ...selection, filter, order }, admits), (lists) =>
        lists.map((rows) => withNames(rows, order, selection.order)),
      )
    },
    countRelated: (countRelated) => (to, filter) =>
      countRelated(inSource.to(to, model), inSource.condition(filter, endOf(to))),
  })
}

/** Translates to the names in the source. Returns what does not change as it is: stores recognize some conditions. */
const translator = (names: Names) => {
  const endOf = (model: string, relation: string): End =>
    names.get(model)?.get(relation) ?? { name: relation, model: '', join: '' }

  const condition = <Given extends Condition | undefined>(given: Given, model: string): Given | Condition => {
    if (given === undefined) return given
    switch (given.op) {
      case 'and':
      case 'or': {
        const conditions = each(given.conditions, (inner) => condition(inner, model))
        return conditions === given.conditions ? given : { ...given, conditions }
      }
      case 'not':
      case 'tie': {
        const inner = condition(given.condition, model)
        return inner === given.condition ? given : { ...given, condition: inner }
      }
      case 'related': {
        const { name, ...end } = endOf(model, given.relation)
        const inner = condition(given.condition, end.model)
        const link = condition(given.link, end.join)
        return { ...given, relation: name, condition: inner, ...(link && { link }) }
      }
      default:
        return given
    }
  }

  const order = (given: readonly Order[], model: string): readonly Order[] =>
    each(given, (key) => {
      if (key.via === undefined) return key
      let at = model
      const via = key.via.map((hop): Hop => {
        const end = endOf(at, hop.relation)
        at = end.model
        return { relation: end.name, ...(hop.guard && { guard: condition(hop.guard, at) }) }
      })
      return { ...key, via }
    })

  const to = (given: RelatedTo, model: string): RelatedTo => {
    const end = endOf(model, given.relation)
    const [guard, link] = [condition(given.guard, end.model), condition(given.link, end.join)]
    return { ...given, relation: end.name, guard, ...(link && { link }) }
  }

  return { condition, order, to }
}

/** The same array if no element changes. */
const each = <T>(all: readonly T[], change: (one: T) => T): readonly T[] => {
  const changed = all.map(change)
  return changed.some((one, at) => one !== all[at]) ? changed : all
}

/** Renames the sort values that the source has read through relations. */
const withNames = (
  rows: readonly Row[],
  order: readonly Order[],
  wanted: readonly Order[],
): readonly Row[] => {
  const renames = new Map(order.map((key, at) => [sortName(key), sortName(wanted[at] ?? key)]))
  if ([...renames].every(([from, to]) => from === to)) return rows
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [renames.get(name) ?? name, value])),
  )
}
