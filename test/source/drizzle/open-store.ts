import type { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { type PgliteDatabase, drizzle as pglite } from 'drizzle-orm/pglite'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import type { DrizzleDatabase } from '../../../src/source/drizzle/index.ts'
import type { RecordStore } from '../../../src/source/source.ts'
import { startPglite } from '../../stage/pglite.ts'

/** The store of the only model of a source. */
const storeOf = (db: DrizzleDatabase, table: object): RecordStore => {
  const source = drizzleModels(db, { things: table })
  const [model] = source.models
  if (model === undefined) throw new Error((source.notes ?? []).join())
  return source.store(model)
}

/** A store on a new SQLite database. */
export const sqliteStore = (
  create: string,
  table: object,
  open: (client: Database.Database) => BetterSQLite3Database = (client) => drizzle(client),
) => {
  const client = new Database(':memory:')
  client.exec(create)
  return { client, store: storeOf(open(client), table) }
}

/** A store on a new PostgreSQL database. */
export const pgStore = async (
  create: string,
  table: object,
  open: (client: PGlite) => PgliteDatabase = (client) => pglite(client),
) => {
  const client = await startPglite()
  await client.exec(create)
  return { client, store: storeOf(open(client), table) }
}
