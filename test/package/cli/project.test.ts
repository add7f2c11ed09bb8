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
  'caused.ts': `throw new Error('No database here.', { cause: new Error('outer', { cause: new Error('its password is wrong') }) })\nexport {}\n`,
  'commonjs/package.json': '{ "type": "commonjs" }',
  'commonjs/api.ts': `import 'node:fs'\nexport const api = await 1\n`,
  'mistaken.ts': `import { fetchApp, ModelRest } from 'modelrest/fetch'\nexport const api = new ModelRest(fetchApp(), {} as never)\n`,
  'unawaited.ts': `import Fastify from 'fastify'
import { fetchApp, ModelRest } from 'modelrest/fetch'
import { models } from './models.ts'
new ModelRest(fetchApp(), { models })
void Fastify().listen({ port: 1 })
await new Promise((done) => setTimeout(done, 50))
export const shop: ModelRest = new ModelRest(fetchApp({ base: '/shop' }), { models })
`,
  'common.cjs': `const { fetchApp, ModelRest } = require('modelrest/fetch')
module.exports = { api: new ModelRest(fetchApp(), { models: require('./models.ts').models }) }
`,
  'misnamed.cjs': `const { fetchApp, ModelRest } = require('modelrest/fetch')
module.exports = { shop: new ModelRest(fetchApp(), { models: require('./models.ts').models }) }
`,
  'whole.cjs': `const { fetchApp, ModelRest } = require('modelrest/fetch')
module.exports = new ModelRest(fetchApp(), { models: require('./models.ts').models })
`,
  'default.ts': `export { api as default } from './application.ts'\n`,
  'users.ts': `import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { drizzleModels } from 'modelrest/drizzle'
import { usersTable as users } from 'modelrest/drizzle/sqlite'
import { defineSettings, fetchApp, ModelRest } from 'modelrest/fetch'
const models = drizzleModels(drizzle({ client: new Database(':memory:') }), { users })
const settings = defineSettings({ SECRET_KEY: 'k'.repeat(64) })
export const api: ModelRest = new ModelRest(fetchApp(), { models, auth: true, settings })
`,
  'fussy.ts': `export const api = async (_context: unknown, { prefix }: { prefix?: string }): Promise<void> => {
  if (prefix === undefined) throw new Error('A prefix is needed.')
}
`,
  'warns.ts': `import { defineSettings, fetchApp, ModelRest } from 'modelrest/fetch'
import { models } from './models.ts'
const settings = defineSettings({ NINJA_PAGINATION_CLASS: 'cursor' })
export const api: ModelRest = new ModelRest(fetchApp(), { models, settings })
`,
  'json.ts': `console.log('before it fails')\nJSON.parse('{x')\nexport {}\n`,
  'json.cjs': `JSON.parse('{x')\n`,
  'package.ts': `import 'not-installed'\nexport {}\n`,
  'slow.ts': `console.log('for the database')
await new Promise((done) => setTimeout(done, 5500))
export { api } from './api.ts'
console.log('it came')
`,
  'leaves.ts': `import { spawn } from 'node:child_process'
const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { detached: true, stdio: 'inherit' })
console.log('left', pid)
process.exit(4)
`,
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

  test.each([
    ...['application.ts', 'plugin.ts', 'server.ts', 'enum.ts'],
    ...['common.cjs', 'whole.cjs', 'default.ts'],
  ])('finds the generator of %s', async (module) => {
    const { paths } = await documentOf('--api-module', module)
    expect(Object.keys(paths)).toContain('/products/')
  })

  test('a port that is not waited for does not end the import', async () => {
    const words = ['openapi', '--api-module', 'unawaited.ts', '--api-var']
    const { code, out } = await modelrest(folder.path, [...words, 'shop'])
    expect([code, Object.keys((JSON.parse(out) as Document).paths)]).toEqual([
      ...[0, ['/products/', '/products/{id}']],
    ])
    expect(out).toContain('"/shop"')
    const wrong = await modelrest(folder.path, [...words, 'shp'])
    expect(wrong.err).toContain('there is no shp among its exports. Write --api-var shop.')
  })

  test('what takes long is told, with what it prints', async () => {
    const { code, out, err } = await modelrest(folder.path, ['openapi', '--api-module', 'slow.ts'])
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ paths: expect.anything() })])
    expect(err).toContain('Still loading slow.ts …\n')
    expect(err).toContain('for the database\n')
    expect(err).toContain('it came\n')
  })

  test('a process that stays behind does not keep the command', async () => {
    const { code, err } = await modelrest(folder.path, ['openapi', '--api-module', 'leaves.ts'])
    const pid = Number(/^left (\d+)$/m.exec(err)?.[1])
    process.kill(pid)
    expect(code).toBe(1)
    expect(err).toContain('leaves.ts cannot be loaded: its process ended by itself, with code 4.')
  })

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
    expect(await run()).toEqual({
      ...{ code: 0, out: '', err: expect.stringMatching(/openapi\.json is written\.\n$/) },
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(await documentOf())
    expect(await run('--check')).toMatchObject({ code: 0, out: '' })
    writeFileSync(file, '{}')
    expect(await run('--check')).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'openapi.json differs from what the API is now. Write it: modelrest openapi --output openapi.json\n',
      ),
    })
    expect(readFileSync(file, 'utf8')).toBe('{}')
  })

  test('says where a file cannot be written', async () => {
    const told = await modelrest(folder.path, ['openapi', '--output', 'no/where.json'])
    expect(told).toMatchObject({
      code: 1,
      err: expect.stringContaining('no/where.json cannot be written: no such file or directory'),
    })
  })

  test.each([
    ['named.ts', 'named.ts: there is no api among its exports. Write --api-var shop.'],
    ['number.ts', 'number.ts: api is no ModelRest, and no application or plugin that makes one.'],
    ['nothing.ts', 'nothing.ts: there is no api among its exports. Write export const api = '],
    ['misnamed.cjs', 'misnamed.cjs: there is no api among its exports. Write --api-var shop.'],
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
    ['caused.ts', /\nCaused by: outer\nCaused by: its password is wrong\n$/],
    [
      'commonjs/api.ts',
      /^commonjs\/api\.ts cannot be loaded: .*\nIts package\.json says that it is CommonJS\. Write "type": "module" there, or call the file \.mts\.\n/s,
    ],
    ['mistaken.ts', /^mistaken\.ts cannot be loaded: [^\n]*models[^\n]*\n$/],
    ['json.ts', /^before it fails\njson\.ts cannot be loaded: Expected property name(?!.*tsx)/s],
    ['json.cjs', /^json\.cjs cannot be loaded: Expected property name(?!.*tsx)/s],
    ['package.ts', /package\.ts cannot be loaded: Cannot find .*not-installed(?!.*npm i -D tsx)/s],
    [
      'fussy.ts',
      /^fussy\.ts: its plugin fails: A prefix is needed\.\nIt is registered without options and prefix here\. Where it takes some, name the application that registers it\.\n/,
    ],
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

  test('login belongs to no model', async () => {
    const { out } = await modelrest(folder.path, ['routes', '--json', '--api-module', 'users.ts'])
    const found = JSON.parse(out) as readonly { readonly path: string; readonly model: string | null }[]
    expect(found.find(({ path }) => path.endsWith('/auth/login'))).toMatchObject({ model: null })
    expect(new Set(found.map(({ model }) => model))).toEqual(new Set([null]))
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
    const failed = await modelrest(folder.path, ['check', '--json', '--api-module', 'warns.ts'])
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.out)).toEqual({
      ...{ ok: false, info: [], warnings: [expect.stringContaining('SECRET_KEY is not set')] },
      error: expect.stringContaining('The database has no table for Product.'),
    })
    const plain = await modelrest(folder.path, ['check', '--api-module', 'warns.ts'])
    expect(plain.err).toMatch(/warning: SECRET_KEY is not set.*\nThe database has no table/s)
    const wrong = await modelrest(folder.path, ['check', '--json', '--api-var', 'shop'])
    expect(wrong).toMatchObject({ code: 2, out: '' })

    const there = await modelrest(folder.path, ['check', '--settings', 'created.ts'])
    expect(there).toEqual({
      ...{ code: 0, err: expect.any(String) },
      out: expect.stringMatching(/^1 models, 6 routes under \/api, PUBLIC \(auth: false\), .*\n$/),
    })
    const json = await modelrest(folder.path, ['check', '--json'])
    expect(JSON.parse(json.out)).toEqual({ ok: true, info: [there.out.trim()], warnings: [] })
  })
})
