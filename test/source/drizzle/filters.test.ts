import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { drizzle as drizzleProxy } from 'drizzle-orm/sqlite-proxy'
import pg from 'pg'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { kinds } from '../../../src/model/kinds.ts'
import * as onPg from '../../contract/filters/pg.ts'
import * as onSqlite from '../../contract/filters/sqlite.ts'
import type { Things } from '../../contract/filters/stage.ts'
import { filterContract } from '../../contract/filters.ts'
import { type Collation, createDatabase, onPostgres } from '../../servers/test-database.ts'

type Texts = Pick<Things, 'fold' | 'collate'>

/** SQLite's columns have no type for the others. */
const sqliteKinds = [
  'text',
  'enum',
  'boolean',
  'integer',
  'bigint',
  'float',
  'decimal',
  'datetime',
  'bytes',
  'json',
  'opaque',
  'file',
  'image',
] as const

const allKinds = Object.keys(kinds) as (keyof typeof kinds)[]

const byBytes = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right))

const ascii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** SQLite's columns compare bytes (BINARY), but `nick`, which has NOCASE: ASCII letters in lower case, then bytes. */
const sqliteTexts: Texts = {
  fold: ascii,
  collate: (field, left, right) =>
    field === 'nick' ? byBytes(ascii(left), ascii(right)) : byBytes(left, right),
}

const sigma = (text: string): string => text.replaceAll('ς', 'σ')

/** `C.UTF-8`, and PGlite's `C`: by code point, which is by byte in UTF-8. Each character folds by itself. */
const libcTexts: Texts = {
  fold: (text) => sigma([...text].map((letter) => (letter === 'İ' ? 'i' : letter.toLowerCase())).join('')),
  collate: (_field, left, right) => byBytes(left, right),
}

const english = new Intl.Collator('en')

/** ICU's English: dictionary order, bytes where that sees no difference. All rules of Unicode fold. */
const icuTexts: Texts = {
  fold: (text) => sigma(text.toLowerCase()),
  collate: (_field, left, right) => english.compare(left, right) || byBytes(left, right),
}

const sqlite = (): Database.Database => {
  const database = new Database(':memory:')
  for (const statement of onSqlite.createThings) database.exec(statement)
  return database
}

filterContract('SQLite', async () => {
  const database = sqlite()
  const source = drizzleModels(drizzleSqlite(database), { things: onSqlite.things })
  return { ...sqliteTexts, kinds: sqliteKinds, source, close: () => database.close() }
})

filterContract('an asynchronous SQLite', async () => {
  const database = sqlite()
  const db = drizzleProxy(async (statement, parameters) => ({
    rows: database
      .prepare(statement)
      .raw()
      .all(...parameters),
  }))
  return {
    ...sqliteTexts,
    kinds: sqliteKinds.filter((kind) => kind !== 'file' && kind !== 'image'),
    source: drizzleModels(db, { things: onSqlite.thingsWithoutFiles }),
    close: () => database.close(),
  }
})

filterContract('PGlite', async () => {
  const database = new PGlite()
  for (const statement of onPg.createThings) await database.exec(statement)
  const source = drizzleModels(drizzlePglite(database), { things: onPg.things })
  return { ...libcTexts, kinds: allKinds, source, close: () => database.close() }
})

const postgres = (collation: Collation, texts: Texts) => async (): Promise<Things> => {
  const database = await createDatabase('filters', collation)
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  for (const statement of onPg.createThings) await pool.query(statement)
  const close = async () => {
    await pool.end()
    await database.drop()
  }
  return { ...texts, kinds: allKinds, source: drizzleModels(drizzlePg(pool), { things: onPg.things }), close }
}

onPostgres('filters on PostgreSQL', () => {
  filterContract('PostgreSQL, by code point', postgres('C.UTF-8', libcTexts))
  filterContract('PostgreSQL, in English by ICU', postgres('en', icuTexts))
})
