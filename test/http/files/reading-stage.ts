import type Database from 'better-sqlite3'
import type { FileStorage, ModelRestOptions } from '../../../src/index.ts'
import type { Caller } from '../../../src/operation/call.ts'
import type { Answer, SentRequest } from '../../../src/testing/host/client.ts'
import { send } from '../../../src/testing/host/http-client.ts'
import { storageKey } from '../../../src/upload/keys.ts'
import { type Entry, onFastify } from '../../stage/apps.ts'
import { counted, int, maybe, text } from '../../stage/columns.ts'
import { openSqlite } from '../../stage/databases.ts'
import { declare } from '../../stage/declared.ts'
import { type CountingStorage, countingStorage } from '../../upload/counting-storage.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'

const key = { key: 'given' } as const
const { tables, ddl } = declare({
  documents: {
    ...{ id: counted, title: text(), owner: maybe('text') },
    ...{ content: maybe('file'), cover: maybe('image'), draft: maybe('file') },
  },
  pages: { book: text(undefined, key), number: int(key), scan: maybe('file') },
}).sqlite

/** A file that stands in the storage. */
export interface StoredSample {
  /** The field and media type that its key tells. */
  readonly field: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** A service with documents whose files are put in by hand. */
export interface ReadingStage {
  readonly database: Database.Database
  readonly storage: CountingStorage
  readonly port: number
  /** The errors that it logged. */
  readonly log: readonly Entry[]
  send(method: string, path: string, sent?: SentRequest): Promise<Answer>
  /** Puts a file into the storage, and gives its key. */
  put(sample: StoredSample): Promise<string>
  /** Puts a document with files into the database. */
  insert(document: Readonly<Record<string, string | number>>): void
  stop(): Promise<void>
}

export type ReadingOptions = Partial<Omit<ModelRestOptions, 'models' | 'storage'>> & {
  readonly storage?: FileStorage
}

export type StartReading = (options?: ReadingOptions) => Promise<ReadingStage>

/** Who a request says that it is from, on either host. */
export const callerIn = (request: unknown): Caller | null => {
  const headers = Reflect.get(Object(request), 'headers') as Headers | Record<string, string | undefined>
  const id = headers instanceof Headers ? headers.get('x-user') : headers['x-user']
  return id ? { id, claims: {} } : null
}

export const startReading: StartReading = async (options = {}) => {
  const { client, models, close } = openSqlite(tables, ddl)
  const storage = countingStorage(options.storage ?? memoryStorage())
  const app = await onFastify(
    { controllers: [], ...options, models, storage },
    { listening: true, logger: 'error' },
  )
  const port = app.port as number
  return {
    ...{ database: client, storage, port, log: app.log },
    send: (method, path, sent) => send(port, method, path, sent),
    put: async ({ field, type, bytes }) => {
      const key = storageKey({ model: 'Document', field, type })
      await storage.put(
        key,
        (async function* () {
          yield bytes
        })(),
      )
      return key
    },
    insert: (document) => {
      const names = Object.keys(document)
      const places = names.map((name) => `@${name}`)
      client.prepare(`insert into documents (${names}) values (${places})`).run(document)
    },
    stop: async () => {
      await app.stop()
      await close()
    },
  }
}
