import { SourceError } from '../source.ts'
import { type Database, runOnce } from './database.ts'
import { refusalOfState } from './errors.ts'
import { readMysqlError } from './mysql-errors.ts'
import { sql } from './text.ts'

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

const shiftIn = (month: '01' | '07') =>
  sql`timestampdiff(second, ${`2026-${month}-01 00:00:00`}, convert_tz(${`2026-${month}-01 00:00:00`}, '+00:00', @@session.time_zone))`

/** Whether the clock of the sessions' time zone shows no hour twice. */
export const isSteady = async (database: Database): Promise<boolean> => {
  const steady = sql`select ${shiftIn('01')} = ${shiftIn('07')}`
  return (await runOnce(database, steady, ([row]) => Number(row?.[0]) === 1)) === true
}

/** If the connection broke before a commit, nothing was saved. */
export const asNothingWritten = (error: unknown): unknown => {
  const state = refusalOfState(error, readMysqlError)
  return state?.kind === 'lost' ? new SourceError('unavailable', { cause: state.cause }) : error
}
