import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2/promise'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import type { Model } from '../../../src/model/model.ts'
import type { ModelSource, RecordStore } from '../../../src/source/source.ts'
import { createMysqlDatabase, type MysqlCollation, type MysqlKind } from '../../servers/test-mysql.ts'

export interface OpenMysql {
  readonly source: ModelSource
  readonly pool: mysql.Pool
  readonly url: string
  /** The first. */
  readonly model: Model
  /** The store of the first model. */
  readonly store: RecordStore
  close(): Promise<void>
}

export interface Opening {
  /** Of the pool. */
  readonly options?: mysql.PoolOptions
  /** Run on each of its connections. */
  readonly session?: string
  /** On which of the servers of this run. @default MariaDB */
  readonly kind?: MysqlKind
  /** Of its texts. @default by code point */
  readonly collation?: MysqlCollation
  /** Gets each statement of the source. */
  readonly logQuery?: (query: string, values: unknown[]) => void
  /** Another server than those of this run. */
  readonly server?: string
}

/** A source of tables in a new database of MariaDB or MySQL. */
export const openMysql = async (
  create: readonly string[],
  tables: Readonly<Record<string, object>>,
  { options = {}, session, kind = 'mariadb', collation = 'by code point', logQuery, server }: Opening = {},
): Promise<OpenMysql> => {
  const database = await createMysqlDatabase('things', { kind, collation, server })
  const pool = mysql.createPool({ uri: database.url, connectionLimit: 8, ...options })
  if (session !== undefined) pool.on('connection', (connection) => connection.query(session))
  for (const statement of create) await pool.query(statement)
  const source: ModelSource = drizzleModels(drizzle(pool, logQuery ? { logger: { logQuery } } : {}), tables)
  const [model] = source.models
  if (model === undefined) throw new Error((source.notes ?? []).join())
  return {
    source,
    pool,
    url: database.url,
    model,
    store: source.store(model),
    close: async () => {
      await pool.end().catch(() => undefined)
      await database.drop()
    },
  }
}
