import { int, mysqlTable } from 'drizzle-orm/mysql-core'
import { drizzle as overMysql } from 'drizzle-orm/mysql2'
import { drizzle as overPg } from 'drizzle-orm/node-postgres'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import { drizzle as overPostgresJs } from 'drizzle-orm/postgres-js'
import mysql from 'mysql2/promise'
import pg from 'pg'
import postgres from 'postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { type ModelSource, StartError } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql } from '../servers/test-mysql.ts'

const PASSWORD = 'correct horse battery staple'

/** The message of a start. @param change what is wrong in the URL */
const saidOf = async (models: ModelSource): Promise<string> => {
  const starting = new ModelRest(fetchApp(), { models, controllers: [] }).init()
  const error = await starting.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StartError)
  const { message } = error as StartError
  expect(message).not.toContain(PASSWORD)
  // Neither does the cause, which a server prints below the message.
  expect(String(Object(error).cause?.stack)).not.toContain(PASSWORD)
  return message
}

const wrong = (url: string, change: Partial<URL>): string => Object.assign(new URL(url), change).href

const things = pgTable('things', { id: integer().primaryKey() })

const drivers: readonly (readonly [string, (url: string) => ModelSource])[] = [
  [
    'node-postgres',
    (url) => {
      const pool = new pg.Pool({ connectionString: url })
      onTestFinished(() => pool.end())
      return drizzleModels(overPg(pool), { things })
    },
  ],
  [
    'postgres.js',
    (url) => {
      const client = postgres(url)
      onTestFinished(() => client.end())
      return drizzleModels(overPostgresJs(client), { things })
    },
  ],
]

onPostgres('start says what PostgreSQL says', () => {
  describe.each(drivers)('with %s', (_driver, open) => {
    it('of a database that does not exist', async () => {
      const { url, drop } = await createDatabase('refused')
      onTestFinished(drop)
      const said = await saidOf(open(wrong(url, { pathname: 'nope' })))
      expect(said).toMatch(naming('"nope"', 'database', 'password'))
      expect(said).not.toContain('to_regclass')
    })

    it('of a wrong password', async () => {
      const { url, drop } = await createDatabase('refused')
      onTestFinished(drop)
      const said = await saidOf(open(wrong(url, { password: PASSWORD })))
      expect(said).toMatch(naming('password', '"postgres"'))
      expect(said).not.toContain('to_regclass')
    })
  })
})

onEachMysql('start says what the server says', (kind) => {
  const open = async (change: Partial<URL>): Promise<ModelSource> => {
    const { url, drop } = await createMysqlDatabase('refused', { kind })
    onTestFinished(drop)
    const pool = mysql.createPool(wrong(url, change))
    onTestFinished(() => pool.end())
    const table = mysqlTable('things', { id: int().primaryKey() })
    return drizzleModels(overMysql(pool), { things: table })
  }

  it('of a database that does not exist', async () => {
    expect(await saidOf(await open({ pathname: 'nope' }))).toMatch(naming("'nope'", 'database', 'password'))
  })

  it('of a wrong password', async () => {
    expect(await saidOf(await open({ password: PASSWORD }))).toMatch(naming('password', 'denied'))
  })
})
