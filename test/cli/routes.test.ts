import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { naming } from '../naming.ts'
import { modelrest, writeFiles } from './client-runs.ts'

const source = (file: string): string => JSON.stringify(resolve('src', file))

const api = `import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { drizzleModels } from ${source('entry/drizzle.ts')}
import { usersTable as users } from ${source('entry/drizzle-sqlite.ts')}
import { defineSettings, fetchApp, ModelRest } from ${source('entry/fetch.ts')}

const table = (name) => sqliteTable(name, { id: integer().primaryKey() })
const models = drizzleModels(drizzle({ client: new Database(':memory:') }), {
  users, auths: table('auths'), others: table('others'), categories: table('categories'),
})
const settings = defineSettings({ SECRET_KEY: 'k'.repeat(64) })
export const api = new ModelRest(fetchApp(), { models, auth: true, settings })
`

const project = (text = api): string => {
  mkdirSync('test/.tmp', { recursive: true })
  const folder = mkdtempSync(resolve('test/.tmp/modelrest-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFiles(folder, { 'package.json': '{ "type": "module" }', 'api.js': text })
  return folder
}

test('a line below the table says what AUTH means, if anything needs authentication', async () => {
  const { out } = await modelrest(project(), ['routes'])
  expect(out.trimEnd().split('\n').slice(-2)).toEqual(['', expect.stringMatching(/^AUTH: /)])
  // There is no permission function.
  expect(out.match(/^.*optional$/gm)).toEqual([expect.stringContaining('getAccess')])
  const open = await modelrest(project(api.replace('auth: true, ', '')), ['routes'])
  expect(open.out).toContain('listOthers')
  expect(open.out).not.toContain('AUTH:')
})

test('a permission function decides about its own operations, and the line below the table says so', async () => {
  const text = api
    .replace('import { defineSettings', 'import { controllerFor, defineSettings')
    .replace(
      'auth: true,',
      `auth: true, controllers: [controllerFor('Other', { permissions: { delete: () => false } })],`,
    )
  const folder = project(text)
  const { out } = await modelrest(folder, ['routes'])
  expect(out).toMatch(/^DELETE +\/others\/\{id\} .* bearer or cookie or optional$/m)
  expect(out).toMatch(/^PATCH +\/others\/\{id\} .* bearer or cookie$/m)
  expect(out.trimEnd().split('\n').at(-1)).toMatch(naming('AUTH', '`optional`', 'permission function'))
})

test('a model may be called as a group of other operations is', async () => {
  const folder = project()
  const { out, err } = await modelrest(folder, ['routes', '--json'])
  expect(err).not.toContain('Error')
  const found = JSON.parse(out) as readonly { readonly operation: string; readonly model: string | null }[]
  const byModel = Object.groupBy(found, ({ model }) => model ?? '-')
  const operationsOf = (model: string) => (byModel[model] ?? []).map(({ operation }) => operation).toSorted()
  const ofModel = (one: string, many: string) => [
    ...[
      `aggregate${many}`,
      `create${one}`,
      `delete${one}`,
      `get${one}`,
      `list${many}`,
      `replace${one}`,
      `update${one}`,
    ],
  ]
  expect(operationsOf('Auth')).toEqual(ofModel('Auth', 'Auths'))
  expect(operationsOf('Other')).toEqual(ofModel('Other', 'Others'))
  expect(operationsOf('Category')).toEqual(ofModel('Category', 'Categories'))
  expect(operationsOf('-')).toEqual([
    ...[
      'getAccess',
      'getDocs',
      'getDocsAsset',
      'getMe',
      'getOpenApi',
      'login',
      'logout',
      'refresh',
      'register',
    ],
  ])
})

test('an action belongs to its model, and a list below a record to the model of that record', async () => {
  const text = api
    .replace('import { defineSettings', 'import { action, controllerFor, defineSettings')
    .replace(
      "table('others')",
      "sqliteTable('others', { id: integer().primaryKey(), auth_id: integer().references(() => auths.id) })",
    )
    .replace('const models', "const auths = table('auths')\nconst models")
    .replace("auths: table('auths')", 'auths')
    .replace(
      'auth: true,',
      `auth: true, controllers: [controllerFor('Other', {
        actions: { tidy: action({ on: 'collection', run: () => undefined }), listen: action({ on: 'record', run: () => undefined }) },
      })],`,
    )
  const { out } = await modelrest(project(text), ['routes', '--json'])
  const found = JSON.parse(out) as readonly Readonly<Record<string, unknown>>[]
  const modelOf = (path: string) => found.find((route) => route['path'] === path)?.['model']
  expect(modelOf('/others/tidy')).toBe('Other')
  expect(modelOf('/others/{id}/listen')).toBe('Other')
  expect(modelOf('/auths/{id}/others/')).toBe('Auth')
})

test('lists what the document leaves out: health, files and the documentation itself', async () => {
  const text = api
    .replace("table('others')", "sqliteTable('others', { id: integer().primaryKey(), scan: file() })")
    .replace('usersTable as users', 'file, usersTable as users')
    .replace('fetchApp()', "fetchApp({ base: '/api' })")
    .replace('auth: true,', 'auth: true, health: true, openapi: { public: false },')
  const { out } = await modelrest(project(text), ['routes', '--json'])
  const found = JSON.parse(out) as readonly Readonly<Record<string, unknown>>[]
  const routeOf = (path: string) => found.find((route) => route['path'] === path)
  const plain = { method: 'GET', model: null, auth: [] }
  expect(routeOf('/api/health/live')).toMatchObject(plain)
  expect(routeOf('/api/health/ready')).toMatchObject(plain)
  expect(routeOf('/api/docs/{asset}')).toMatchObject(plain)
  const guarded = { ...plain, auth: ['bearer', 'cookie'] }
  expect(routeOf('/api/docs')).toMatchObject(guarded)
  expect(routeOf('/api/openapi.json')).toMatchObject(guarded)
  expect(found.map(({ path }) => path)).toContainEqual(expect.stringMatching(/^\/api\/media\/others\//))
})

test('does not call routes of the application public', async () => {
  const text = api
    .replace(`import Database`, `import Fastify from 'fastify'\nimport Database`)
    .replace(source('entry/fetch.ts'), source('entry/fastify.ts'))
    .replace('fetchApp, ', '')
    .replace('fetchApp()', 'app')
    .replace('export const api', 'const app = Fastify()\nexport const api')
  const own = `${text}app.get('/hello', { schema: { tags: ['Other'] } }, () => 'hello')\n`
  const folder = project(own)
  const { out } = await modelrest(folder, ['routes'])
  expect(out).toMatch(/^GET +\/hello +\w+ +- +-$/m)
  const { out: json } = await modelrest(folder, ['routes', '--json'])
  expect(JSON.parse(json)).toContainEqual(
    expect.objectContaining({ path: '/hello', model: null, auth: null }),
  )
})
