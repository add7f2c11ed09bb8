import type Database from 'better-sqlite3'
import type { ModelRestOptions } from '../../src/index.ts'
import { onFastify } from '../stage/apps.ts'
import { openSqlite, type SqliteDatabase } from '../stage/databases.ts'
import { type Send, senderTo } from '../stage/requests.ts'
import { ddl, tables } from './tables.ts'

/** A running service on a new SQLite database, under `/api`. */
export interface Service {
  readonly send: Send
  readonly database: Database.Database
  stop(): Promise<void>
}

/** Opens the tables without serving them. */
export const openModels = (): SqliteDatabase =>
  openSqlite(tables, `${ddl}; insert into makers (name) values ('Acme'), ('Bolt')`)

export const startService = async (options?: Partial<ModelRestOptions>): Promise<Service> => {
  const { client, models, close } = openModels()
  const app = await onFastify({ models, ...options }, { listening: true, logger: false })
  return {
    database: client,
    send: senderTo(app),
    stop: async () => {
      await app.stop()
      await close()
    },
  }
}
