import { configureFields, type NamingOptions, renamedOptions } from '../model/field-config.ts'
import type { Model } from '../model/model.ts'
import { after, type Execution, executionOf, onceFor } from '../model/objects.ts'
import { configureRelations } from '../model/relation-config.ts'
import { assertConfigs } from '../model/served.ts'
import type { Condition } from '../query/ast.ts'
import { reservedParameters } from '../query/parameters.ts'
import { RefusedInside } from './refused-inside.ts'
import type { Awaitable, ModelSource, RecordStore, RelatedTo, Row, Session } from './source.ts'
import { namesBetween, type Translator, translator } from './source-names.ts'
import { wrappedSource, wrappedStore } from './wrapped.ts'

/**
 * The source, with the fields and relations that `modelConfig` renames and without relations that it closes, and the options with
 * the new names.
 *
 * @throws StartError
 */
export const withNames = <Types>(
  source: ModelSource<Types>,
  { modelConfig = {}, fileFields = {} }: NamingOptions,
): { readonly source: ModelSource<Types> } & Required<NamingOptions> => {
  assertConfigs(source.models, modelConfig)
  const named = configureFields(source.models, modelConfig, reservedParameters)
  const models = configureRelations(named, modelConfig, reservedParameters)
  return models === source.models
    ? { source, modelConfig, fileFields }
    : { source: renamedSource(source, models), ...renamedOptions(models, { modelConfig, fileFields }) }
}

/**
 * A source whose fields and relations have other names. Whatever names them is translated on its way to the source, and records
 * on their way back, so that each has one name everywhere else.
 *
 * @param models the models of the source, in the same order, with the names that requests and hooks use
 */
export const renamedSource = <Types>(
  source: ModelSource<Types>,
  models: readonly Model[],
): ModelSource<Types> => {
  const names = namesBetween(models, source.models)
  const inSource = names && translator(names)
  const execution = executionOf({ synchronous: source.capabilities.synchronous === true })
  const renamed = onceFor((store: RecordStore) =>
    onceFor((model: Model) =>
      inSource === undefined ? store : renamedStore(store, model.name, inSource, execution),
    ),
  )
  const [conditionOf, fills] = [source.conditionOf?.bind(source), source.fills?.bind(source)]
  const storeIn = (session: Session, model: Model): RecordStore => renamed(session.store(model))(model)
  return wrappedSource(
    source,
    {
      models,
      store: (model, ...use) => renamed(source.store(model, ...use))(model),
      ...(conditionOf &&
        inSource && {
          conditionOf: (model, condition) => conditionOf(model, inSource.condition(condition, model.name)),
        }),
      ...(fills && inSource && { fills: (model, field) => fills(model, inSource.field(field, model.name)) }),
      transaction: (work) =>
        source.transaction((inside) => work({ db: inside.db, store: (model) => storeIn(inside, model) })),
    },
    (observed) => renamedSource(observed, models),
  )
}

const renamedStore = (
  store: RecordStore,
  model: string,
  inSource: Translator,
  { recovering }: Execution,
): RecordStore => {
  const condition = (given: Condition): Condition => inSource.condition(given, model)
  const endOf = ({ relation }: RelatedTo): string => inSource.endOf(model, relation).model
  const renamedError = (error: unknown, of: string): unknown =>
    error instanceof RefusedInside
      ? new RefusedInside(
          recovering(error.look, (found): never => {
            throw inSource.error(found, of)
          }),
          error.cause,
        )
      : inSource.error(error, of)
  const caught = <Args extends unknown[], T>(act: (...args: Args) => Awaitable<T>) =>
    recovering(act, (error: unknown, ..._: Args): never => {
      throw renamedError(error, model)
    })
  const caughtRelated = <Args extends unknown[], T>(act: (to: RelatedTo, ...args: Args) => Awaitable<T>) =>
    recovering(act, (error: unknown, to, ..._: Args): never => {
      throw renamedError(error, endOf(to))
    })
  const shown = <Found extends Row | undefined>(row: Found): Row | Found => row && inSource.row(row, model)
  return wrappedStore(store, {
    list: (list) =>
      caught((selection, guard, admits) =>
        after(list(inSource.selection(selection, model), condition(guard), admits), (rows) =>
          inSource.rows(rows, model, selection.order),
        ),
      ),
    count: (count) => caught((filter, guard, atMost) => count(condition(filter), condition(guard), atMost)),
    read: (read) => caught((key, guard, lock) => after(read(key, condition(guard), lock), shown)),
    create: (create) => caught((values) => after(create(inSource.values(values, model)), shown)),
    createMany: (createMany) =>
      caught((records) =>
        after(createMany(records.map((values) => inSource.values(values, model))), (rows) =>
          inSource.rows(rows, model),
        ),
      ),
    update: (update) =>
      caught((key, values, guard) =>
        after(update(key, inSource.values(values, model), condition(guard)), shown),
      ),
    remove: (remove) => caught((key, guard) => remove(key, condition(guard))),
    take: (take) => caught((key, guard) => after(take(key, condition(guard)), shown)),
    estimate: (estimate) => (filter) => estimate(condition(filter)),
    aggregate: (aggregate) =>
      caught((aggregation, guard, admits) => {
        const asked = inSource.aggregation(aggregation, model)
        return after(aggregate(asked.inSource, condition(guard), admits), asked.rows)
      }),
    related: (related) =>
      caughtRelated((to, selection, admits) => {
        const end = endOf(to)
        return after(related(inSource.to(to, model), inSource.selection(selection, end), admits), (lists) =>
          lists.map((rows) => inSource.rows(rows, end, selection.order)),
        )
      }),
    countRelated: (countRelated) =>
      caughtRelated((to, filter) =>
        countRelated(inSource.to(to, model), inSource.condition(filter, endOf(to))),
      ),
  })
}
