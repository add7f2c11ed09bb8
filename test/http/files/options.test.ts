import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { image } from '../../../src/entry/drizzle-sqlite.ts'
import { fetchApp, ModelRest } from '../../../src/entry/fetch.ts'
import type { FileStorage, ModelRestOptions } from '../../../src/index.ts'
import { contentType, encode, type Sent } from '../../upload/encode.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'
import { samples } from '../../upload/samples.ts'
import { startError } from '../start-error.ts'
import { filePart, textPart } from './writing-stage.ts'

const products = sqliteTable('products', {
  id: integer().primaryKey(),
  name: text().notNull(),
  photo: image(),
  manual: text(),
})
const notes = sqliteTable('notes', { id: integer().primaryKey(), body: text().notNull() })

let folder: string
let client: Database.Database

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  client = new Database(':memory:')
  client.exec(
    'create table products (id integer primary key, name text not null, photo text, manual text); create table notes (id integer primary key, body text not null)',
  )
})
afterEach(() => {
  client.close()
  rmSync(folder, { recursive: true })
})

type Options = Partial<ModelRestOptions<unknown>>

const serve = async (options: Options, tables: Record<string, unknown> = { products, notes }) => {
  const app = fetchApp({ base: '/api' })
  const rest = new ModelRest<unknown>(app, {
    models: drizzleModels(drizzle({ client }), tables as { products: typeof products }),
    controllers: [],
    settings: { BASE_DIR: folder },
    ...options,
  })
  await rest.registerAllModels()
  return async (path: string, parts: readonly Sent[]) => {
    const init = { method: 'POST', headers: { 'content-type': contentType }, body: encode(parts) }
    const response = await app.fetch(new Request(`http://localhost/api${path}`, init))
    await rest.close()
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  }
}

const filesIn = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)

describe('files', () => {
  test('lie in BASE_DIR/media where no storage is given', async () => {
    const post = await serve({})
    const { status } = await post('/products/', [textPart('name', 'Lamp'), filePart('photo', samples.png)])
    expect(status).toBe(201)
    const { photo } = client.prepare<[], { photo: string }>('select photo from products').get() ?? {
      photo: '',
    }
    expect(existsSync(join(folder, 'media', photo))).toBe(true)
    expect(filesIn(join(folder, 'media'))).toHaveLength(1)
  })

  test('make no folder where no model has any', async () => {
    const post = await serve({}, { notes })
    expect((await post('/notes/', [textPart('body', 'x')])).status).toBe(415)
    expect(existsSync(join(folder, 'media'))).toBe(false)
  })

  test('are in the text fields that fileFields names', async () => {
    const post = await serve({ fileFields: { Product: ['manual'] } })
    const { status } = await post('/products/', [textPart('name', 'Lamp'), filePart('manual')])
    expect(status).toBe(201)
    const row = client.prepare<[], { manual: string }>('select manual from products').get()
    expect(row?.manual).toMatch(/^product\/manual\/..\/.*\.pdf$/)
  })

  test('are not detected where autoDetectFiles is off', async () => {
    const post = await serve({ autoDetectFiles: false, useMultipart: { Product: { create: true } } })
    const sent = [textPart('name', 'Lamp'), textPart('photo', 'any text')]
    expect((await post('/products/', sent)).json).toMatchObject({ photo: 'any text' })
    expect(existsSync(join(folder, 'media'))).toBe(false)
  })

  test('take no forms where autoMultipart is off', async () => {
    const post = await serve({ autoMultipart: false })
    expect((await post('/products/', [textPart('name', 'Lamp')])).status).toBe(415)
  })

  test('a model without files takes forms where useMultipart says so', async () => {
    const post = await serve({ useMultipart: { Note: { create: true } } })
    expect((await post('/notes/', [textPart('body', 'Hello')])).json).toEqual({ id: 1, body: 'Hello' })
    expect((await post('/notes/', [filePart('body')])).status).toBe(422)
  })
})

describe('start-up refuses', () => {
  const storage = (more: Partial<FileStorage>): FileStorage => ({ ...memoryStorage(), ...more })

  test.each<[string, Options, readonly (string | number)[]]>([
    ['what is no storage', { storage: {} as never }, ['storage', 'storage: diskStorage({ directory:']],
    ['an unknown model', { fileFields: { Prodct: ['photo'] } }, ['fileFields', 'Prodct', 'Product']],
    ['an unknown field', { fileFields: { Product: ['foto'] } }, ['fileFields.Product', 'foto']],
    ['a field that is no text', { fileFields: { Product: ['id'] } }, ['fileFields.Product', 'id']],
    [
      'a model that is left out',
      { fileFields: { Note: ['body'] }, exclude: { app: ['Note'] } },
      ['fileFields.Note'],
    ],
    ['an option of another type', { autoMultipart: 'yes' as never }, ['autoMultipart', 'true', 'false']],
    ['a setting of another type', { settings: { UPLOAD_MAX_FILES: 0 } }, ['UPLOAD_MAX_FILES', 1]],
  ])('%s', async (_what, options, names) => {
    await expect(serve({ storage: storage({}), ...options })).rejects.toThrow(startError(...names))
  })

  test('a folder that cannot keep files', async () => {
    writeFileSync(join(folder, 'media'), 'a file')
    await expect(serve({})).rejects.toThrow(startError(join(folder, 'media'), 'diskStorage({ directory:'))
  })

  test('files on a database without transactions', async () => {
    const source = drizzleModels(drizzle({ client }), { products })
    const models = {
      ...source,
      models: source.models,
      capabilities: { ...source.capabilities, transactions: false },
    }
    await expect(serve({ models: models as never })).rejects.toThrow(startError('Product'))
  })
})

test('the operations that take forms say what may be wrong with one', async () => {
  const rest = new ModelRest<unknown>(fetchApp(), {
    models: drizzleModels(drizzle({ client }), { products, notes }),
    controllers: [],
    storage: memoryStorage(),
  })
  await rest.registerAllModels()
  const saying = rest.operations
    .filter(({ problems }) => problems.includes('malformed_multipart'))
    .map(({ id }) => id)
  expect(saying.toSorted()).toEqual(['createProduct', 'replaceProduct', 'updateProduct'])
})
