import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3'
import {
  type AnyMySqlColumn,
  int as mysqlInt,
  mysqlTable,
  unique as mysqlUnique,
  mysqlView,
} from 'drizzle-orm/mysql-core'
import { drizzle as overMysql } from 'drizzle-orm/mysql2'
import { drizzle as overPg } from 'drizzle-orm/node-postgres'
import {
  type AnyPgColumn,
  integer as pgInteger,
  pgSchema,
  unique as pgUnique,
  pgView,
} from 'drizzle-orm/pg-core'
import {
  type AnySQLiteColumn,
  integer,
  sqliteTable,
  sqliteView,
  unique,
  withReplicas,
} from 'drizzle-orm/sqlite-core'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import {
  chosenSession,
  type DrizzleHandle,
  decoderOf,
  entityNames,
  fullSchemaOf,
  partOf,
  prepareIn,
  type Replicated,
  sessionOver,
} from '../../../src/source/drizzle/internals.ts'
import type { RawRow } from '../../../src/source/sql/database.ts'

const INTERNALS = 'src/source/drizzle/internals.ts'

const installed = (name: string): string =>
  JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version

/** What is said where drizzle is not as it was. */
const changed = (part: string): string =>
  `drizzle-orm ${installed('drizzle-orm')} has changed ${part}. Read what it does now, and follow it in ${INTERNALS}.`

const handleOf = (db: object): DrizzleHandle => db as DrizzleHandle

const opened = {
  sqlite: handleOf(overSqlite({ client: new Database(':memory:'), casing: 'snake_case' })),
  pg: handleOf(overPg(new pg.Pool(), { casing: 'snake_case' })),
  mysql: handleOf(overMysql(mysql.createPool({}), { casing: 'snake_case', mode: 'default' })),
}

const tables = {
  sqlite: sqliteTable(
    'things',
    { madeAt: integer().references((): AnySQLiteColumn => tables.sqlite.madeAt) },
    (own) => [unique().on(own.madeAt)],
  ),
  pg: pgSchema('shop').table(
    'things',
    { madeAt: pgInteger().references((): AnyPgColumn => tables.pg.madeAt) },
    (own) => [pgUnique().on(own.madeAt)],
  ),
  mysql: mysqlTable(
    'things',
    { madeAt: mysqlInt().references((): AnyMySqlColumn => tables.mysql.madeAt) },
    (own) => [mysqlUnique().on(own.madeAt)],
  ),
}

const views = {
  sqlite: sqliteView('few').as((query) => query.select().from(tables.sqlite)),
  pg: pgView('few').as((query) => query.select().from(tables.pg)),
  mysql: mysqlView('few').as((query) => query.select().from(tables.mysql)),
}

const foreignKeys = {
  sqlite: 'SQLiteInlineForeignKeys',
  pg: 'PgInlineForeignKeys',
  mysql: 'MySqlInlineForeignKeys',
} as const

const classes = {
  sqlite: ['BaseSQLiteDatabase', 'BetterSQLiteSession'],
  pg: ['PgDatabase', 'NodePgSession'],
  mysql: ['MySqlDatabase', 'MySql2Session'],
} as const

const read = (rows: readonly RawRow[]): unknown => rows.map((row) => Array.from(row))

it.each(['drizzle-orm', 'better-sqlite3', 'pg', 'mysql2'])(
  '%s is checked in the version that is installed',
  (name) => {
    const version = installed(name).split('.').slice(0, 2).join('.')
    const [note = ''] = readFileSync(INTERNALS, 'utf8').split('*/')
    expect(
      note.replaceAll(/\s+\*?\s*/g, ' '),
      `${name} ${version} is installed. Run the tests of test/source, test/http and test/faults with it, and name it in the first comment of ${INTERNALS}.`,
    ).toMatch(new RegExp(`${name} ${version.replace('.', '\\.')}\\b`))
  },
)

const query = ({ dialect }: DrizzleHandle, statement: SQL, before = 0) => {
  const { casing, escapeName, escapeParam, escapeString } = dialect
  const paramStartIndex = { value: before }
  return statement.toQuery({ casing, escapeName, escapeParam, escapeString, paramStartIndex })
}

describe.each(['sqlite', 'pg', 'mysql'] as const)('drizzle for %s', (dialect) => {
  const db = opened[dialect]

  it('names its classes', () => {
    const [ofDatabase, ofSession] = classes[dialect]
    expect(entityNames(db), changed('the names of databases')).toContain(ofDatabase)
    expect(entityNames(db.session), changed('the names of sessions')).toContain(ofSession)
  })

  it('writes statements, and columns by their casing', () => {
    const { dialect: inner } = db
    const later = query(db, sql`select ${1}`, 1)
    expect(later, changed('SQL.toQuery')).toMatchObject({
      ...{ sql: dialect === 'pg' ? 'select $2' : 'select ?', params: [1] },
    })
    const name = inner.casing?.getColumnCasing?.(tables[dialect].madeAt)
    expect(name, changed('dialect.casing')).toBe('made_at')
  })

  it('keeps the parts of tables and views', () => {
    const table = tables[dialect]
    const said = (part: Parameters<typeof partOf>[1]): string => changed(`the part ${part} of tables`)
    for (const part of ['Name', 'BaseName'] as const) expect(partOf(table, part), said(part)).toBe('things')
    expect(partOf(table, 'Schema'), said('Schema')).toBe(dialect === 'pg' ? 'shop' : undefined)
    expect(partOf(table, 'IsAlias'), said('IsAlias')).toBe(false)
    expect(partOf(table, 'Columns'), said('Columns')).toHaveProperty('madeAt', table.madeAt)
    const [inline] = partOf(table, foreignKeys[dialect]) as { reference(): object }[]
    expect(inline?.reference(), said(foreignKeys[dialect])).toMatchObject({
      columns: [{}],
      foreignColumns: [{}],
    })
    const build = partOf(table, 'ExtraConfigBuilder') as (columns: unknown) => readonly object[]
    const [extra] = build(partOf(table, 'ExtraConfigColumns') ?? table)
    expect(entityNames(extra ?? {}).join(), said('ExtraConfigBuilder')).toContain('UniqueConstraintBuilder')
    const view = partOf(views[dialect], 'ViewBaseConfig')
    expect(view, said('ViewBaseConfig')).toMatchObject({ name: 'few', selectedFields: { madeAt: {} } })
    const mapped = sql`1`.mapWith(table.madeAt)
    expect(decoderOf(mapped), changed('the decoder of expressions')).toBe(table.madeAt)
  })

  it('keeps the client of its driver', () => {
    expect(db.session.client, changed('session.client')).toBe(Reflect.get(db, '$client'))
  })
})

/** A connection that answers each statement with one row, or with what a write says. */
const connection = (answer: (asked: object) => unknown) => {
  const asked: unknown[] = []
  return {
    asked,
    query: async (question: { readonly text?: string; readonly sql?: string }): Promise<unknown> => {
      asked.push(question.text ?? question.sql)
      return answer(question)
    },
  }
}

describe('a session over another connection', () => {
  it('of better-sqlite3 gives rows as lists, at once', () => {
    const { session } = opened.sqlite
    for (const fetch of ['one', 'all'] as const) {
      const run = prepareIn.sqlite(session, query(opened.sqlite, sql`select 1, 2`), { fetch }, read)
      expect(run([]), changed('session.prepareQuery of better-sqlite3')).toEqual([[1, 2]])
    }
  })

  it('of node-postgres asks that connection, for rows as lists', async () => {
    const way = connection((asked) => ({
      rows: Reflect.get(asked, 'rowMode') === 'array' ? [[1]] : [{ a: 1 }],
    }))
    const session = sessionOver(opened.pg.session, way)
    const run = prepareIn.pg(
      session,
      query(opened.pg, sql`select 1`),
      { fetch: 'all', changes: tables.pg },
      read,
    )
    expect(await run([]), changed('session.prepareQuery of node-postgres')).toEqual([[1]])
  })

  describe('of node-postgres', () => {
    const rows = { rows: [[1]] }
    const prepared = (db: object, way: object, statement = sql`select ${sql.placeholder('0')}`) => {
      const { session } = db as DrizzleHandle
      return prepareIn.pg(sessionOver(session, way), query(opened.pg, statement), { fetch: 'all' }, read)
    }

    it('fills the placeholders, and wraps an error as drizzle does', async () => {
      const asked: unknown[] = []
      const run = prepared(opened.pg, {
        query: async (...question: readonly unknown[]) => {
          asked.push(question[1])
          if (asked.length === 1) return rows
          throw new Error('gone')
        },
      })
      expect(await run([7])).toEqual([[1]])
      await expect(run([8])).rejects.toMatchObject({
        query: 'select $1',
        params: [8],
        cause: { message: 'gone' },
      })
      expect(asked).toEqual([[7], [8]])
    })

    it('logs to the logger of drizzle', async () => {
      const logged: unknown[] = []
      const logger = { logQuery: (...line: readonly unknown[]) => void logged.push(line) }
      const run = prepared(overPg(new pg.Pool(), { logger }), { query: async () => rows })
      expect(await run([7])).toEqual([[1]])
      expect(logged).toEqual([['select $1', [7]]])
    })

    it('runs what has replaced the method of a statement', async () => {
      const { session } = opened.pg
      const prepareQuery: typeof session.prepareQuery = (...about) =>
        Object.assign(session.prepareQuery(...about), { execute: async () => 'replaced' })
      const replaced = Object.create(session, { prepareQuery: { value: prepareQuery } })
      const run = prepared({ session: replaced }, { query: async () => rows })
      expect(await run([7])).toBe('replaced')
    })
  })

  it('of mysql2 asks that connection, for rows as lists and for what a write says', async () => {
    const way = connection((asked) =>
      Reflect.get(asked, 'rowsAsArray') === true
        ? [[[1]], []]
        : [{ affectedRows: 3, insertId: 7 }, undefined],
    )
    const session = sessionOver(opened.mysql.session, way)
    const about = { changes: tables.mysql }
    const rows = prepareIn.mysql(
      session,
      query(opened.mysql, sql`select 1`),
      { fetch: 'all', ...about },
      read,
    )
    expect(await rows([]), changed('session.prepareQuery of mysql2')).toEqual([[1]])
    const write = prepareIn.mysql(
      session,
      query(opened.mysql, sql`delete`),
      { fetch: 'outcome', ...about },
      read,
    )
    expect(await write([]), changed('session.prepareQuery of mysql2')).toEqual([[3, 7]])
  })

  it.each(['pg', 'mysql'] as const)(
    'runs a transaction of %s in that connection, and ends it by these words',
    async (dialect) => {
      const way = connection(() => (dialect === 'pg' ? { rows: [] } : [[], []]))
      const session = sessionOver(opened[dialect].session, way)
      const statements = async (work: () => Promise<unknown>) => {
        await Promise.resolve(session.transaction(work)).catch(() => undefined)
        return way.asked.splice(0)
      }
      expect(await statements(async () => 1), changed('the end of transactions')).toEqual(['begin', 'commit'])
      const failed = await statements(() => Promise.reject(new Error('no')))
      expect(failed, changed('the end of transactions')).toEqual(['begin', 'rollback'])
    },
  )
})

it('withReplicas() gives queries that know the session of the chosen database', () => {
  const open = () => overSqlite(new Database(':memory:'))
  const [primary, one, two] = [open(), open(), open()]
  let chosen = one
  const given = withReplicas(primary, [one, two], () => chosen) as unknown as Replicated
  expect(given.$primary, changed('withReplicas()')).toBe(primary)
  expect(given.$replicas[1], changed('withReplicas()')).toBe(two)
  for (const database of [one, two, primary]) {
    chosen = database
    expect(chosenSession(given), changed('the session of a select')).toBe(Reflect.get(database, 'session'))
  }
})

it('a database knows the schema that it was opened with, also with replicas', () => {
  const users = sqliteTable('users', { id: integer().primaryKey() })
  const schema = { users }
  const open = () => overSqlite(new Database(':memory:'), { schema })
  expect(fullSchemaOf(open()), changed('the schema of a database')).toEqual(schema)
  expect(fullSchemaOf(withReplicas(open(), [open()])), changed('the schema of a database')).toEqual(schema)
  expect(fullSchemaOf(overPg(new pg.Pool(), { schema })), changed('the schema of a database')).toEqual(schema)
  expect(
    fullSchemaOf(overMysql(mysql.createPool({}), { schema, mode: 'default' })),
    changed('the schema of a database'),
  ).toEqual(schema)
  expect(fullSchemaOf(overSqlite(new Database(':memory:')))).toEqual({})
})
