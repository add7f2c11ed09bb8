import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { naming } from '../naming.ts'
import { needing } from '../needed-program.ts'
import { type Folder, folderWithPackage } from './folders.ts'
import { node22, version } from './node-22.ts'
import { succeed } from './shell.ts'

const entries = [
  ...['', '/fastify', '/fetch', '/drizzle', '/drizzle/sqlite', '/drizzle/pg', '/drizzle/mysql', '/redis'],
  '/sql',
]
const specifiers = JSON.stringify(entries.map((entry) => `modelrest${entry}`))

const tables = `import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzleModels } from 'modelrest/drizzle'
import { decimal } from 'modelrest/drizzle/sqlite'

const client = new Database(':memory:')
client.exec('create table products (id integer primary key, name text not null, price integer not null)')
const products = sqliteTable('products', {
  id: integer().primaryKey(),
  name: text().notNull(),
  price: decimal({ precision: 10, scale: 2 }).notNull(),
})
export const models = drizzleModels(drizzle(client), { products })
export const created = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Lamp","price":"9.90"}' }
`

const files = {
  'version.mjs': 'console.log(process.version)',
  'import.mjs': `for (const name of ${specifiers}) console.log(name, Object.keys(await import(name)).length > 0)`,
  'require.cjs': `for (const name of ${specifiers}) console.log(name, Object.keys(require(name)).length > 0)`,
  'tables.mjs': tables,
  'fastify.mjs': `import Fastify from 'fastify'
import { ModelRest } from 'modelrest/fastify'
import { created, models } from './tables.mjs'

const app = Fastify()
await new ModelRest(app, { models }).init()
const { body: payload, ...rest } = created
const reply = await app.inject({ ...rest, payload, url: '/products/' })
console.log(reply.statusCode, reply.body)
await app.close()
`,
  'fetch.mjs': `import { fetchApp, ModelRest } from 'modelrest/fetch'
import { created, models } from './tables.mjs'

const app = fetchApp()
await new ModelRest(app, { models, isAsync: false }).init()
const reply = await app.fetch(new Request('http://localhost/products/', created))
console.log(reply.status, await reply.text())
`,
}

const overNodeSqlite = readFileSync('test/source/sql/over-node-sqlite.ts', 'utf8')

const sqlFiles = {
  'over-node-sqlite.ts': overNodeSqlite.replace('../../../src/entry/sql.ts', 'modelrest/sql'),
  'sql.mjs': `import { DatabaseSync } from 'node:sqlite'
import { fetchApp, ModelRest } from 'modelrest/fetch'
import { sqlSource } from 'modelrest/sql'
import { overNodeSqlite } from './over-node-sqlite.ts'
import { created } from './tables.mjs'

const db = new DatabaseSync(':memory:')
db.exec('create table products (id integer primary key, name text not null, price decimal(10, 2) not null)')
const columns = [{ name: 'id', type: 'integer', autoIncrement: true }, { name: 'name', type: 'text' }, { name: 'price', type: 'decimal(10, 2)' }]
const tables = [{ name: 'Product', table: 'products', columns, primaryKey: ['id'] }]
const app = fetchApp()
await new ModelRest(app, { models: sqlSource({ database: overNodeSqlite(db), tables }), isAsync: false }).init()
const reply = await app.fetch(new Request('http://localhost/products/', created))
console.log(reply.status, await reply.text())
`,
}

needing('registry', `on Node ${version}`, () => {
  let folder: Folder
  let node: string

  beforeAll(async () => {
    node = await node22()
    folder = folderWithPackage(inject('unpacked'), { ...files, ...sqlFiles })
  })

  afterAll(() => folder?.remove())

  const run = (file: string): Promise<string> => succeed(`${node} ${file}`, folder.path)

  test('which is what runs', async () => {
    expect(await run('version.mjs')).toBe(`v${version}\n`)
  })

  test.each(['import.mjs', 'require.cjs'])('every entry loads: %s', async (file) => {
    const output = (await run(file)).trim().split('\n')
    expect(output.filter((line) => line.startsWith('modelrest'))).toEqual(
      entries.map((entry) => `modelrest${entry} true`),
    )
  })

  test.each(['fastify.mjs', 'fetch.mjs', 'sql.mjs'])('a small application answers: %s', async (file) => {
    const lines = (await run(file)).trim().split('\n')
    expect(lines).toContain('201 {"id":1,"name":"Lamp","price":"9.90"}')
  })

  test('an older one is refused by name, before a function of the language is missing', async () => {
    const older =
      "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'});delete(Map.groupBy)"
    const failing = succeed(`NODE_OPTIONS="--import ${older}" ${node} fetch.mjs`, folder.path)
    await expect(failing).rejects.toThrow(naming('StartError', '22.18', '20.19.0'))
  })
})
