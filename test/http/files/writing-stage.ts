import { Buffer } from 'node:buffer'
import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3'
import { integer as pgInteger, json as pgJson, pgTable, serial, varchar } from 'drizzle-orm/pg-core'
import { drizzle as overPglite } from 'drizzle-orm/pglite'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import type { Hooks } from '../../../src/controller/hooks.ts'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { file as pgFile, image as pgImage } from '../../../src/entry/drizzle-pg.ts'
import { file, image } from '../../../src/entry/drizzle-sqlite.ts'
import { type FastifyApp, ModelRest as FastifyModelRest } from '../../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../../src/entry/fetch.ts'
import { controllerFor, type FileStorage, type ModelRestOptions } from '../../../src/index.ts'
import { listen } from '../../host/listen.ts'
import { type CountingStorage, countingStorage } from '../../upload/counting-storage.ts'
import { contentType, encode, type Sent } from '../../upload/encode.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'
import { samples } from '../../upload/samples.ts'

type Row = Readonly<Record<string, unknown>>

/** A database with a table of documents. */
export interface World {
  readonly models: ModelRestOptions['models']
  /** Takes all documents away, and begins their ids again. */
  empty(): Promise<unknown>
  /** Adds a document as another program does. */
  insert(...values: Inserted): Promise<unknown>
  rows(): Promise<readonly Row[]>
  close(): Promise<unknown>
}

const everyDocument = 'select id, title, pages, meta, cover, content from documents order by id'

type Inserted = readonly [title: string, pages?: number, content?: string]

const insertion = ([title, pages = 1, content = 'other/a.pdf']: Inserted): string =>
  `insert into documents (title, pages, content) values ('${title}', ${pages}, '${content}')`

export const sqliteWorld = async (): Promise<World> => {
  const documents = sqliteTable('documents', {
    id: integer().primaryKey({ autoIncrement: true }),
    title: text({ length: 20 }).notNull().unique(),
    pages: integer(),
    meta: text({ mode: 'json' }),
    cover: image(),
    content: file().notNull(),
  })
  const client = new Database(':memory:')
  client.exec(
    'create table documents (id integer primary key autoincrement, title text not null unique, pages integer check (pages < 1000), meta text, cover text, content text not null)',
  )
  return {
    models: drizzleModels(overSqlite({ client }), { documents }) as ModelRestOptions['models'],
    empty: async () => client.exec('delete from documents; delete from sqlite_sequence'),
    insert: async (...values) => client.prepare(insertion(values)).run(),
    rows: async () => client.prepare<[], Row>(everyDocument).all(),
    close: async () => client.close(),
  }
}

const pgWorld = async (): Promise<World> => {
  const documents = pgTable('documents', {
    id: serial().primaryKey(),
    title: varchar({ length: 20 }).notNull().unique(),
    pages: pgInteger(),
    meta: pgJson(),
    cover: pgImage(),
    content: pgFile().notNull(),
  })
  const client = new PGlite()
  await client.exec(
    'create table documents (id serial primary key, title varchar(20) not null unique, pages integer check (pages < 1000), meta json, cover text, content text not null)',
  )
  return {
    models: drizzleModels(overPglite({ client }), { documents }) as ModelRestOptions['models'],
    empty: () => client.exec('truncate documents restart identity'),
    insert: (...values) => client.exec(insertion(values)),
    rows: async () => (await client.query<Row>(everyDocument)).rows,
    close: () => client.close(),
  }
}

export interface Told {
  readonly status: number
  readonly json: Row
}

/** A body of any kind: bytes, or a stream of them. */
export interface Asked {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | ReadableStream<Uint8Array> | string
}

/** A service with documents, and a storage that writes down what it is asked for. */
export interface Stage {
  readonly storage: CountingStorage
  /** Where it listens. `undefined`: it is asked without a network. */
  readonly port: number | undefined
  send(method: string, path: string, asked?: Asked): Promise<Told>
  rows(): Promise<readonly Row[]>
  /** The keys of all files, once nothing is under way behind a reply. */
  keys(): Promise<readonly string[]>
  stop(): Promise<void>
}

export type Options = Omit<Partial<ModelRestOptions>, 'models' | 'controllers' | 'storage'> & {
  readonly hooks?: Hooks<string, unknown>
  /** Put in the place of the storage's own. */
  readonly storage?: (own: FileStorage) => Partial<FileStorage>
}

export type Start = (world: World, options?: Options) => Promise<Stage>

const starting =
  (serve: (options: ModelRestOptions) => Promise<Serving>): Start =>
  async (world, { hooks, storage: replace, ...options } = {}) => {
    await world.empty()
    const own = memoryStorage()
    const storage = countingStorage({ ...own, ...replace?.(own) })
    const { ask, close, settled, port } = await serve({
      models: world.models,
      storage,
      controllers: hooks === undefined ? [] : [controllerFor('Document', hooks as never)],
      ...options,
    })
    return {
      storage,
      port,
      send: async (method, path, { headers, body } = {}) => {
        const init = {
          method,
          ...(headers && { headers }),
          ...(body !== undefined && { body }),
          ...(body instanceof ReadableStream && { duplex: 'half' as const }),
        }
        const response = await ask(`/api${path}`, init as RequestInit)
        const text = await response.text()
        return { status: response.status, json: text === '' ? {} : JSON.parse(text) }
      },
      rows: world.rows,
      keys: async () => {
        await settled()
        const keys: string[] = []
        for await (const { key } of own.list(new Date(Date.now() + 60_000))) keys.push(key)
        return keys.toSorted()
      },
      stop: close,
    }
  }

interface Serving {
  ask(path: string, init: RequestInit): Promise<Response>
  /** Waits for what goes on behind replies. */
  settled(): Promise<void>
  close(): Promise<void>
  readonly port: number | undefined
}

const onFastify = async (options: ModelRestOptions): Promise<Serving> => {
  const app = Fastify()
  const mounted: FastifyModelRest<unknown>[] = []
  await app.register(
    async (api) => {
      const rest = new FastifyModelRest(api as unknown as FastifyApp, options)
      await rest.registerAllModels()
      mounted.push(rest)
    },
    { prefix: '/api' },
  )
  const { port, stop } = await listen(app)
  return {
    port,
    ask: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
    settled: async () => {
      for (const rest of mounted) await rest.close()
    },
    close: stop,
  }
}

const onFetch = async (options: ModelRestOptions): Promise<Serving> => {
  const app = fetchApp({ base: '/api' })
  const rest = new FetchModelRest(app, options)
  await rest.registerAllModels()
  return {
    port: undefined,
    ask: async (path, init) => app.fetch(new Request(`http://localhost${path}`, init)),
    settled: () => rest.close(),
    close: () => rest.close(),
  }
}

export const startFastify: Start = starting(onFastify)

export const stages: readonly (readonly [string, () => Promise<World>, Start])[] = [
  ['better-sqlite3 and Fastify', sqliteWorld, startFastify],
  ['PGlite and fetch', pgWorld, starting(onFetch)],
]

/** A form with these parts. */
export const form = (parts: readonly Sent[]): Asked => ({
  headers: { 'content-type': contentType },
  body: encode(parts),
})

export const json = (body: unknown): Asked => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const textPart = (name: string, content: string): Sent => ({ name, content: Buffer.from(content) })

export const filePart = (name: string, content: Uint8Array = samples.pdf, fileName = 'a.pdf'): Sent => ({
  name,
  content,
  fileName,
  type: 'application/octet-stream',
})

/** A form that creates a document. */
export const document = (title: string, ...more: readonly Sent[]): Asked =>
  form([textPart('title', title), filePart('content'), ...more])

/** What a refusal says: its status and code, and what of the body is wrong. */
export const refusal = ({ status, json: { code, errors = [] } }: Told) => ({
  status,
  code,
  errors: (errors as readonly Row[]).map((issue) => `${issue['pointer']} ${issue['code']}`),
})
