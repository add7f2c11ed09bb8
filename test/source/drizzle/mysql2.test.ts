import type { Logger } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2/promise'
import { vi } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { pinnedStatements } from '../../contract/drizzle-source/pinned.ts'
import { type Connect, drizzleContract } from '../../contract/drizzle-source.ts'
import { createMysql, mysqlLibrary } from '../../contract/library.ts'
import { createMysqlDatabase, type MysqlKind, nameOf, onEachMysql } from '../../servers/test-mysql.ts'

/** What a `timestamp` holds. */
const isHeld = (date: Date): boolean => date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 2038

const clientOf = (session: unknown): object => Object(Reflect.get(Object(session), 'client'))

const connectTo =
  (kind: MysqlKind, logger: Logger): Connect =>
  async () => {
    const database = await createMysqlDatabase('library', { kind })
    const pool = mysql.createPool({ uri: database.url, connectionLimit: 4, multipleStatements: true })
    for (const statement of createMysql) await pool.query(statement)
    const db = drizzle(pool, { logger })
    const session: { prepareQuery: (query: object) => unknown } = Reflect.get(db, 'session')
    const prepare = vi.spyOn(session, 'prepareQuery')
    return {
      source: drizzleModels(db, mysqlLibrary),
      server: kind,
      tables: mysqlLibrary,
      // Rows that point to rows of their own table are deleted in no order.
      execute: (statements) =>
        pool.query(`set foreign_key_checks = 0; ${statements}; set foreign_key_checks = 1`),
      // A transaction has a connection, and prepares what it asks by itself.
      prepared: () => prepare.mock.contexts.filter((own) => !('release' in clientOf(own))).length,
      spoil: { statement: `update books set opens_at = '25:00:00'`, field: 'opensAt' },
      holds: (_field, value) => !(value instanceof Date) || isHeld(value),
      kill: () => pool.end(),
      close: async () => {
        await pool.end().catch(() => undefined)
        await database.drop()
      },
    }
  }

onEachMysql('the contract of a source of models', (kind) => {
  const pinned = pinnedStatements('mysql')
  drizzleContract(`drizzle on mysql2, ${nameOf(kind)}`, connectTo(kind, pinned.logger), 'complete')
  // The statements for MySQL differ a little.
  if (kind === 'mariadb') pinned.compare()
})
