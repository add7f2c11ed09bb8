import type { Model } from '../../model/model.ts'
import { after, onceFor } from '../../model/objects.ts'
import { type Condition, hasRelation, type Order } from '../../query/ast.ts'
import type { Awaitable, ModelSource, RecordStore, Session } from '../source.ts'
import { aggregateIn } from './aggregate.ts'
import { type BoundTable, bindTable } from './bound-table.ts'
import { candidatesIn } from './candidates.ts'
import { compileAll, compileKey, conditionSql, holdsAlways } from './condition.ts'
import { type Database, runOnce } from './database.ts'
import { dialectRows, readErrorOf } from './dialects.ts'
import { refusalOfHook } from './errors.ts'
import { isRange } from './implied.ts'
import { loggable } from './loggable.ts'
import { mysqlChanges } from './mysql-write.ts'
import { mysqlCreateManyIn } from './mysql-write-many.ts'
import { compileSorting, compileSubselects, sortedTable } from './order.ts'
import { type Refusals, refusalsOf } from './refusals.ts'
import { refusingTables } from './refused-fields.ts'
import { countRelatedIn, relatedIn } from './related.ts'
import { readSized, sizesIn } from './sized.ts'
import {
  accessTo,
  type Build,
  compilePage,
  draftOf,
  draftValues,
  readingIn,
  type Slots,
  selectSql,
  shareConcurrent,
  type TableAccess,
} from './statement.ts'
import type { Table } from './table.ts'
import { type Dialect, type Sql, sql } from './text.ts'
import { noTransactions, transactionsOf } from './transactions.ts'
import { type RecordChanges, returningChanges } from './write.ts'
import { createManyIn } from './write-many.ts'

/** The stores of a database, outside and inside of its transactions. */
export interface Stores {
  readonly outside: Session['store']
  readonly transaction: ModelSource['transaction']
  /** A condition for queries that the application writes, with its values. Their ORM qualifies the columns. */
  conditionOf(model: Model, condition: Condition): Sql
}

/** The tables in statements, by the names of their models. */
export const boundTables = (dialect: Dialect, tables: readonly Table[]): ((model: string) => BoundTable) => {
  const tableOf = new Map(tables.map((table) => [table.model.name, table]))
  const bind = onceFor((table: Table): BoundTable => bindTable(dialectRows[dialect], table, boundOf))
  const boundOf = (model: string): BoundTable => {
    const table = tableOf.get(model)
    if (table === undefined) throw new Error(`${model} has no table.`)
    return bind(table)
  }
  return boundOf
}

export const storesOf = (database: Database, tables: readonly Table[]): Stores => {
  const { dialect, hasTransactions, synchronous } = database
  const readError = readErrorOf(database)
  const boundOf = boundTables(dialect, tables)
  const refusing = onceFor(refusingTables(database, () => tables.map(({ model }) => boundOf(model.name))))
  const storeIn = (where: Database, { name }: Model): RecordStore => {
    const table = boundOf(name)
    return recordStore(where, table, refusalsOf(refusing(table), where !== database))
  }
  const outside = onceFor((model: Model): RecordStore => storeIn(database, model))
  return {
    outside,
    transaction: !hasTransactions
      ? noTransactions
      : transactionsOf<Database>({
          ...{ synchronous, readError, loggable },
          refusalOf: (error) => refusalOfHook(error, readError),
          begin: (work) => database.transaction(work),
          handleOf: ({ handle }) => handle,
          storesIn: (inside) => (synchronous ? outside : (model) => storeIn(inside, model)),
          ...(dialect === 'pg' && { prove: (inside) => runOnce(inside, sql`select 1`, () => undefined) }),
        }),
    conditionOf: ({ name }, condition) => conditionSql(boundOf(name).asWritten(), [condition]),
  }
}

const changesBy: Readonly<
  Record<Dialect, (access: TableAccess, read: RecordStore['read']) => RecordChanges>
> = {
  sqlite: returningChanges,
  pg: returningChanges,
  mysql: mysqlChanges,
}

const manyBy: Readonly<
  Record<Dialect, (access: TableAccess, create: RecordStore['create']) => Writes['createMany']>
> = {
  sqlite: createManyIn,
  pg: createManyIn,
  mysql: mysqlCreateManyIn,
}

/** The writes of a table, which fail with the errors of the driver. */
export type Writes = Required<Pick<RecordStore, 'create' | 'createMany' | 'update' | 'remove' | 'take'>>

export const writesOf = (access: TableAccess, read: RecordStore['read']): Writes => {
  const { dialect } = access.database
  const changes = changesBy[dialect](access, read)
  return { ...changes, createMany: manyBy[dialect](access, changes.create) }
}

const recordStore = (database: Database, table: BoundTable, refusals: Refusals): RecordStore => {
  const access = accessTo(database, table)
  const { recovering } = access
  const reads = readsOf(access)
  const { create, createMany, update, remove, take } = writesOf(access, reads.read)
  return Object.freeze<RecordStore>({
    list: recovering(reads.list, refusals.read),
    count: recovering(reads.count, refusals.read),
    estimate: reads.estimate,
    related: recovering(reads.related, refusals.read),
    countRelated: recovering(reads.countRelated, refusals.read),
    aggregate: recovering(reads.aggregate, refusals.read),
    read: recovering(reads.read, refusals.read),
    create: recovering(create, refusals.create),
    createMany: recovering(createMany, refusals.read),
    update: recovering(update, refusals.update),
    remove: recovering(remove, refusals.remove),
    take: recovering(take, refusals.remove),
  })
}

/** The reads of a table, which fail with the errors of the driver. */
export type TableReads = Required<
  Pick<RecordStore, 'list' | 'count' | 'estimate' | 'related' | 'countRelated' | 'aggregate' | 'read'>
>

export const readsOf = (access: TableAccess): TableReads => ({
  list: listIn(access),
  count: countIn(access),
  estimate: estimateIn(access),
  related: relatedIn(access),
  countRelated: countRelatedIn(access),
  aggregate: aggregateIn(access),
  read: readIn(access),
})

const listIn = (access: TableAccess): RecordStore['list'] => {
  const { database, table, readingOf, selects } = access
  const run = selects({ fetch: 'all', read: (rows) => rows })
  const candidates =
    table.dialect.relatedBy === 'in-always' && !access.finds ? candidatesIn(access) : undefined
  return ({ filter, order, limit, offset, fields }, guard, admits) => {
    const from = sortedTable(table, order)
    const draft = draftOf(from)
    draft.extent = 'page'
    const where = compileAll([filter, guard], from, draft)
    const { joins, keys, values } = access.finds
      ? compileSubselects(order, from, draft)
      : compileSorting(order, from, draft)
    const { shape, columns, readRows } =
      values.length === 0
        ? fields === undefined
          ? access
          : readingOf(fields)
        : readingIn(database, from, fields, values)
    const known = keysIn(filter, order, table)
    const page = compilePage(limit, offset, draft, database, known > 0 && hasRelation(guard) ? 0 : known)
    const first = candidates?.({ filter, order, limit, offset }, guard)
    const whole = (named: string, selected: Sql) =>
      run({ ...draft, key: `${draft.key} ${named}` }, (slots) => ({
        ...{ columns: selected, from: from.from, joins: joins(slots), where: where?.(slots) },
        ...{ orderBy: keys(), page: page(slots), limit, offset },
      }))
    const reading: typeof whole =
      first === undefined
        ? whole
        : (named, selected) => after(first(named, selected), (rows) => rows ?? whole(named, selected))
    return readSized({
      ...{ model: table.model, fields, admits, most: limit },
      sizes: () => reading(`sizes ${shape}`, sizesIn(database, from, fields)),
      rows: () => reading(shape, columns),
      rawOf: (rows) => rows,
      read: readRows,
    })
  }
}

/**
 * How many values a filter has, if all of them are primary keys: a list, as concurrent reads share it, or where a page in the order of the
 * key begins. The best plan is the same for all.
 */
const keysIn = (filter: Condition, order: readonly Order[], { key, table }: BoundTable): number => {
  const [first, ...others] = key
  if (first === undefined || others.length > 0 || table.isView) return 0
  if (!('field' in filter) || filter.field !== first.field.name) return 0
  if (filter.op === 'in') return filter.values.length
  const isByKey = order.every(({ field, via = [] }) => field === filter.field && via.length === 0)
  return isRange(filter) && isByKey ? 1 : 0
}

const readIn = ({ table, columns, readFirst, selects }: TableAccess): RecordStore['read'] => {
  const run = selects({ fetch: 'one', read: readFirst })
  return (key, guard, lock) => {
    const draft = draftOf(table, lock)
    const where = compileKey(key, guard, draft)
    return run(draft, (slots) => ({
      ...{ columns, from: table.from, where: where(slots), lock: lock && table.dialect.locked },
    }))
  }
}

/** `count(*)` does not read columns, so the database can use the smallest index. */
const countIn = ({ database, table, reads, finds }: TableAccess): RecordStore['count'] => {
  const run = shareConcurrent(database, reads({ fetch: 'one', read: (rows) => Number(rows[0]?.[0]) }))
  return (filter, guard, atMost) => {
    const draft = draftOf(table, atMost === undefined ? '' : 'limit ')
    const where = compileAll([filter, guard], table, draft)
    if (finds !== undefined)
      return after(finds.count(where?.(draftValues(draft))), (all) => Math.min(all, atMost ?? all))
    const select = (columns: Sql, slots: Slots, page?: Sql): Sql =>
      selectSql({ columns, from: table.from, where: where?.(slots), ...(page && { page }) })
    if (atMost === undefined) {
      draft.hasOnePlan = draft.values.length === 0
      return run(draft, (slots) => select(sql`count(*)`, slots)) as Awaitable<number>
    }
    const limit = compilePage(atMost, undefined, draft, database)
    const count: Build = (slots) =>
      sql`select count(*) from (${select(sql`1`, slots, limit(slots))}) as counted`
    return run(draft, count) as Awaitable<number>
  }
}

/** The database's estimate of the number of rows. Errors result in `undefined`. */
const estimateIn = (access: TableAccess): NonNullable<RecordStore['estimate']> => {
  const { database, table, reads, recovering } = access
  const { rowsOf, plan } = table.dialect.statistics
  const quoted = table.table.sql
  const run = shareConcurrent(database, reads<unknown>({ fetch: 'one', read: ([row]) => row?.[0] }))

  const ofPlan = (filter: Condition): Awaitable<number | undefined> => {
    if (plan === undefined) return undefined
    const draft = draftOf(table, 'plan ')
    const where = compileAll([filter], table, draft)
    const select = (slots: Slots) => selectSql({ columns: sql`1`, from: table.from, where: where?.(slots) })
    const cell = run(draft, (slots) => plan.explain(select(slots)))
    return after(cell, plan.readRows)
  }

  const ofAll = (filter: Condition): Awaitable<number | undefined> => {
    const counted = run(draftOf(table, 'rows'), () => rowsOf(quoted))
    return after(counted, (rows) => {
      if (rows === null) return ofPlan(filter)
      return Number(rows) > 0 ? Math.round(Number(rows)) : undefined
    })
  }

  return recovering(
    // Statistics of the table count records that the ORM hides, too.
    (filter: Condition) =>
      holdsAlways(filter) && table.filter === undefined ? ofAll(filter) : ofPlan(filter),
    (): undefined => undefined,
  )
}
