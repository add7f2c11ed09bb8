import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { naming } from '../../naming.ts'
import { type Folder, folderWithPackage } from '../folders.ts'
import { modelrest, type Told } from './modelrest.ts'

const tables = `import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
export const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
`
const models = `import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { drizzleModels } from 'modelrest/drizzle'
import * as shop from './tables.ts'
export const client = new Database('shop.db')
export const models = drizzleModels(drizzle({ client }), { shop })
// As connection pools do, it keeps the process running.
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

const exported = 'export const api = new ModelRest(app, { … })'

let folder: Folder
/** What takes long runs beside the other tests. */
let slow: Promise<Told>
beforeAll(() => {
  folder = folderWithPackage(inject('unpacked'), modules)
  slow = modelrest(folder.path, ['openapi', '--api-module', 'slow.ts'])
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
    expect(Object.keys(document.paths)).toEqual([
      '/products/',
      '/products/{id}',
      '/products/aggregate',
      '/access',
    ])
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
      ...[0, ['/products/', '/products/{id}', '/products/aggregate', '/access']],
    ])
    expect(out).toContain('"/shop"')
    const wrong = await modelrest(folder.path, [...words, 'shp'])
    expect(wrong.err).toMatch(naming('unawaited.ts', 'shp', '--api-var shop'))
  })

  test('a process that stays behind does not keep the command', async () => {
    const { code, err } = await modelrest(folder.path, ['openapi', '--api-module', 'leaves.ts'])
    const pid = Number(/^left (\d+)$/m.exec(err)?.[1])
    process.kill(pid)
    expect(code).toBe(1)
    expect(err).toMatch(naming('leaves.ts', 4))
  })

  test('imports settings before', async () => {
    const { info } = await documentOf('--settings', 'title.ts')
    expect(info.title).toBe('By settings')
  })

  test('writes a file, and tells where that differs', async () => {
    const file = join(folder.path, 'openapi.json')
    const run = (...words: string[]) =>
      modelrest(folder.path, ['openapi', '--output', 'openapi.json', ...words])
    const names = naming('openapi.json', 'modelrest openapi --output openapi.json')
    expect(await run('--check')).toMatchObject({ code: 1, err: expect.stringMatching(names) })
    expect(existsSync(file)).toBe(false)
    expect(await run()).toEqual({
      ...{ code: 0, out: '', err: expect.stringMatching(naming('openapi.json')) },
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(await documentOf())
    expect(await run('--check')).toMatchObject({ code: 0, out: '' })
    writeFileSync(file, '{}')
    expect(await run('--check')).toMatchObject({ code: 1, err: expect.stringMatching(names) })
    expect(readFileSync(file, 'utf8')).toBe('{}')
  })

  test('says where a file cannot be written', async () => {
    const told = await modelrest(folder.path, ['openapi', '--output', 'no/where.json'])
    expect(told).toMatchObject({
      code: 1,
      err: expect.stringMatching(naming('no/where.json', 'no such file or directory')),
    })
  })

  test.each([
    ['named.ts', ['api', '--api-var shop']],
    ['number.ts', ['api', 'ModelRest', exported]],
    ['nothing.ts', ['api', exported]],
    ['misnamed.cjs', ['api', '--api-var shop']],
    ['two.ts', [2, exported, '--api-var']],
    ['listens.ts', ['ModelRest']],
  ])('%s: wrong use', async (module, names) => {
    const { code, out, err } = await modelrest(folder.path, ['openapi', '--api-module', module])
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(naming(module, ...names))
  })

  test.each([
    [
      'broken.ts',
      /^[^\n]*\bbroken\.ts\b[^\n]*No database here\.\nError: No database here\.\n +at .*broken\.ts:1/,
    ],
    ['caused.ts', /\n[^\n]*\bouter\n[^\n]*its password is wrong\n$/],
    ['commonjs/api.ts', naming('commonjs/api.ts', 'package.json', 'CommonJS', '"type": "module"', '.mts')],
    ['mistaken.ts', /^[^\n]*\bmistaken\.ts\b[^\n]*\bmodels\b[^\n]*\n$/],
    ['json.ts', /^before it fails\n[^\n]*\bjson\.ts\b[^\n]*Expected property name(?!.*tsx)/s],
    ['json.cjs', /^[^\n]*\bjson\.cjs\b[^\n]*Expected property name(?!.*tsx)/s],
    ['package.ts', /\bpackage\.ts\b[^\n]*Cannot find .*not-installed(?!.*npm i -D tsx)/s],
    ['fussy.ts', /^[^\n]*\bfussy\.ts\b[^\n]*A prefix is needed\.\n[^\n]*\bprefix\b/],
    ['waiting.ts', /^[^\n]*\bwaiting\.ts\b[^\n]*\n/],
    ['exits.ts', /^good bye\n(?=[^\n]*\bexits\.ts\b)[^\n]*\b3\b[^\n]*\n$/],
  ])('%s: failed', async (module, message) => {
    const { code, out, err } = await modelrest(folder.path, ['openapi', '--api-module', module])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(message)
  })

  test('what takes long is told, with what it prints', async () => {
    const { code, out, err } = await slow
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ paths: expect.anything() })])
    expect(err.split('\n')).toContainEqual(expect.stringMatching(naming('slow.ts')))
    expect(err).toContain('for the database\n')
    expect(err).toContain('it came\n')
  })
})

describe('routes', () => {
  test('is a table', async () => {
    const { code, out } = await modelrest(folder.path, ['routes', '--api-module', 'application.ts'])
    const lines = out.trim().split('\n')
    expect(lines[0]).toBe('METHOD  PATH                    OPERATION          MODEL    AUTH')
    expect(lines).toContain('GET     /v1/products/           listProducts       Product  caller')
    expect(lines).toContainEqual(expect.stringMatching(/^GET +\/v1\/hello +\S+ +- +-$/))
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
    const noTable = naming('Product', "exclude: { shop: ['Product'] }")
    expect(missing.err).toMatch(noTable)
    const failed = await modelrest(folder.path, ['check', '--json', '--api-module', 'warns.ts'])
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.out)).toEqual({
      ...{ ok: false, info: [], warnings: [expect.stringMatching(naming('SECRET_KEY'))] },
      error: expect.stringMatching(noTable),
    })
    const plain = await modelrest(folder.path, ['check', '--api-module', 'warns.ts'])
    expect(plain.err).toMatch(/^warning: .*\bSECRET_KEY\b/m)
    expect(plain.err.split('\n').at(-2)).toMatch(noTable)
    const wrong = await modelrest(folder.path, ['check', '--json', '--api-var', 'shop'])
    expect(wrong).toMatchObject({ code: 2, out: '' })

    const there = await modelrest(folder.path, ['check', '--settings', 'created.ts'])
    expect(there).toEqual({
      ...{ code: 0, err: expect.any(String) },
      out: expect.stringMatching(/^[^\n]+\n$/),
    })
    expect(there.out).toMatch(naming(1, 8, '/api', 'auth: false'))
    const json = await modelrest(folder.path, ['check', '--json'])
    expect(JSON.parse(json.out)).toEqual({ ok: true, info: [there.out.trim()], warnings: [] })
  })
})
