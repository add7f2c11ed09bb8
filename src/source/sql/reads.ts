import { ownValue } from '../../model/objects.ts'
import { shownFields, sizeOf, sizingOf } from '../sizing.ts'
import type { Admits, RecordStore, Row } from '../source.ts'
import { aggregating } from './aggregates.ts'
import { whereOf } from './conditions.ts'
import { columnAt, decoded, listing, type Raw, recordOf, rowOf, type SortKey, type Value } from './selects.ts'
import { type Sized, sizeColumns } from './sizes.ts'
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
    const { filter, limit, offset, fields } = selection
    if (limit === 0) return []
    const made = () => {
      const scope = reader.newScope()
      const where = whereOf(scope, table, at, filter, guard)
      const { values, order } = listing(scope, table, at, selection)
      return { select: { scope, where, order, limit, offset }, values }
    }
    const sizing = sizingOf(table.model)
    const noting = sizing.admitting(admits, fields)
    const { select, values } = made()
    if (admits === undefined || !sizing.isUnsure(limit, fields)) return reader.records(select, values, noting)
    const sized = values.map(({ member, sql }) => ({ field: member.field, value: sql }))
    const { sizes, json } = await sizesOf(reader, select, sized)
    if (sizes.length === 0 || !(await noting(sizes, json))) return []
    const again = made()
    return reader.records(again.select, again.values)
  },
  count: async (filter, guard, atMost = Number.POSITIVE_INFINITY) => {
    if (atMost === 0) return 0
    const scope = reader.newScope()
    return reader.count({ scope, where: whereOf(scope, table, at, filter, guard), order: [], limit: atMost })
  },
  aggregate: async (aggregation, guard, admits) => {
    const { filter, limit } = aggregation
    if (limit === 0) return []
    const made = () => {
      const scope = reader.newScope()
      const where = whereOf(scope, table, at, filter, guard)
      const { order, groups, ...parts } = aggregating(scope, table, at, aggregation)
      return { ...parts, select: { scope, where, order, limit, groups } }
    }
    const fields = shownFields(aggregation)
    const sizing = sizingOf(table.model)
    const noting = sizing.admitting(admits, fields)
    const { select, sized, selects, rowOf } = made()
    if (admits !== undefined && sizing.isUnsure(limit, fields)) {
      const { sizes, json } = await sizesOf(reader, select, sized)
      if (sizes.length === 0 || !(await noting(sizes, json))) return []
      const again = made()
      return (await reader.rows(again.select, again.selects)).map(again.rowOf)
    }
    const rows = await reader.rows(select, selects)
    return (await noting(rows.map(sizeOf))) ? rows.map(rowOf) : []
  },
})

/** The bytes of the records or groups that a select reads, without reading them. */
const sizesOf = async <In extends Scope>(
  reader: Reader<In>,
  select: Select<In>,
  values: readonly Sized<string>[],
): Promise<{ readonly sizes: readonly number[]; readonly json: number }> => {
  const columns = sizeColumns(select.scope.family, values, (parts) =>
    parts.length === 0 ? '0' : parts.map((part) => part.join('')).join(' + '),
  )
  const rows = await reader.rows(select, columns)
  const column = (at: number) => rows.map((raw) => Number(ownValue(raw, columnAt(at))))
  return { sizes: column(0), json: column(1).reduce((total, size) => total + size, 0) }
}

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
