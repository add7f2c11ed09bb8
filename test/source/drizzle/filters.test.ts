import Database from 'better-sqlite3'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { kinds } from '../../../src/model/kinds/index.ts'
import * as onMysql from '../../contract/filters/mysql.ts'
import * as onPg from '../../contract/filters/pg.ts'
import { samples } from '../../contract/filters/samples.ts'
import * as onSqlite from '../../contract/filters/sqlite.ts'
import type { Things } from '../../contract/filters/stage.ts'
import { filterContract } from '../../contract/filters.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import {
  collationOf,
  createMysqlDatabase,
  type MysqlCollation,
  type MysqlKind,
  nameOf,
  onEachMysql,
} from '../../servers/test-mysql.ts'
import { startPglite } from '../../stage/pglite.ts'

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

const dictionary = new Intl.Collator('en')

/** ICU's English: dictionary order, bytes where that sees no difference. All rules of Unicode fold. */
const icuTexts: Texts = {
  fold: (text) => sigma(text.toLowerCase()),
  collate: (_field, left, right) => dictionary.compare(left, right) || byBytes(left, right),
}

filterContract('SQLite', async () => {
  const database = new Database(':memory:')
  for (const statement of onSqlite.createThings) database.exec(statement)
  const source = drizzleModels(drizzleSqlite(database), { things: onSqlite.things })
  return { ...sqliteTexts, kinds: sqliteKinds, source, close: () => database.close() }
})

filterContract('PGlite', async () => {
  const database = await startPglite()
  for (const statement of onPg.createThings) await database.exec(statement)
  const source = drizzleModels(drizzlePglite(database), { things: onPg.things })
  return { ...libcTexts, kinds: allKinds, source, close: () => database.close() }
})

const english = async (): Promise<Things> => {
  const database = await createDatabase('filters', 'en')
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  for (const statement of onPg.createThings) await pool.query(statement)
  const close = async () => {
    await pool.end()
    await database.drop()
  }
  return {
    ...icuTexts,
    kinds: allKinds,
    source: drizzleModels(drizzlePg(pool), { things: onPg.things }),
    close,
  }
}

// By code point, PGlite does.
onPostgres('filters on PostgreSQL', () => filterContract('PostgreSQL, in English by ICU', english))

/** How the database itself orders the texts of the samples by a collation: the place of each, the same for those that it takes as equal. */
const placesIn = async (pool: mysql.Pool): Promise<ReadonlyMap<string, number>> => {
  const { stored = [], asked = [] } = samples['title'] ?? {}
  const texts = [...new Set([...stored, ...asked].map(String))]
  await pool.query('create table texts (text text not null)')
  await pool.query('insert into texts values ?', [texts.map((text) => [text])])
  const [rows] = await pool.query<mysql.RowDataPacket[]>(
    'select text, dense_rank() over (order by text) as place from texts',
  )
  return new Map(rows.map((row) => [String(row['text']), Number(row['place'])]))
}

const ofMysql = (kind: MysqlKind, collation: MysqlCollation, zone: string) => async (): Promise<Things> => {
  const database = await createMysqlDatabase('filters', { kind, collation })
  const pool = mysql.createPool({ uri: database.url, connectionLimit: 2 })
  pool.on('connection', (connection) => connection.query(`set time_zone = '${zone}'`))
  for (const statement of onMysql.createThings(collationOf(kind, 'by code point')))
    await pool.query(statement)
  const places = await placesIn(pool)
  const isText = (field: string) => field === 'title' || field === 'note'
  const byPlace = (left: string, right: string) => (places.get(left) ?? 0) - (places.get(right) ?? 0)
  return {
    fold: libcTexts.fold,
    collate: (field, left, right) => (isText(field) ? byPlace : byBytes)(left, right),
    kinds: allKinds.filter((kind) => kind !== 'uuid' && kind !== 'array'),
    source: drizzleModels(drizzleMysql(pool), { things: onMysql.things }),
    close: async () => {
      await pool.end()
      await database.drop()
    },
  }
}

onEachMysql('filters', (kind) => {
  filterContract(`${nameOf(kind)}, by code point`, ofMysql(kind, 'by code point', '+00:00'))
  filterContract(`${nameOf(kind)}, as its server orders`, ofMysql(kind, 'as the server does', '-05:00'))
})
