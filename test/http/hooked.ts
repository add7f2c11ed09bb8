import { type SQL, sql } from 'drizzle-orm'
import { pgTable, text as pgText, serial, varchar } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { FastifyRequest } from 'fastify'
import type { Hooks, Permissions } from '../../src/controller/controller.ts'
import { controllerFor } from '../../src/entry/fastify.ts'
import type { ModelRest, ModelRestOptions } from '../../src/index.ts'
import { type Entry, onFastify } from '../stage/apps.ts'
import { openPglite, openSqlite, type TestDatabase } from '../stage/databases.ts'
import { type Answer, type Method, senderTo } from '../stage/requests.ts'
import { executeWithOrm } from './orm-things.ts'

export type ThingHooks = Hooks<string, FastifyRequest> & {
  readonly permissions?: Permissions<string, FastifyRequest>
}

/** A running service with one model, `Thing`, and its hooks. */
export interface Hooked {
  send(
    method: Method,
    path: string,
    body?: object,
    user?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  /** Runs a statement on the database itself, as the host's own code does. */
  execute(statement: string): Promise<unknown>
  names(): Promise<readonly string[]>
  /** What the log has of errors: messages, and those of the errors that they carry. */
  readonly log: readonly string[]
  /** The errors of the log, with all that they carry. */
  readonly lines: readonly string[]
  /** The warnings of the log since the service started. */
  readonly warnings: readonly string[]
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

const onSqlite = async (): Promise<TestDatabase> =>
  openSqlite(
    { things: things.sqlite },
    `create table things (id integer primary key autoincrement, ${columns})`,
  )

const onPglite = (): Promise<TestDatabase> =>
  openPglite({ things: things.pg }, `create table things (id serial primary key, ${columns})`)

const starting =
  (open: () => Promise<TestDatabase>): Start =>
  async (hooks, options = {}) => {
    const { models, execute, rows, close } = await open()
    const log: string[] = []
    const lines: string[] = []
    const warnings: string[] = []
    const onEntry = (entry: Entry): void => {
      if (entry.level === 'warn') warnings.push(entry.line)
      if (entry.level !== 'error') return
      lines.push(JSON.stringify(entry))
      log.push(...messagesIn(entry))
    }
    const app = await onFastify(
      {
        ...{ models, controllers: [controllerFor('Thing', hooks as never)] },
        modelConfig: { Thing: { readOnly: ['slug'] } },
        ...options,
      },
      { base: '', onEntry },
    )
    const send = senderTo(app)
    warnings.length = 0
    return {
      ...{ execute, log, lines, warnings, rest: app.rest },
      names: async () =>
        (await rows<{ name: string }>('select name from things order by id')).map(({ name }) => name),
      send: (method, path, body, user, headers) =>
        send(method, path, { body, headers: { ...headers, ...(user !== undefined && { 'x-user': user }) } }),
      stop: async () => {
        await app.stop()
        await close()
      },
    }
  }

const messagesIn = ({ line, details }: Entry): readonly string[] => {
  const { err } = details as { err?: { message: string; stack: string } }
  return [line, ...(err === undefined ? [] : [`${err.message}\n${err.stack}`])]
}

/** Runs a statement by the handle that a hook got. */
export const executeWith = (db: unknown, statement: string): unknown => {
  const handle = db as { run?(statement: SQL): unknown; execute?(statement: SQL): unknown }
  if (handle.run !== undefined) return handle.run(sql.raw(statement))
  return executeWithOrm(db, statement) ?? handle.execute?.(sql.raw(statement))
}

/** Opens a transaction by the handle that a hook got. */
export const transactionWith = (db: unknown, work: (inside: unknown) => unknown): Promise<unknown> =>
  (db as { transaction(work: (inside: unknown) => unknown): Promise<unknown> }).transaction(work)

/** Every kind of driver: one that gives values, and one that gives promises. */
export const databases: readonly [readonly [string, Start], readonly [string, Start]] = [
  ['better-sqlite3', starting(onSqlite)],
  ['PGlite', starting(onPglite)],
]
