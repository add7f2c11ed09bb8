import { type Column, is, SQL, sql } from 'drizzle-orm'
import { StartError } from '../../../error/errors.ts'
import { ownValue } from '../../../model/objects.ts'
import { SourceError } from '../../source.ts'
import { refusalOfState } from '../../sql/errors.ts'
import { readMysqlError } from '../../sql/mysql-errors.ts'
import type { TypedColumn } from '../column-types.ts'
import { type Database, runOnce } from '../database.ts'
import type { DescribedTable } from '../tables.ts'

const shiftIn = (month: '01' | '07') =>
  sql`timestampdiff(second, ${`2026-${month}-01 00:00:00`}, convert_tz(${`2026-${month}-01 00:00:00`}, '+00:00', @@session.time_zone))`

const sessionQuery = sql`select @@session.sql_mode, @@session.character_set_client, ${shiftIn('01')} = ${shiftIn('07')}`

const hasTimestamp = ({ columns }: DescribedTable): boolean =>
  Object.values(columns).some(({ columnType }) => columnType.startsWith('MySqlTimestamp'))

/** @throws StartError if the sessions would lose data, or the database does not return a model's generated keys */
export const assertSafe = async (database: Database, tables: readonly DescribedTable[]): Promise<void> => {
  const [row = []] = (await runOnce(database, sessionQuery, (rows) => rows)) ?? []
  const modes = String(row[0])
  const charset = String(row[1])
  const isSteady = Number(row[2]) === 1
  if (!/STRICT_(TRANS|ALL)_TABLES/.test(modes)) {
    throw new StartError(
      'drizzleModels: the sql_mode of db is not strict, so the database would truncate values that do not fit. Add STRICT_TRANS_TABLES to sql_mode.',
    )
  }
  if (modes.includes('NO_BACKSLASH_ESCAPES')) {
    throw new StartError(
      'drizzleModels: the sql_mode of db has NO_BACKSLASH_ESCAPES, but MySQL drivers escape values with backslashes. Remove it from sql_mode.',
    )
  }
  if (charset !== 'utf8mb4') {
    throw new StartError(
      `drizzleModels: the connections of db use the character set ${charset}, which does not support all Unicode characters. Set their charset to utf8mb4.`,
    )
  }
  const timed = tables.find(hasTimestamp)
  if (timed !== undefined && !isSteady) {
    throw new StartError(
      `drizzleModels: the time zone of db has daylight saving time, so a timestamp (${timed.model.name}, app ${timed.model.app}) cannot store one hour of each year. Set the time zone of its connections to +00:00.`,
    )
  }
  if (await isMariaDb(database)) return
  for (const { model } of tables.filter((described) => !described.model.readOnly && !keyIsKnown(described))) {
    throw new StartError(
      `drizzleModels: MySQL generates the key of ${model.name} (app ${model.app}) but does not return it. Make the column auto_increment, or give it a $defaultFn().`,
    )
  }
}

/** MariaDB returns the rows that it inserts and deletes. MySQL does not. */
export const isMariaDb = async (database: Database): Promise<boolean> => {
  const { server } = database
  try {
    server.version ??= (await runOnce(database, sql`select version()`, ([row]) => String(row?.[0]))) ?? ''
  } catch (error) {
    // Runs before a write.
    throw asNothingWritten(error)
  }
  return /mariadb/i.test(server.version)
}

/** If the connection broke before a commit, nothing was saved. */
export const asNothingWritten = (error: unknown): unknown => {
  const state = refusalOfState(error, readMysqlError)
  return state?.kind === 'lost' ? new SourceError('unavailable', { cause: state.cause }) : error
}

/** Whether the key of every new record is known: sent, counted up, or a default of the application. */
const keyIsKnown = ({ model, columns }: DescribedTable): boolean =>
  model.primaryKey.every((name) => {
    const column: TypedColumn | undefined = ownValue(columns, name)
    if (column === undefined) return true
    return column.autoIncrement === true || column.defaultFn !== undefined || !isMadeInside(column)
  })

const isMadeInside = (column: Column): boolean => column.generated !== undefined || is(column.default, SQL)
