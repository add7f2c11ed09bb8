import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import mysql from 'mysql2/promise'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { fetchApp, ModelRest } from '../../../src/entry/fetch.ts'
import type { ModelRestOptions } from '../../../src/index.ts'
import { createMysqlDatabase, type MysqlKind } from '../../servers/test-mysql.ts'

export interface Answer {
  readonly status: number
  readonly json: Record<string, unknown>
  readonly location: string
}

/** A service with the tables of a test, on a database of its own. */
export interface Serving {
  send(method: string, path: string, body?: unknown): Promise<Answer>
  /** Statements with their parameters, as drizzle gave them to its driver. */
  readonly statements: { readonly text: string; readonly values: readonly unknown[] }[]
  readonly notes: readonly string[]
  query(statement: string): Promise<readonly Record<string, unknown>[]>
  stop(): Promise<void>
}

export interface Given {
  readonly create: string
  readonly tables: Readonly<Record<string, object>>
  readonly columns?: object
  readonly options?: Partial<ModelRestOptions>
}

type Serve = (given: Given) => Promise<Serving>

const serve = async (
  open: (logger: { logQuery(text: string, values: unknown[]): void }) => object,
  { tables, columns = {}, options }: Given,
  rest: Pick<Serving, 'query' | 'stop'>,
): Promise<Serving> => {
  const statements: Serving['statements'][number][] = []
  const db = open({ logQuery: (text, values) => statements.push({ text, values }) })
  const models = drizzleModels(db as never, tables, { columns } as never)
  const app = fetchApp()
  await new ModelRest(app, { models, ...options }).init()
  return {
    ...rest,
    statements,
    notes: models.notes,
    send: async (method, path, body) => {
      const json =
        body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const reply = await app.fetch(new Request(`http://localhost${path}`, { method, ...json }))
      const text = await reply.text()
      return {
        status: reply.status,
        json: text === '' ? {} : JSON.parse(text),
        location: reply.headers.get('location') ?? '',
      }
    },
  }
}

export const onSqlite: Serve = (given) => {
  const client = new Database(':memory:')
  client.exec(given.create)
  return serve((logger) => drizzleSqlite(client, { logger }), given, {
    query: async (statement) => client.prepare(statement).all() as Record<string, unknown>[],
    stop: async () => void client.close(),
  })
}

export const onPglite: Serve = async (given) => {
  const client = new PGlite()
  await client.exec(given.create)
  return await serve((logger) => drizzlePglite(client, { logger }), given, {
    query: async (statement) => (await client.query<Record<string, unknown>>(statement)).rows,
    stop: () => client.close(),
  })
}

export const onMysqlKind =
  (kind: MysqlKind): Serve =>
  async (given) => {
    const database = await createMysqlDatabase('customs', { kind })
    const pool = mysql.createPool({ uri: database.url, connectionLimit: 2, multipleStatements: true })
    await pool.query(given.create)
    return await serve((logger) => drizzleMysql(pool, { logger }), given, {
      query: async (statement) => (await pool.query(statement))[0] as Record<string, unknown>[],
      stop: async () => {
        await pool.end()
        await database.drop()
      },
    })
  }
