import { Buffer } from 'node:buffer'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { file, image } from '../../src/entry/drizzle-sqlite.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import {
  diskStorage,
  type FileStorage,
  type Model,
  type ModelRestOptions,
  StorageError,
} from '../../src/index.ts'
import type { RecordStore } from '../../src/source/source.ts'
import { storageKey } from '../../src/upload/keys.ts'
import { naming } from '../naming.ts'
import { countingStorage } from '../upload/counting-storage.ts'
import { memoryStorage } from '../upload/memory-storage.ts'

const HOUR = 3_600_000

const documents = sqliteTable('documents', {
  id: integer().primaryKey(),
  cover: image(),
  content: file(),
  scan: text(),
})
const pages = sqliteTable(
  'pages',
  { book: text().notNull(), number: integer().notNull(), picture: image() },
  (table) => [primaryKey({ columns: [table.book, table.number] })],
)
const secrets = sqliteTable('secrets', { id: integer().primaryKey(), letter: file() })
const notes = sqliteTable('notes', { id: integer().primaryKey(), text: text() })

let client: Database.Database

beforeEach(() => {
  client = new Database(':memory:')
  client.exec(`
    create table documents (id integer primary key, cover text, content text, scan text);
    create table pages (book text not null, number integer not null, picture text, primary key (book, number));
    create table secrets (id integer primary key, letter text);
    create table notes (id integer primary key, text text);
  `)
  // Two hours later than the files of a test are written, unless it says otherwise.
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(() => {
  vi.useRealTimers()
  client.close()
})

const later = (milliseconds = 2 * HOUR): void => void vi.setSystemTime(Date.now() + milliseconds)

const service = (storage: FileStorage, options: Partial<ModelRestOptions> = {}): ModelRest<unknown> =>
  new ModelRest<unknown>(fetchApp(), {
    models: drizzleModels(drizzle({ client }), { documents, pages, secrets, notes }),
    controllers: [],
    storage,
    ...options,
  } as ModelRestOptions<unknown, Request>)

const bytes = async function* (size = 3): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(size, 'x')
}

const put = async (storage: FileStorage, place: string, size?: number): Promise<string> => {
  const [model = '', field = ''] = place.split('.')
  const key = storageKey({ model, field, type: 'image/png' })
  await storage.put(key, bytes(size))
  return key
}

const insert = (table: string, values: Readonly<Record<string, string | number>>): void => {
  const names = Object.keys(values)
  client
    .prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
    .run(...Object.values(values))
}

const keysOf = async (storage: FileStorage): Promise<readonly string[]> => {
  const keys: string[] = []
  for await (const { key } of storage.list(new Date(8e15))) keys.push(key)
  return keys.toSorted()
}

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelrest-clean-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe.each([
  ['a disk', () => diskStorage({ directory: folder })],
  ['memory', memoryStorage],
])('in %s', (_, open) => {
  test('finds what no record holds, tells its size, and deletes it alone', async () => {
    const storage = open()
    const held = [await put(storage, 'Document.cover'), await put(storage, 'Document.content')]
    insert('documents', { cover: held[0]!, content: held[1]! })
    const picture = await put(storage, 'Page.picture')
    insert('pages', { book: 'a', number: 1, picture })
    const loose = [await put(storage, 'Document.cover', 7), await put(storage, 'Page.picture', 70_000)]
    later()

    const found = await service(storage).cleanFiles()
    expect(found.toSorted((a, b) => (a.size ?? 0) - (b.size ?? 0))).toEqual([
      { key: loose[0], complete: true, size: 7 },
      { key: loose[1], complete: true, size: 70_000 },
    ])
    expect(await keysOf(storage)).toEqual([...held, picture].toSorted())
    expect(await service(storage).cleanFiles()).toEqual([])
  })

  test('only tells, where nothing is to be removed', async () => {
    const storage = open()
    const loose = await put(storage, 'Document.cover')
    later()
    const found = await service(storage).cleanFiles({ remove: false })
    expect(found.map(({ key }) => key)).toEqual([loose])
    expect(await keysOf(storage)).toEqual([loose])
  })

  test('leaves what was written less than an hour ago', async () => {
    const storage = open()
    const loose = await put(storage, 'Document.cover')
    later(HOUR - 60_000)
    expect(await service(storage).cleanFiles()).toEqual([])
    expect(await keysOf(storage)).toEqual([loose])
    later(120_000)
    expect(await service(storage).cleanFiles()).toHaveLength(1)
  })

  test('leaves files of models and fields that it does not know', async () => {
    const storage = open()
    const others = [
      await put(storage, 'Invoice.scan'),
      await put(storage, 'Document.scan'),
      await put(storage, 'Note.text'),
    ]
    later()
    expect(await service(storage).cleanFiles()).toEqual([])
    expect(await keysOf(storage)).toEqual(others.toSorted())
  })

  test('knows the fields that fileFields names', async () => {
    const storage = open()
    const held = await put(storage, 'Document.scan')
    insert('documents', { scan: held })
    const loose = await put(storage, 'Document.scan')
    later()
    const found = await service(storage, { fileFields: { Document: ['scan'] } } as object).cleanFiles()
    expect(found.map(({ key }) => key)).toEqual([loose])
    expect(await keysOf(storage)).toEqual([held])
  })

  test('reads the records of models that are not served', async () => {
    const storage = open()
    const letter = await put(storage, 'Secret.letter')
    insert('secrets', { letter })
    const cover = await put(storage, 'Document.cover')
    insert('documents', { cover })
    const loose = await put(storage, 'Secret.letter')
    later()
    const left = drizzleModels(drizzle({ client }), { documents, secrets })
    const [app] = new Set(left.models.map((model) => model.app))
    const rest = service(storage, { models: left, exclude: { [app!]: ['Secret'] } } as object)
    expect(rest.models.map(({ name }) => name)).toEqual(['Document'])
    const found = await rest.cleanFiles()
    expect(found.map(({ key }) => key)).toEqual([loose])
    expect(await keysOf(storage)).toEqual([letter, cover].toSorted())
  })

  test('a key that a record of another model holds is held', async () => {
    const storage = open()
    const key = await put(storage, 'Document.cover')
    insert('secrets', { letter: key })
    later()
    expect(await service(storage).cleanFiles()).toEqual([])
  })
})

test('reads all pages of a table, of a key of two fields, too', async () => {
  const storage = memoryStorage()
  const keys: string[] = []
  for (let number = 0; number < 2500; number += 1) {
    const picture = await put(storage, 'Page.picture')
    keys.push(picture)
    insert('pages', { book: `book ${number % 3}`, number, picture })
  }
  // Records without a file are no end of a page.
  for (let number = 0; number < 1200; number += 1) insert('pages', { book: 'a book', number })
  const loose = [await put(storage, 'Page.picture'), await put(storage, 'Page.picture')]
  later()
  const found = await service(storage).cleanFiles()
  expect(found.map(({ key }) => key)).toEqual(loose)
  expect(await keysOf(storage)).toEqual(keys.toSorted())
})

test('deletes no file of a key that went from record to record while it read', async () => {
  const storage = memoryStorage()
  const key = await put(storage, 'Page.picture')
  // More than a page of records: the last one holds the key.
  for (let number = 0; number < 1500; number += 1)
    insert('pages', { book: 'a', number, picture: `other/${number}.png` })
  insert('pages', { book: 'z', number: 1, picture: key })
  later()
  const models = drizzleModels(drizzle({ client }), { pages })
  let lists = 0
  const rest = service(storage, {
    models: {
      ...models,
      store: (model: Model): RecordStore => {
        const store = models.store(model)
        return {
          ...store,
          list: async (selection, guard) => {
            const rows = await store.list(selection, guard)
            lists += 1
            if (lists === 1)
              client.exec(
                `insert into pages (book, number, picture) select 'a', -1, picture from pages where book = 'z';
                 delete from pages where book = 'z'`,
              )
            return rows
          },
        }
      },
    },
  } as object)
  expect(await rest.cleanFiles()).toEqual([])
  expect(lists).toBeGreaterThan(2)
  expect(await keysOf(storage)).toEqual([key])
})

test('takes away uploads that were cut off, and files of other programs never', async () => {
  const storage = diskStorage({ directory: folder })
  await put(storage, 'Document.cover')
  const left = [join(folder, '.unfinished', 'cut-off'), join(folder, '.unfinished', 'under-way')]
  const other = join(folder, 'document/cover/ab/holiday.png')
  mkdirSync(join(folder, 'document/cover/ab'), { recursive: true })
  for (const path of [...left, other]) writeFileSync(path, 'x')
  const old = new Date(Date.now() - 2 * HOUR)
  for (const path of [left[0]!, other]) utimesSync(path, old, old)

  expect(await service(storage).cleanFiles()).toEqual([{ key: '.unfinished/cut-off', complete: false }])
  expect([...left, other].map((path) => existsSync(path))).toEqual([false, true, true])
})

test('asks the storage for nothing but the list where there are no orphans, and for nothing where there are no file fields', async () => {
  const storage = countingStorage(memoryStorage())
  const key = await put(storage, 'Document.cover')
  insert('documents', { cover: key })
  later()
  await service(storage).cleanFiles()
  expect(storage.calls).toEqual([`put ${key}`, 'list'])

  const none = countingStorage(memoryStorage())
  await service(none, { models: drizzleModels(drizzle({ client }), { notes }) } as object).cleanFiles()
  expect(none.calls).toEqual([])
})

test('deletes nothing where a table is missing', async () => {
  const storage = memoryStorage()
  const key = await put(storage, 'Document.cover')
  client.exec('drop table pages')
  later()
  await expect(service(storage).cleanFiles()).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(naming('cleanFiles', 'Page')),
  })
  expect(await keysOf(storage)).toEqual([key])
})

test('a file that goes meanwhile is no orphan', async () => {
  const own = memoryStorage()
  await put(own, 'Document.cover')
  const kept = await put(own, 'Document.cover')
  later()
  const storage: FileStorage = {
    ...own,
    stat: async (key) => {
      if (key !== kept) throw new StorageError('missing')
      return own.stat(key)
    },
  }
  const found = await service(storage).cleanFiles()
  expect(found.map(({ key }) => key)).toEqual([kept])
})

test.each([
  [{ olderThan: -1 }, ['olderThan', 0, 'olderThan: 3600']],
  [{ olderThan: Number.NaN }, ['olderThan', 0, 'olderThan: 3600']],
  [{ olderThan: '60' }, ['olderThan', 0, 'olderThan: 3600']],
  [{ remove: 'no' }, ['remove', 'true', 'false']],
  [{ olderthan: 60 }, ['olderthan', 'olderThan', 'remove']],
])('refuses the options %j', async (options, names) => {
  const cleaned = (async () => service(memoryStorage()).cleanFiles(options as object))()
  await expect(cleaned).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(naming('cleanFiles', ...names)),
  })
})
