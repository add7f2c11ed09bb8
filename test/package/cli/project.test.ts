import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Folder, folderWithPackage } from '../folders.ts'
import { modelrest } from './modelrest.ts'

const tables = `import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
export const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
`
const models = `import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { drizzleModels } from 'modelrest/drizzle'
import * as shop from './tables.ts'
export const client = new Database('shop.db')
export const models = drizzleModels(drizzle({ client }), { shop })
// As a pool of connections does, it keeps the process.
setInterval(() => undefined, 1000)
`
const created = `import { client } from './models.ts'\nclient.exec('create table products (id integer primary key, name text not null)')\n`

const modules: Readonly<Record<string, string>> = {
  'tables.ts': tables,
  'models.ts': models,
  'created.ts': created,
  'api.ts': `import { fetchApp, ModelRest } from 'modelrest/fetch'
import { models } from './models.ts'
console.log('this application prints')
const app = fetchApp({ base: '/api' })
export const api: ModelRest = new ModelRest(app, { models, openapi: { title: process.env['TITLE'] ?? 'Shop' } })
`,
  'title.ts': `process.env['TITLE'] = 'By settings'\nexport {}\n`,
  'application.ts': `import Fastify from 'fastify'
import { ModelRest } from 'modelrest/fastify'
import { models } from './models.ts'
export const api = Fastify({ logger: true })
api.register(async (context) => {
  await new ModelRest(context, { models, auth: { authenticate: () => null } }).init()
  context.get('/hello', () => 'hello')
}, { prefix: '/v1' })
`,
  'plugin.ts': `import type { FastifyInstance } from 'fastify'
import { ModelRest } from 'modelrest/fastify'
import { models } from './models.ts'
export const api = async (context: FastifyInstance): Promise<void> => {
  await new ModelRest(context, { models }).init()
}
`,
  'server.ts': `import Fastify from 'fastify'
import { ModelRest } from 'modelrest/fastify'
import { models } from './models.ts'
const app = Fastify()
await new ModelRest(app, { models }).init()
await app.listen({ port: 1 })
`,
  'enum.ts': `import { fetchApp, ModelRest } from 'modelrest/fetch'
import { models } from './models.js'
enum Base { api = '/api' }
export const api: ModelRest = new ModelRest(fetchApp({ base: Base.api }), { models })
`,
  'two.ts': `import { fetchApp, ModelRest } from 'modelrest/fetch'
import { models } from './models.ts'
export const api = [new ModelRest(fetchApp(), { models }), new ModelRest(fetchApp(), { models })]
`,
  'named.ts': `export { api as shop } from './api.ts'\n`,
  'number.ts': `export const api = 1\n`,
  'nothing.ts': `export {}\n`,
  'listens.ts': `import { createServer } from 'node:http'\nexport const api = await new Promise((done) => createServer().listen(1, () => done(1)))\n`,
  'broken.ts': `throw new Error('No database here.')\nexport {}\n`,
  'mistaken.ts': `import { fetchApp, ModelRest } from 'modelrest/fetch'\nexport const api = new ModelRest(fetchApp(), {} as never)\n`,
  'waiting.ts': `await new Promise(() => undefined)\nexport const api = 1\n`,
  'exits.ts': `console.log('good bye')\nprocess.exit(3)\nexport {}\n`,
}

let folder: Folder
beforeAll(() => {
  folder = folderWithPackage(inject('unpacked'), modules)
})
afterAll(() => folder.remove())

interface Document {
  readonly info: { readonly title: string }
  readonly paths: Readonly<Record<string, unknown>>
}

const documentOf = async (...words: string[]): Promise<Document> => {
  const { code, out, err } = await modelrest(folder.path, ['openapi', ...words])
  expect([code, err]).toEqual([0, expect.any(String)])
  return JSON.parse(out) as Document
}

describe('openapi', () => {
  test('writes the document to stdout, and nothing else, without tables', async () => {
    const document = await documentOf()
    expect(Object.keys(document.paths)).toEqual(['/products/', '/products/{id}'])
    expect(document.info.title).toBe('Shop')
  })

  test.each(['application.ts', 'plugin.ts', 'server.ts', 'enum.ts'])(
    'finds the generator of %s',
    async (module) => {
      const { paths } = await documentOf('--api-module', module)
      expect(Object.keys(paths)).toContain('/products/')
    },
  )

  test('imports settings before', async () => {
    const { info } = await documentOf('--settings', 'title.ts')
    expect(info.title).toBe('By settings')
  })

  test('writes a file, and tells where that differs', async () => {
    const file = join(folder.path, 'openapi.json')
    const run = (...words: string[]) =>
      modelrest(folder.path, ['openapi', '--output', 'openapi.json', ...words])
    expect(await run('--check')).toMatchObject({
      code: 1,
      err: expect.stringContaining('openapi.json is not there.'),
    })
    expect(existsSync(file)).toBe(false)
    expect(await run()).toEqual({ code: 0, out: '', err: 'openapi.json is written.\n' })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(await documentOf())
    expect(await run('--check')).toEqual({ code: 0, out: '', err: '' })
    writeFileSync(file, '{}')
    expect(await run('--check')).toMatchObject({
      code: 1,
      err: 'openapi.json differs from what the API is now. Write it: modelrest openapi --output openapi.json\n',
    })
    expect(readFileSync(file, 'utf8')).toBe('{}')
  })

  test('says where a file cannot be written', async () => {
    const told = await modelrest(folder.path, ['openapi', '--output', 'no/where.json'])
    expect(told).toMatchObject({
      code: 1,
      err: expect.stringContaining('no/where.json cannot be written: ENOENT'),
    })
  })

  test.each([
    ['named.ts', 'named.ts: there is no api among its exports. Write --api-var shop.'],
    ['number.ts', 'number.ts: api is no ModelRest, and no application or plugin that makes one.'],
    ['nothing.ts', 'nothing.ts: there is no api among its exports. Write export const api = '],
    ['two.ts', 'two.ts makes 2 generators.'],
    ['listens.ts', 'listens.ts: it asks for a port before it makes a ModelRest.'],
  ])('%s: wrong use', async (module, message) => {
    const { code, out, err } = await modelrest(folder.path, ['openapi', '--api-module', module])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
  })

  test.each([
    [
      'broken.ts',
      /^broken\.ts cannot be loaded: No database here\.\nError: No database here\.\n +at .*broken\.ts:1/,
    ],
    ['mistaken.ts', /^mistaken\.ts cannot be loaded: [^\n]*models[^\n]*\n$/],
    ['waiting.ts', /^waiting\.ts cannot be loaded: its process ended before it was done\./],
    ['exits.ts', /^good bye\nexits\.ts cannot be loaded: its process ended by itself, with code 3\.\n$/],
  ])('%s: failed', async (module, message) => {
    const { code, out, err } = await modelrest(folder.path, ['openapi', '--api-module', module])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(message)
  })
})

describe('routes', () => {
  test('is a table', async () => {
    const { code, out } = await modelrest(folder.path, ['routes', '--api-module', 'application.ts'])
    const lines = out.trim().split('\n')
    expect(lines[0]).toBe('METHOD  PATH               OPERATION       MODEL    AUTH')
    expect(lines).toContain('GET     /v1/products/      listProducts    Product  caller')
    expect(lines).toContainEqual(expect.stringMatching(/^GET +\/v1\/hello +\S+ +- +public$/))
    expect(code).toBe(0)
  })

  test('--json is for programs', async () => {
    const { out } = await modelrest(folder.path, ['routes', '--json'])
    expect(JSON.parse(out)).toContainEqual({
      ...{
        method: 'PATCH',
        path: '/api/products/{id}',
        operation: 'updateProduct',
        model: 'Product',
        auth: [],
      },
    })
    expect(out.trim()).not.toContain('\n')
  })
})

describe('check', () => {
  test('asks the database', async () => {
    const missing = await modelrest(folder.path, ['check'])
    expect(missing).toMatchObject({ code: 1, out: '' })
    expect(missing.err).toContain('The database has no table for Product.')

    const there = await modelrest(folder.path, ['check', '--settings', 'created.ts'])
    expect(there).toEqual({
      ...{ code: 0, err: '' },
      out: expect.stringMatching(/^1 models, 6 routes under \/api, PUBLIC \(auth: false\), .*\n$/),
    })
    const json = await modelrest(folder.path, ['check', '--json'])
    expect(JSON.parse(json.out)).toEqual({ ok: true, info: [there.out.trim()], warnings: [] })
  })
})
