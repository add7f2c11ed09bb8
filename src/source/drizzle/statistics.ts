import { type SQL, sql } from 'drizzle-orm'
import { isTableNamed } from './mysql/names.ts'

/** What a database knows of its tables without looking at their rows. */
export interface Statistics {
  /**
   * How many rows a table has in all, in one cell. Nothing above 0: it was never analysed. Null: the database keeps no
   * number for it, but its planner may know.
   *
   * @param quoted its name as it stands in a statement
   */
  rowsOf(quoted: string): SQL
  /** How many rows the planner expects of a statement. Absent: it does not say. */
  readonly plan?: { explain(select: SQL): SQL; readRows(cell: unknown): number | undefined }
}

/** There is a table of statistics once ANALYZE has run. Its texts begin with the number of rows: `1000 10 1`. */
export const sqliteStatistics: Statistics = Object.freeze<Statistics>({
  rowsOf: (quoted) =>
    sql`select max(cast(stat as integer)) from sqlite_stat1 where tbl = ${quoted.slice(1, -1).replaceAll('""', '"')} collate nocase`,
})

export const pgStatistics: Statistics = Object.freeze<Statistics>({
  // Of views, of tables in parts, and where policies hide rows, only the planner knows.
  rowsOf: (quoted) =>
    sql`select case when relkind in ('r', 'm') and not relhassubclass and not relrowsecurity then reltuples end from pg_class where oid = to_regclass(${quoted})`,
  plan: {
    explain: (select) => sql`explain (format json) ${select}`,
    // Some drivers parse JSON, others do not.
    readRows: (cell) => expectedRows(typeof cell === 'string' ? JSON.parse(cell) : cell),
  },
})

const expectedRows = (explained: unknown): number | undefined => {
  const statement: unknown = Array.isArray(explained) ? explained[0] : undefined
  const rows = memberOf(memberOf(statement, 'Plan'), 'Plan Rows')
  return typeof rows === 'number' ? rows : undefined
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

export const mysqlStatistics: Statistics = Object.freeze<Statistics>({
  // A view has none.
  rowsOf: (quoted) => sql`select table_rows from information_schema.tables where ${isTableNamed(quoted)}`,
  plan: {
    explain: (select) => sql`explain format=json ${select}`,
    readRows: (cell) =>
      joinedRows(memberOf(typeof cell === 'string' ? JSON.parse(cell) : cell, 'query_block')),
  },
})

/** MySQL says what is left behind each table. MariaDB says how many rows it reads, and how much of them in percent is left. */
const joinedRows = (block: unknown): number | undefined => {
  const loop = memberOf(block, 'nested_loop')
  const tables = (Array.isArray(loop) ? loop : [block]).map((step: unknown) => memberOf(step, 'table'))
  const produced = memberOf(tables.at(-1), 'rows_produced_per_join')
  if (typeof produced === 'number') return produced
  return tables.reduce<number | undefined>((rows, table) => {
    const [read, percent] = [memberOf(table, 'rows'), memberOf(table, 'filtered')]
    if (rows === undefined || typeof read !== 'number' || typeof percent !== 'number') return undefined
    return Math.round((rows * read * percent) / 100)
  }, 1)
}
