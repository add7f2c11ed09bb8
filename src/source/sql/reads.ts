import type { Admits, RecordStore, Row } from '../source.ts'
import { aggregating } from './aggregates.ts'
import { whereOf } from './conditions.ts'
import { decoded, listing, type Raw, recordOf, rowOf, type SortKey, sizeOf, type Value } from './selects.ts'
import type { MappedTable, Member, Scope } from './tables.ts'

/** A select of the records of a table, in SQL. */
export interface Select<In extends Scope = Scope> {
  /** What its SQL was made with. */
  readonly scope: In
  readonly where: string
  readonly order: readonly SortKey[]
  readonly limit: number
  readonly offset?: number
  readonly groups?: readonly string[]
}

/** How an ORM runs selects of a table. */
export interface Reader<In extends Scope> {
  newScope(): In
  records(select: Select<In>, values: readonly Value[], admits?: Admits): Promise<readonly Row[]>
  /** The number of records, at most `limit`, which may be infinite. */
  count(select: Select<In>): Promise<number>
  /** Rows that are not records, with these columns under the names of `columnAt`. */
  rows(select: Select<In>, columns: readonly string[]): Promise<readonly Raw[]>
}

/** @param at the name of the table in the selects, in SQL */
export const readsOf = <In extends Scope>(
  table: MappedTable,
  at: string,
  reader: Reader<In>,
): Required<Pick<RecordStore, 'list' | 'count' | 'aggregate'>> => ({
  list: async (selection, guard, admits) => {
    const { filter, limit, offset } = selection
    if (limit === 0) return []
    const scope = reader.newScope()
    const where = whereOf(scope, table, at, filter, guard)
    const { values, order } = listing(scope, table, at, selection)
    return reader.records({ scope, where, order, limit, offset }, values, admits)
  },
  count: async (filter, guard, atMost = Number.POSITIVE_INFINITY) => {
    if (atMost === 0) return 0
    const scope = reader.newScope()
    return reader.count({ scope, where: whereOf(scope, table, at, filter, guard), order: [], limit: atMost })
  },
  aggregate: async (aggregation, guard, admits) => {
    const { filter, limit } = aggregation
    if (limit === 0) return []
    const scope = reader.newScope()
    const where = whereOf(scope, table, at, filter, guard)
    const { selects, groups, order, rowOf } = aggregating(scope, table, at, aggregation)
    const rows = await reader.rows({ scope, where, order, limit, groups }, selects)
    return admits?.(rows.map(sizeOf)) === false ? [] : rows.map(rowOf)
  },
})

/**
 * The record in a row, with what the ORM shows instead of stored values.
 *
 * @param shown a value as the ORM shows it, and how it becomes one of the field. `undefined`: as it is stored
 */
export const shownOf = <Of extends Member>(
  table: MappedTable<Of>,
  values: readonly Value[],
  raw: Raw,
  shown: (member: Of) => readonly [value: unknown, decode: (value: unknown) => unknown] | undefined,
): Row => {
  const own = values.flatMap(({ name, member: read }) => {
    const member = table.members.get(name)
    const found = member !== undefined && member === read ? shown(member) : undefined
    if (found === undefined) return []
    return [[name, decoded(read, found[0], () => recordOf(table, values, raw), found[1])]]
  })
  return { ...rowOf(table, values, raw), ...Object.fromEntries(own) }
}
