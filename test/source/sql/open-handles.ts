import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPool, type Pool } from 'mysql2/promise'
import pg from 'pg'
import type { ModelSource } from '../../../src/entry/source.ts'
import type { SqlDatabase } from '../../../src/entry/sql.ts'
import { createMysql, createPg } from '../../contract/library.ts'
import { createDatabase } from '../../servers/test-database.ts'
import { createMysqlDatabase, type MysqlKind } from '../../servers/test-mysql.ts'
import { type Opened, sourceOver } from './handle-contract.ts'
import { createSqlite } from './library-tables.ts'
import { overMysql2 } from './over-mysql2.ts'
import { overPg } from './over-pg.ts'

/** Makes a source over a database. @default of the tables that an application states */
export type Make = (database: SqlDatabase) => ModelSource | Promise<ModelSource>

interface Handle {
  exec(statement: string): unknown
  close(): unknown
}

/** A library in a file of SQLite. */
export const openedSqlite = <Of extends Handle>(
  open: (file: string) => Of,
  over: (db: Of) => Opened['database'],
  make: Make = sourceOver,
): Opened => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  const file = join(folder, 'library.db')
  const handles: Handle[] = []
  const newDatabase = () => {
    const db = open(file)
    handles.push(db)
    // The suite deletes records one by one, each in a transaction of its own.
    db.exec('pragma synchronous = off')
    return { db, database: over(db) }
  }
  const { db, database } = newDatabase()
  for (const statement of createSqlite) db.exec(statement)
  return {
    database,
    execute: (handle, statement) => (handle as Handle).exec(statement),
    useHandle: (handle) => (handle as Handle).exec('select 1'),
    spoil: { statement: 'update books set pages = 9007199254740993', field: 'pages' },
    // Columns of SQLite hold any number of digits.
    unenforced: ['value'],
    reopen: () => {
      db.close()
      return make(newDatabase().database)
    },
    kill: () => db.close(),
    close: () => {
      for (const handle of handles) {
        try {
          handle.close()
        } catch {
          // It is closed already.
        }
      }
      rmSync(folder, { recursive: true })
    },
  }
}

/** A library in PostgreSQL. */
export const openedPg = async (make: Make = sourceOver): Promise<Opened> => {
  const { url, drop } = await createDatabase('library')
  const newPool = () => new pg.Pool({ connectionString: url, max: 4 })
  let pool = newPool()
  for (const statement of createPg) await pool.query(statement)
  const end = async () => {
    if (!pool.ended) await pool.end()
  }
  return {
    ...{ database: overPg(pool), server: 'pg', kill: end },
    execute: (db, statement) => (db as pg.Pool).query(statement),
    useHandle: (db) => (db as pg.Pool).query('select 1'),
    spoil: { statement: `update books set sold_at = 'infinity'`, field: 'soldAt' },
    reopen: async () => {
      await end()
      pool = newPool()
      return make(overPg(pool))
    },
    close: async () => {
      await end()
      await drop()
    },
  }
}

/** What a `timestamp` of MySQL holds. */
export const isHeld = (date: Date): boolean => date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 2038

/** What the source must not depend on. */
const options = {
  ...{ dateStrings: true, decimalNumbers: true, supportBigNumbers: true, bigNumberStrings: true },
  timezone: '+05:30',
}

/** A library in MySQL or MariaDB. */
export const openedMysql = async (kind: MysqlKind): Promise<Opened> => {
  const { url, drop } = await createMysqlDatabase('library', { kind })
  const pool = createPool({ uri: url, connectionLimit: 4, ...(kind === 'mariadb' && options) })
  for (const statement of createMysql) await pool.query(statement)
  return {
    ...{ database: overMysql2(pool), server: kind, kill: () => pool.end() },
    execute: (db, statement) => (db as Pool).query(statement),
    useHandle: (db) => (db as Pool).query('select 1'),
    spoil: { statement: `update books set opens_at = '25:00:00'`, field: 'opensAt' },
    holds: (_field, value) => !(value instanceof Date) || isHeld(value),
    close: async () => {
      await pool.end().catch(() => undefined)
      await drop()
    },
  }
}
