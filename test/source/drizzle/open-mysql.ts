import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2/promise'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import type { ModelSource, RecordStore } from '../../../src/source/source.ts'
import { createMysqlDatabase, type MysqlKind } from '../../servers/test-mysql.ts'

export interface OpenMysql {
  readonly source: ModelSource
  readonly pool: mysql.Pool
  readonly url: string
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
  /** Another server than those of this run. */
  readonly server?: string
}

/** A source of tables in a new database of MariaDB or MySQL. */
export const openMysql = async (
  create: readonly string[],
  tables: Readonly<Record<string, object>>,
  { options = {}, session, kind = 'mariadb', server }: Opening = {},
): Promise<OpenMysql> => {
  const database = await createMysqlDatabase('things', { kind, server })
  const pool = mysql.createPool({ uri: database.url, connectionLimit: 8, ...options })
  if (session !== undefined) pool.on('connection', (connection) => connection.query(session))
  for (const statement of create) await pool.query(statement)
  const source: ModelSource = drizzleModels(drizzle(pool), tables)
  const [model] = source.models
  if (model === undefined) throw new Error((source.notes ?? []).join())
  return {
    source,
    pool,
    url: database.url,
    store: source.store(model),
    close: async () => {
      await pool.end().catch(() => undefined)
      await database.drop()
    },
  }
}
