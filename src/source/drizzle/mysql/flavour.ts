import { sql } from 'drizzle-orm'
import type { Database } from '../database.ts'

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
  const version = await database.prepare(database.toQuery(sql`select version()`), {
    fetch: 'all',
    read: ([row]) => String(row?.[0]),
  })([])
  return /mariadb/i.test(version ?? '') ? 'mariadb' : 'mysql'
}
