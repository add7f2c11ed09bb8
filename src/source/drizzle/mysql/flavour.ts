import { sql } from 'drizzle-orm'
import { SourceError } from '../../source-error.ts'
import type { Database } from '../database.ts'
import { refusalOfState } from '../errors.ts'
import { readMysqlError } from '../mysql-errors.ts'

/** MariaDB gives back what it inserts and deletes. MySQL does not. */
export type Flavour = 'mariadb' | 'mysql'

/** By drizzle's own dialect, which a database and its transactions share. */
const known = new WeakMap<object, Flavour>()

/** Which of the two a database is: asked once. */
export const flavourOf = async (database: Database): Promise<Flavour> => {
  const shared: object = Reflect.get(database.handle, 'dialect')
  const flavour = known.get(shared) ?? (await ask(database))
  known.set(shared, flavour)
  return flavour
}

const ask = async (database: Database): Promise<Flavour> => {
  const version = await versionOf(database)
  return /mariadb/i.test(version ?? '') ? 'mariadb' : 'mysql'
}

const versionOf = async (database: Database): Promise<string | undefined> => {
  const question = database.toQuery(sql`select version()`)
  try {
    return await database.prepare(question, { fetch: 'all', read: ([row]) => String(row?.[0]) })([])
  } catch (error) {
    // It is asked on the way to a write: nothing was written.
    const state = refusalOfState(error, readMysqlError)
    throw state?.kind === 'lost' ? new SourceError('unavailable', { cause: state.cause }) : error
  }
}
