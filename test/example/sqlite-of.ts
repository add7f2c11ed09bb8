import type Database from 'better-sqlite3'
import type { Shop } from '../../examples/shop/app.ts'

/** The driver's own handle of a shop on SQLite. */
export const sqliteOf = ({ db }: Shop): Database.Database => Reflect.get(db, '$client') as Database.Database
