import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3'
import { pgTable, text as pgText, serial, varchar } from 'drizzle-orm/pg-core'
import { drizzle as overPglite } from 'drizzle-orm/pglite'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify, { type FastifyRequest } from 'fastify'
import type { Hooks, Permissions } from '../../src/controller/hooks.ts'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { controllerFor, type FastifyApp, ModelRest } from '../../src/entry/fastify.ts'
import type { ModelRestOptions } from '../../src/index.ts'

export type ThingHooks = Hooks<string, FastifyRequest> & {
  readonly permissions?: Permissions<string, FastifyRequest>
}

export interface Answer {
  readonly status: number
  readonly json: Record<string, unknown>
  readonly headers: Readonly<Record<string, unknown>>
}

/** A running service with one model, `Thing`, and its hooks. */
export interface Hooked {
  send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    user?: string,
  ): Promise<Answer>
  /** Runs a statement on the database itself, as the host's own code does. */
  execute(statement: string): Promise<unknown>
  names(): Promise<readonly string[]>
  /** What the log has of errors: messages and those of their causes. */
  readonly log: readonly string[]
  /** The lines of the log, with all that they carry. */
  readonly lines: readonly string[]
  readonly rest: ModelRest
  stop(): Promise<void>
}

export type Start = (hooks: ThingHooks, options?: Partial<ModelRestOptions>) => Promise<Hooked>

const things = {
  sqlite: sqliteTable('things', {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text({ length: 20 }).notNull().unique(),
    slug: text({ length: 20 }),
    password: text(),
  }),
  pg: pgTable('things', {
    id: serial().primaryKey(),
    name: varchar({ length: 20 }).notNull().unique(),
    slug: varchar({ length: 20 }),
    password: pgText(),
  }),
}

const columns = 'name varchar(20) not null unique, slug varchar(20), password text'

const openSqlite = async () => {
  const client = new Database(':memory:')
  client.exec(`create table things (id integer primary key autoincrement, ${columns})`)
  return {
    models: drizzleModels(overSqlite({ client }), { things: things.sqlite }),
    execute: async (statement: string) => client.prepare(statement).run(),
    names: async () => client.prepare('select name from things order by id').pluck().all() as string[],
    close: async () => {
      client.close()
    },
  }
}

/** Starting one takes seconds: the services of a test file follow each other on it. */
let pglite: PGlite | undefined

const openPglite = async () => {
  pglite ??= new PGlite()
  const client = pglite
  await client.exec(`drop table if exists things; create table things (id serial primary key, ${columns})`)
  return {
    models: drizzleModels(overPglite({ client }), { things: things.pg }),
    execute: async (statement: string) => client.query(statement),
    names: async () => {
      const { rows } = await client.query<{ name: string }>('select name from things order by id')
      return rows.map(({ name }) => name)
    },
    close: async () => undefined,
  }
}

type Open = () => Promise<
  Pick<Hooked, 'execute' | 'names'> & {
    readonly models: ModelRestOptions['models']
    close(): Promise<void>
  }
>

const starting =
  (open: Open): Start =>
  async (hooks, options = {}) => {
    const { models, execute, names, close } = await open()
    const log: string[] = []
    const lines: string[] = []
    const write = (line: string): void => {
      lines.push(line)
      log.push(...messagesIn(line))
    }
    const app = Fastify({
      logger: { level: 'error', stream: { write } },
    })
    const controllers = [controllerFor('Thing', hooks as never)]
    const rest = new ModelRest(app as unknown as FastifyApp, {
      models,
      controllers,
      modelConfig: { Thing: { readOnly: ['slug'] } },
      ...options,
    })
    await rest.init()
    return {
      ...{ execute, names, log, lines, rest },
      send: async (method, path, body, user) => {
        const headers = user === undefined ? {} : { 'x-user': user }
        const reply = await app.inject({
          ...{ method, url: path, headers },
          ...(body === undefined ? {} : { body }),
        })
        const isJson = String(reply.headers['content-type']).includes('json')
        const json = isJson ? reply.json() : {}
        return { status: reply.statusCode, headers: reply.headers, json }
      },
      stop: async () => {
        await rest.close()
        await app.close()
        await close()
      },
    }
  }

/** Messages of a log line, with those of the errors that it carries. */
const messagesIn = (line: string): readonly string[] => {
  const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string; stack: string } }
  return [msg, ...(err === undefined ? [] : [`${err.message}\n${err.stack}`])]
}

/** Runs a statement by the handle that a hook got. */
export const executeWith = (db: unknown, statement: string): unknown => {
  const handle = db as { run?(statement: SQL): unknown; execute?(statement: SQL): unknown }
  return handle.run === undefined ? handle.execute?.(sql.raw(statement)) : handle.run(sql.raw(statement))
}

/** Opens a transaction by the handle that a hook got. */
export const transactionWith = (db: unknown, work: (inside: unknown) => unknown): Promise<unknown> =>
  (db as { transaction(work: (inside: unknown) => unknown): Promise<unknown> }).transaction(work)

/** Every kind of driver: one that gives values, and one that gives promises. */
export const databases: readonly [readonly [string, Start], readonly [string, Start]] = [
  ['better-sqlite3', starting(openSqlite)],
  ['PGlite', starting(openPglite)],
]
