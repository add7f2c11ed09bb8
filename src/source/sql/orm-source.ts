import type { Model } from '../../model/model.ts'
import { after, asyncErrorHandling, onceFor, ownValue } from '../../model/objects.ts'
import type { WatchStatement } from '../../observe/observer.ts'
import type { Condition } from '../../query/ast.ts'
import type { Advice } from '../advice.ts'
import { defineSource } from '../define.ts'
import { relatedByLists } from '../related-lists.ts'
import type { Awaitable, ModelSource, RecordStore, Row } from '../source.ts'
import { SourceError } from '../source.ts'
import { type StoreWraps, wrappedStore } from '../wrapped.ts'
import { type ReadError, refusalOfHook } from './errors.ts'
import { type ConnectionGate, gatedReads, gatedWrites, newGate } from './gate.ts'
import { type MappedModel, mappedBy } from './mapping.ts'
import { type RefusingTable, refusalsOf } from './refusals.ts'
import { noTransactions, transactionsOf } from './transactions.ts'

type WriteEvent = Parameters<NonNullable<ModelSource['hooks']>['hear']>[1]

/** What an asynchronous ORM has of its own. `Handle`: what runs statements, inside of a transaction or outside. */
export interface Orm<Handle extends object, Mapped extends MappedModel> {
  readonly capabilities: ModelSource['capabilities']
  readonly models: readonly Mapped[]
  /** What refusals of the database are about. @param storeOf the stores outside of transactions */
  refusing(mapped: Mapped, storeOf: (model: string) => RecordStore): Omit<RefusingTable, 'errorHandling'>
  readonly notes?: readonly string[]
  readonly queues?: ModelSource['queues']
  /** Hooks of the ORM. */
  readonly hooks?: { readonly handle: string; hear(mapped: Mapped, event: WriteEvent): boolean }
  /** Whether code of the application in the ORM, other than hooks, may set the field of new records. */
  readonly fills?: (mapped: Mapped, field: string) => boolean
  readonly advice?: Partial<Advice>
  /** Runs statements outside of transactions. */
  readonly handle: Handle
  /** The ORM's own handle, for hooks. */
  handleOf(handle: Handle): object
  /** The statements of a model, which fail with the errors of the ORM. */
  statementsOf(handle: Handle, mapped: Mapped): RecordStore
  /** The same, which are observed. Absent: they cannot be. */
  observedStatementsOf?(handle: Handle, mapped: Mapped, watch: WatchStatement): RecordStore
  /** Commits if `work` returns, and rolls back if it throws. */
  transaction<T>(work: (inside: Handle) => Promise<T>): Promise<T>
  /** Whether the database has one connection for all, so that statements must wait for the end of transactions. */
  readonly isGated: boolean
  /** Whether the database has one writer at a time and refuses others, so that writes and transactions must wait. Reads need not. @default false */
  readonly hasOneWriter?: boolean
  /** Whether a write is one statement, which need not wait for others. @default never */
  isOneStatement?(mapped: Mapped, act: 'create' | 'update' | 'remove'): boolean
  ping(): Promise<unknown>
  /** Runs a statement that only an open transaction can run. Absent: a transaction stays open after an error. */
  prove?(inside: Handle): Promise<unknown>
  readonly readError: ReadError
  /** Whether the ORM made an error, or its driver in a statement of the ORM. */
  isOwnError(error: Error): boolean
  readonly loggable: NonNullable<ModelSource['loggable']>
  missing(models: readonly Mapped[]): ReturnType<NonNullable<ModelSource['missing']>>
  conditionOf(mapped: Mapped, condition: Condition): unknown
}

/** The source of an asynchronous ORM: its statements with translated errors, lists of related records, and transactions. */
export const ormSource = <Types, Handle extends object, Mapped extends MappedModel>(
  orm: Orm<Handle, Mapped>,
): ModelSource<Types> => gatedSource(orm, orm.isGated || orm.hasOneWriter === true ? newGate() : undefined)

/** @param gate that of the database, which observed statements pass through, too */
const gatedSource = <Types, Handle extends object, Mapped extends MappedModel>(
  orm: Orm<Handle, Mapped>,
  gate: ConnectionGate | undefined,
  watch?: WatchStatement,
): ModelSource<Types> => {
  const { capabilities, handle, readError, loggable, isGated, notes, queues, hooks, fills, advice } = orm
  const byName = mappedBy(orm.models)
  const mappedOf = ({ name }: Pick<Model, 'name'>): Mapped => byName(name)

  const refusalOf = (error: unknown): SourceError | undefined =>
    refusalOfHook(error, readError, (inner) => orm.isOwnError(inner))

  const storesIn = (where: Handle): ((model: Model) => RecordStore) => {
    const statements = onceFor((mapped: Mapped): RecordStore => {
      const observed = watch && orm.observedStatementsOf?.(where, mapped, watch)
      const own = observed ?? orm.statementsOf(where, mapped)
      if (gate === undefined || where !== handle) return own
      const reads = isGated ? gatedReads(own, gate) : own
      return gatedWrites(reads, gate, (act) => orm.isOneStatement?.(mapped, act) === true)
    })
    const related = (mapped: Mapped) =>
      relatedByLists(
        mapped.model,
        (name) => mappedOf({ name }).model,
        (model) => statements(mappedOf(model)),
      )
    const store = onceFor((mapped: Mapped) =>
      refusingStore(
        mapped.model,
        { ...related(mapped), ...statements(mapped) },
        refusalsOf(refusing(mapped), where !== handle),
      ),
    )
    return (model) => store(mappedOf(model))
  }

  const refusing = (mapped: Mapped) => ({
    ...orm.refusing(mapped, (name) => outside(mappedOf({ name }).model)),
    errorHandling: asyncErrorHandling,
  })
  const outside = storesIn(handle)

  const begin = <T>(work: (inside: Handle) => Promise<T>): Promise<T> =>
    gate === undefined ? orm.transaction(work) : gate.transaction(() => orm.transaction(work))
  const ping = (): Promise<unknown> => (isGated && gate ? gate.statement(() => orm.ping()) : orm.ping())

  return defineSource<ModelSource<Types>>({
    models: Object.freeze(orm.models.map(({ model }) => model)),
    capabilities,
    ...(notes && { notes }),
    ...(queues && { queues }),
    ...(hooks && {
      hooks: { handle: hooks.handle, hear: (model, event) => hooks.hear(mappedOf(model), event) },
    }),
    ...(advice && { advice }),
    ...(fills && { fills: (model, field) => fills(mappedOf(model), field) }),
    missing: (models) => orm.missing(models.map(mappedOf)),
    db: orm.handleOf(handle),
    store: outside,
    transaction:
      capabilities.transactions === true
        ? transactionsOf<Handle>({
            ...{ synchronous: false, readError, refusalOf, loggable, storesIn },
            begin: (work) => begin(async (inside) => work(inside)),
            handleOf: (inside) => orm.handleOf(inside),
            ...(orm.prove && { prove: (inside) => orm.prove?.(inside) }),
          })
        : noTransactions,
    refusalOf,
    loggable,
    ...(orm.observedStatementsOf && {
      observed: (given: WatchStatement) => gatedSource<Types, Handle, Mapped>(orm, gate, given),
    }),
    ping: async () => {
      try {
        await ping()
      } catch (error) {
        throw new SourceError('unavailable', { cause: loggable(error) })
      }
    },
    conditionOf: (model, condition) => orm.conditionOf(mappedOf(model), condition),
  })
}

/** A trigger that returns null leaves no row, and ORMs return a record without a key. */
const stored = (model: Model, made: Row | null | undefined): Row => {
  if (made === null || made === undefined) throw new SourceError('ignored')
  if (model.primaryKey.some((name) => (ownValue(made, name) ?? null) === null))
    throw new SourceError('ignored')
  return made
}

const allStored =
  (model: Model, rows: readonly Row[]) =>
  (made: readonly Row[]): readonly Row[] => {
    if (made.length !== rows.length) throw new SourceError('ignored')
    return made.map((row) => stored(model, row))
  }

const refusingStore = (
  model: Model,
  store: RecordStore,
  refusals: ReturnType<typeof refusalsOf>,
): RecordStore => {
  const { recovering } = asyncErrorHandling
  const reading = <Args extends unknown[], T>(act: (...args: Args) => Awaitable<T>) =>
    recovering(act, (error: unknown, ..._args: Args): never => refusals.read(error))
  const wraps: Required<StoreWraps> = {
    ...{ list: reading, count: reading, read: reading, related: reading, countRelated: reading },
    ...{ aggregate: reading, estimate: (estimate) => estimate },
    createMany: (createMany) =>
      reading((rows: readonly Row[]) => after(createMany(rows), allStored(model, rows))),
    create: (create) =>
      recovering((row: Row) => after(create(row), (made) => stored(model, made)), refusals.create),
    update: (update) => recovering(update, refusals.update),
    remove: (remove) => recovering(remove, refusals.remove),
    take: (take) => recovering(take, refusals.remove),
  }
  return wrappedStore(store, wraps)
}
