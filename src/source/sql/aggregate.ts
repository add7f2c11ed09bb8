import type { Aggregation } from '../../query/ast.ts'
import { resultModel } from '../../query/result-model.ts'
import { shownFields } from '../sizing.ts'
import type { RecordStore, Row } from '../source.ts'
import { aggregateColumn, groupColumn, type ResultColumn } from './aggregate-columns.ts'
import { type BoundField, type BoundTable, bindField } from './bound-table.ts'
import { compileAll } from './condition.ts'
import { columnSql, type Naming, type RawRow } from './database.ts'
import { nullsLargestSql } from './order.ts'
import { readSized, sizeSql } from './sized.ts'
import { addValue, draftOf, shareConcurrent, type TableAccess } from './statement.ts'
import { listSql, type Sql, sql } from './text.ts'

/** One statement. Concurrent requests for the same aggregation share it. */
export const aggregateIn = ({
  database,
  table,
  selects,
}: TableAccess): NonNullable<RecordStore['aggregate']> => {
  const run = shareConcurrent(database, selects({ fetch: 'all', read: (rows): readonly RawRow[] => rows }))
  return ({ filter, groups, aggregates, having, order, limit, timezone }, guard, admits) => {
    const columns = [
      ...groups.map((grouping, place) => groupColumn(database, table, { grouping, timezone, place })),
      ...aggregates.map((aggregate) => aggregateColumn(database, table, aggregate)),
    ]
    const draft = draftOf(table, `${JSON.stringify([groups, aggregates, order, timezone])} `)
    const where = compileAll([filter, guard], table, draft)
    if (having !== undefined) draft.key += 'having;'
    const chosen = having && compileAll([having], resultTable(table, { groups, aggregates }, columns), draft)
    const limitAt = addValue(draft, limit)
    const groupBy = columns.flatMap((column) => column.groupedBy)
    const orderBy = order.flatMap((key) => keysOf(columns, key, table.dialect))
    const reading = (named: string, selected: Sql) =>
      run({ ...draft, key: draft.key + named }, (slots) => ({
        ...{ columns: selected, from: table.from, where: where?.(slots), groupBy, orderBy },
        ...{ having: chosen?.(slots), page: sql` limit ${slots(limitAt)}`, limit },
      }))
    const parts = [...groups, ...aggregates].map((column, at) => {
      const [name = ''] = shownFields(
        'fn' in column ? { groups: [], aggregates: [column] } : { groups: [column], aggregates: [] },
      )
      const selected = columns[at]?.selected ?? []
      const [value] = selected
      const isSized = name !== '' && value !== undefined
      return {
        selected: namedIn(columns[at]),
        sized: isSized ? [{ field: table.fieldOf(name).field, value }] : [],
      }
    })
    const sized = parts.flatMap((one) => one.sized)
    // The statement may group and sort by their names.
    const small = parts.flatMap((one) => (one.sized.length > 0 ? [] : one.selected))
    return readSized({
      ...{ model: table.model, fields: shownFields({ groups, aggregates }), admits, most: limit },
      sizes: () => reading('sizes ', listSql([sizeSql(database, sized), ...selecting(database, small, 2)])),
      rows: () => reading('', listSql(selecting(database, columns.flatMap(namedIn)))),
      rawOf: (rows) => rows,
      read: (rows) => rows.map((row) => readRow(columns, row)),
    })
  }
}

/** The result as a table, whose columns conditions compare. */
const resultTable = (
  table: BoundTable,
  of: Pick<Aggregation, 'groups' | 'aggregates'>,
  columns: readonly ResultColumn[],
): BoundTable => {
  const model = resultModel(of, table.model)
  const fields = model.fields.flatMap((field, place) => {
    const compared = columns[place]?.compared()
    return compared === undefined
      ? []
      : [bindField({ ...compared, field, name: field.name }, place, compared.name)]
  })
  const fieldOf = (name: string): BoundField => {
    const found = fields.find(({ field }) => field.name === name)
    if (found === undefined) throw new Error(`The aggregation has no column ${name}.`)
    return found
  }
  // MySQL and MariaDB find no groups by a subquery.
  const anyOf = { ...table.dialect.anyOf, toParameter: () => undefined }
  return { ...table, model, fields, fieldOf, filter: undefined, dialect: { ...table.dialect, anyOf } }
}

interface Named {
  readonly column: Sql
  readonly alias: Sql | undefined
}

const namedIn = (column: ResultColumn | undefined): readonly Named[] =>
  column?.selected.map((one) => ({ column: one, alias: column.alias })) ?? []

/** @param from the place of the first one among the columns of the statement */
const selecting = (naming: Naming, columns: readonly Named[], from = 0): readonly Sql[] =>
  columns.map(({ column, alias }, at) =>
    alias === undefined ? columnSql(naming, column, from + at) : sql`${column} as ${alias}`,
  )

type GroupOrder = Aggregation['order'][number]

const keysOf = (
  columns: readonly ResultColumn[],
  { column: name, direction }: GroupOrder,
  dialect: Parameters<typeof nullsLargestSql>[0],
): readonly Sql[] => {
  const column = columns.find((known) => known.name === name)
  if (column === undefined) throw new Error(`The aggregation has no column ${name}.`)
  return column.keys.map((key) => nullsLargestSql(dialect, key, key, direction))
}

const readRow = (columns: readonly ResultColumn[], raw: RawRow): Row => {
  const row: Record<string, unknown> = {}
  let at = 0
  for (const { name, selected, read } of columns) {
    const parts = Array.from(selected, (_, part) => raw[at + part])
    at += selected.length
    row[name] = parts[0] === null ? null : read(parts)
  }
  return row
}
