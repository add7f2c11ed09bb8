import { StartError } from '../../error/errors.ts'
import { errorHandlingOf } from '../../model/objects.ts'
import { causesOf, reasonOf } from '../../observe/log.ts'
import { type Awaitable, type Missing, type ModelSource, SourceError } from '../source.ts'
import { type Database, type RawRow, runOnce, whereTrue } from './database.ts'
import { dialectOf, readErrorOf } from './dialects.ts'
import { isOfDatabase, isOfQuery, readRefusal, withoutValues } from './errors.ts'
import { assertSession } from './sessions.ts'
import type { Column, Table } from './table.ts'
import { listSql, type Sql, sql } from './text.ts'

export const pingIn = (database: Database): ModelSource['ping'] =>
  errorHandlingOf(database).recovering(
    (): Awaitable<void> => runOnce(database, dialectOf(database).ping, () => undefined),
    (error) => {
      throw new SourceError('unavailable', { cause: withoutValues(error) })
    },
  )

/** What a source says in messages about its database. */
export interface Checking {
  /** The name of the function that makes the source. */
  readonly adapter: string
  /** A command that applies migrations. */
  readonly migrate?: string | undefined
  /** Checks that the database does not lose data. @throws StartError */
  assertSafe(): Promise<void>
}

/**
 * The tables and columns that the database does not have. If nothing is missing, this takes one statement for all tables
 * and one for all columns.
 *
 * @throws StartError if the sessions of the database would lose data
 * @throws SourceError `unavailable`
 */
export const missingIn = async (
  database: Database,
  tables: readonly Table[],
  { adapter, migrate, assertSafe }: Checking,
): Promise<readonly Missing[]> => {
  const { exists } = dialectOf(database)
  const loggable = database.errors?.loggable ?? withoutValues
  const isAbsent = (table: Table) => sql`not (${exists(table.sql)})`
  try {
    await assertSession(adapter, database.dialect, async (statement) => {
      const read = ([row = []]: readonly RawRow[]) => Array.from(row)
      return (await runOnce(database, sql.raw(statement), read)) ?? []
    })
    await assertSafe()
    const absent = new Set(await whereTrue(database, tables, isAbsent))
    const columns = await absentOf(database, tables.filter((table) => !absent.has(table)).flatMap(columnsOf))
    if (absent.size === 0 && columns.length === 0) return []
    const place = await placeOf(database)
    return tables.flatMap((of): readonly Missing[] => {
      const { model, name } = of
      const about = {
        model: model.name,
        table: name,
        ...(migrate !== undefined && { migrate }),
        ...(place !== '' && { database: place }),
      }
      const names = columns.filter(({ of: owner }) => owner === of).map(({ column }) => column.name)
      if (absent.has(of)) return [about]
      return names.length === 0 ? [] : [{ ...about, columns: [...new Set(names)] }]
    })
  } catch (error) {
    const kind = readRefusal(error, readErrorOf(database))?.kind
    const cause = loggable(error)
    if (kind === 'unavailable' || kind === 'lost') throw new SourceError('unavailable', { cause })
    if (![...causesOf(cause)].some((inner) => isOfDatabase(inner) || isOfQuery(inner))) throw error
    // The statement of the check is of no use to a reader: a wrong password or database name is the usual reason.
    throw new StartError(
      `The database refuses the check of the tables: ${reasonOf(cause)}. Check the database, user and password of the connection.`,
      { cause },
    )
  }
}

interface OwnedColumn {
  readonly of: Table
  readonly column: Column
}

const columnsOf = (of: Table): readonly OwnedColumn[] => of.columns.map((column) => ({ of, column }))

/** The file or name of the database. Empty: it is in memory, or does not say. */
const placeOf = async (database: Database): Promise<string> => {
  try {
    return (await runOnce(database, dialectOf(database).place, ([row]) => String(row?.[0] ?? ''))) ?? ''
  } catch {
    return ''
  }
}

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
  const { isMissingColumn } = dialectOf(database)
  try {
    const ofTables = [...Map.groupBy(columns, ({ of }) => of)]
    await whereTrue(database, ofTables, ([of, some]) => selectsNothing(of, some))
    return undefined
  } catch (error) {
    if (readRefusal(error, readErrorOf(database)) !== undefined) throw error
    const known = database.errors?.loggable(error) ?? error
    return [...causesOf(known)].some(isMissingColumn) ? 'missing' : 'other'
  }
}

/** Names each column with its table: SQLite may take an unknown name in quotes for a text. */
const selectsNothing = (table: Table, columns: readonly OwnedColumn[]): Sql => {
  const names = columns.map(({ column }) => sql`asked.${sql.identifier(column.name)}`)
  return sql`exists (select ${listSql(names)} from ${sql.raw(table.sql)} as asked where 1 = 0)`
}
