import { Buffer } from 'node:buffer'
import type { Hooks } from '../../../src/controller/controller.ts'
import { controllerFor, type FileStorage, type ModelRestOptions } from '../../../src/index.ts'
import { onFastify } from '../../stage/apps.ts'
import { counted, maybe, text } from '../../stage/columns.ts'
import { openSqlite, type Row, type TestDatabase } from '../../stage/databases.ts'
import { declare } from '../../stage/declared.ts'
import { type CountingStorage, countingStorage } from '../../upload/counting-storage.ts'
import { contentType, encode, type Sent } from '../../upload/encode.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'
import { samples } from '../../upload/samples.ts'

/** A database with a table of documents. */
export interface World {
  readonly models: TestDatabase['models']
  /** Takes all documents away, and begins their ids again. */
  empty(): Promise<unknown>
  /** Adds a document as another program does. */
  insert(...values: Inserted): Promise<unknown>
  rows(): Promise<readonly Row[]>
  close(): Promise<unknown>
}

type Inserted = readonly [title: string, pages?: number, content?: string]

const insertion = ([title, pages = 1, content = 'other/a.pdf']: Inserted): string =>
  `insert into documents (title, pages, content) values ('${title}', ${pages}, '${content}')`

const worldOf = ({ models, execute, rows, close }: TestDatabase, emptying: string): World => ({
  models,
  empty: () => execute(emptying),
  insert: (...values) => execute(insertion(values)),
  rows: () => rows('select id, title, pages, meta, cover, content from documents order by id'),
  close,
})

const { tables, ddl } = declare({
  documents: {
    ...{ id: counted, title: text(20, { unique: true }), pages: maybe('int', { check: 'pages < 1000' }) },
    ...{ meta: maybe('json'), cover: maybe('image'), content: { type: 'file' } },
  },
}).sqlite

export const sqliteWorld = async (): Promise<World> =>
  worldOf(openSqlite(tables, ddl), 'delete from documents; delete from sqlite_sequence')

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

export const startFastify: Start = async (world, { hooks, storage: replace, ...options } = {}) => {
  await world.empty()
  const own = memoryStorage()
  const storage = countingStorage({ ...own, ...replace?.(own) })
  const controllers = hooks === undefined ? [] : [controllerFor('Document', hooks as never)]
  const app = await onFastify({ models: world.models, storage, controllers, ...options }, { listening: true })
  return {
    storage,
    port: app.port,
    send: async (method, path, { headers, body } = {}) => {
      const init = {
        method,
        ...(headers && { headers }),
        ...(body !== undefined && { body }),
        ...(body instanceof ReadableStream && { duplex: 'half' as const }),
      }
      const response = await app.ask(`/api${path}`, init as RequestInit)
      const text = await response.text()
      return { status: response.status, json: text === '' ? {} : JSON.parse(text) }
    },
    rows: world.rows,
    keys: async () => {
      // What goes on behind replies is over when the service is closed.
      await app.rest.close()
      const keys: string[] = []
      for await (const { key } of own.list(new Date(Date.now() + 60_000))) keys.push(key)
      return keys.toSorted()
    },
    stop: app.stop,
  }
}

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
