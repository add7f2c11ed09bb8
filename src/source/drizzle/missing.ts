import { type Column, getTableName, getViewName, isTable, type SQL, sql } from 'drizzle-orm'
import { StartError } from '../../error/errors.ts'
import { causesOf, reasonOf } from '../../observe/log.ts'
import { type Missing, SourceError } from '../source.ts'
import { isOfDatabase, isOfStatement, readRefusal, withoutValues } from '../sql/errors.ts'
import { assertSession } from '../sql/sessions.ts'
import { type Database, runOnce, whereTrue } from './database.ts'
import { dialectOf } from './dialects.ts'
import type { RawRow } from './internals.ts'
import type { DescribedTable } from './tables.ts'

/**
 * The tables and columns that the database does not have. If nothing is missing, this takes one statement for all tables
 * and one for all columns.
 *
 * @throws StartError if the sessions of the database would lose data
 * @throws SourceError `unavailable`
 */
export const missingIn = async (
  database: Database,
  tables: readonly DescribedTable[],
): Promise<readonly Missing[]> => {
  const { exists, readError, assertSafe } = dialectOf(database)
  const isAbsent = ({ table }: DescribedTable) => sql`not (${exists(database.toQuery(sql`${table}`).sql)})`
  try {
    await assertSession('drizzleModels', database.dialect, async (statement) => {
      const read = ([row = []]: readonly RawRow[]) => Array.from(row)
      return (await runOnce(database, sql.raw(statement), read)) ?? []
    })
    await assertSafe?.(database, tables)
    const absent = new Set(await whereTrue(database, tables, isAbsent))
    const columns = await absentOf(database, tables.filter((table) => !absent.has(table)).flatMap(columnsOf))
    if (absent.size === 0 && columns.length === 0) return []
    const place = await placeOf(database)
    return tables.flatMap((of): readonly Missing[] => {
      const about = { ...aboutTable(of), ...(place !== '' && { database: place }) }
      const names = columns
        .filter(({ of: owner }) => owner === of)
        .map(({ column }) => nameIn(database, column))
      if (absent.has(of)) return [about]
      return names.length === 0 ? [] : [{ ...about, columns: [...new Set(names)] }]
    })
  } catch (error) {
    const kind = readRefusal(error, readError)?.kind
    if (kind === 'unavailable' || kind === 'lost')
      throw new SourceError('unavailable', { cause: withoutValues(error) })
    if (![...causesOf(error)].some((inner) => isOfDatabase(inner) || isOfStatement(inner))) throw error
    // The statement of the check is of no use to a reader: a wrong password or database name is the usual reason.
    const cause = withoutValues(error)
    throw new StartError(
      `The database refuses the check of the tables: ${reasonOf(cause)}. Check the database, user and password of the connection.`,
      { cause },
    )
  }
}

interface OwnedColumn {
  readonly of: DescribedTable
  readonly column: Column
}

const columnsOf = (of: DescribedTable): readonly OwnedColumn[] =>
  Object.values(of.columns).map((column) => ({ of, column }))

const nameIn = (database: Database, column: Column): string => database.columnName(column)

/** The file or name of the database. Empty: it is in memory, or does not say. */
const placeOf = async (database: Database): Promise<string> => {
  try {
    return (await runOnce(database, dialectOf(database).place, ([row]) => String(row?.[0] ?? ''))) ?? ''
  } catch {
    return ''
  }
}

const migrate =
  'npx drizzle-kit push (in a project from modelrest init: start the server, which applies them; after a change of src/models.ts, run npm run migrate:generate first)'

const aboutTable = ({ model, table }: DescribedTable): Missing => ({
  model: model.name,
  table: isTable(table) ? getTableName(table) : getViewName(table),
  migrate,
})

/** The number of columns per statement. SQLite selects at most 2000 values, and one of each table. */
const COLUMNS_PER_STATEMENT = 500

/** Finds the missing columns by halving. */
const absentOf = async (
  database: Database,
  columns: readonly OwnedColumn[],
): Promise<readonly OwnedColumn[]> => {
  const [only] = columns
  if (only === undefined) return []
  const refusal = columns.length > COLUMNS_PER_STATEMENT ? 'too many' : await refusalOf(database, columns)
  if (refusal === undefined) return []
  if (columns.length === 1) return refusal === 'missing' ? columns : []
  const middle = Math.ceil(columns.length / 2)
  const first = await absentOf(database, columns.slice(0, middle))
  return [...first, ...(await absentOf(database, columns.slice(middle)))]
}

/**
 * Why the database does not select these columns: `missing`, or something that this check is not for, such as a missing
 * permission. @throws the error of a database that cannot be reached or is busy
 */
const refusalOf = async (
  database: Database,
  columns: readonly OwnedColumn[],
): Promise<'missing' | 'other' | undefined> => {
  const { readError, isMissingColumn } = dialectOf(database)
  try {
    const ofTables = [...Map.groupBy(columns, ({ of }) => of)]
    await whereTrue(database, ofTables, ([of, some]) => selectsNothing(database, of, some))
    return undefined
  } catch (error) {
    if (readRefusal(error, readError) !== undefined) throw error
    return [...causesOf(error)].some(isMissingColumn) ? 'missing' : 'other'
  }
}

/** Names each column with its table: SQLite may take an unknown name in quotes for a text. */
const selectsNothing = (
  database: Database,
  { table }: DescribedTable,
  columns: readonly OwnedColumn[],
): SQL => {
  const names = columns.map(({ column }) => sql`asked.${sql.identifier(nameIn(database, column))}`)
  return sql`exists (select ${sql.join(names, sql`, `)} from ${table} as asked where 1 = 0)`
}
