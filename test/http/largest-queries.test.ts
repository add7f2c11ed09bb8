import { int, mysqlTable, text as mysqlText, customType as mysqlType } from 'drizzle-orm/mysql-core'
import { customType, integer as pgInteger, pgTable, text as pgText } from 'drizzle-orm/pg-core'
import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineSettings } from '../../src/index.ts'
import { onPostgres } from '../servers/test-database.ts'
import { type MysqlKind, nameOf, onEachMysql } from '../servers/test-mysql.ts'
import { type App, onFetch } from '../stage/apps.ts'
import { openSqlite, type TestDatabase } from '../stage/databases.ts'
import { openMysql } from '../stage/mysql.ts'
import { openPostgres } from '../stage/postgres.ts'

const create = (
  bytes: string,
): string => `create table things (id integer primary key, name text not null, note text, data ${bytes});
  insert into things values (1, 'a', 'x', null), (2, 'b', null, ''), (3, 'A', 'y', null)`

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

const sqlite = async (): Promise<TestDatabase> => {
  const things = sqliteTable('things', {
    id: integer().primaryKey(),
    name: text().notNull(),
    note: text(),
    data: blob({ mode: 'buffer' }),
  })
  return openSqlite({ things }, create('blob').replace(`''`, `x''`))
}

const postgres = async (): Promise<TestDatabase> => {
  const things = pgTable('things', {
    id: pgInteger().primaryKey(),
    name: pgText().notNull(),
    note: pgText(),
    data: bytea(),
  })
  return openPostgres({ things }, create('bytea'))
}

const longblob = mysqlType<{ data: Uint8Array }>({ dataType: () => 'longblob' })

const mysqlOf = (kind: MysqlKind) => async (): Promise<TestDatabase> => {
  const things = mysqlTable('things', {
    id: int().primaryKey(),
    name: mysqlText().notNull(),
    note: mysqlText(),
    data: longblob(),
  })
  return openMysql(kind, { things }, create('longblob'))
}

/** Every limit at the most that a setting may say. */
const settings = defineSettings({
  QUERY_MAX_BYTES: 32_000,
  QUERY_MAX_CONDITIONS: 500,
  QUERY_MAX_CONTAINS: 1000,
  QUERY_MAX_SORTS: 100,
  QUERY_MAX_DEPTH: 30,
})
const BYTES = 32_000

const times = (count: number, part: (place: number) => string, join: string): string =>
  Array.from({ length: count }, (_, place) => part(place)).join(join)
const filled = (start: string, part: string): string =>
  start + part.repeat(Math.floor((BYTES - start.length) / part.length))
/** Alternatives and negations in turn, all the way down. */
const deep = (depth: number): string => (depth === 1 ? '(id=9|id=2)' : `(id=9|!${deep(depth - 1)})`)

const answersTheLargest = (database: string, open: () => Promise<TestDatabase>): void => {
  describe(`the largest queries that settings allow, on ${database}`, () => {
    let stage: TestDatabase
    let app: App
    beforeAll(async () => {
      stage = await open()
      app = await onFetch({ models: stage.models, settings }, { base: '' })
    })
    afterAll(() => stage.close())

    it.each<[string, string, readonly number[]]>([
      ['any of texts', filled('name==b', ',a'), [1, 2]],
      ['none of texts', filled('name!=b', ',a'), [3]],
      ['any of numbers', filled('id==1', ',3'), [1, 3]],
      ['any of bytes', filled('data==', ','), [2]],
      ['conditions, all', times(500, (place) => `id!=${place + 3}`, '&'), [1, 2]],
      ['conditions, any', `(${times(500, (place) => `id=${place + 2}`, '|')})`, [2, 3]],
      [
        'texts, any',
        `(${times(500, (place) => `name=a${place}`, '|')}|name==b)`.replace('|name=a499', ''),
        [2],
      ],
      ['groups in groups', deep(30), [1, 3]],
      [
        'conditions in groups in groups',
        deep(30).replace(
          'id=9',
          times(400, (place) => `id=${place + 9}`, '|'),
        ),
        [1, 3],
      ],
      ['a long text', filled('name=', 'a'), []],
      ['a long text of sigmas', filled('name=', '%CF%83'), []],
      ['a long search', filled('search=', '%25'), []],
    ])('%s', async (_what, query, ids) => {
      expect(query.length).toBeLessThanOrEqual(BYTES)
      const reply = await app.ask(`/things?${query}`)
      const body: { items: readonly { id: number }[]; detail?: string } = JSON.parse(await reply.text())
      expect(reply.status, body.detail).toBe(200)
      expect(body.items.map(({ id }) => id)).toEqual(ids)
    })
  })
}

answersTheLargest('SQLite', sqlite)
onPostgres('the largest queries', () => answersTheLargest('PostgreSQL', postgres))
onEachMysql('the largest queries', (kind) => answersTheLargest(nameOf(kind), mysqlOf(kind)))
