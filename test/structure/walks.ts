/**
 * Measures walks: `node test/structure/walks.ts` prints, for each request, the modules of `src` of which a function ran, by
 * V8's precise coverage over one warm request.
 */
import { Session } from 'node:inspector/promises'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { usersTable } from '../../src/entry/drizzle-sqlite.ts'
import { controllerFor, ModelRest } from '../../src/entry/fastify.ts'

const sources = new URL('../../src/', import.meta.url).href

const products = sqliteTable('products', {
  id: integer().primaryKey(),
  name: text({ length: 80 }).notNull(),
  stock: integer().notNull().default(0),
})

const SECRET_KEY = 'a secret key that is long enough for a test'
const sqlite = new Database(':memory:')
sqlite.exec(`
  create table users (id integer primary key autoincrement, email text not null unique, username text unique, name text,
    password text not null, is_active integer not null default 1, created_at integer not null default (unixepoch()));
  create table products (id integer primary key, name text not null, stock integer not null default 0);
  insert into products (id, name, stock) values (1, 'Lamp', 3), (2, 'Chair', 4), (3, 'Table', 5);
`)

const open = Fastify()
await new ModelRest(open, {
  models: drizzleModels(drizzle({ client: sqlite }), { Product: products }),
  controllers: [
    controllerFor('Product', {
      beforeUpdate: (_request, _record, payload) => payload,
      afterUpdate: (_request, record) => record,
    }),
  ],
  settings: { SECRET_KEY },
}).init()

const protectedByLogin = Fastify()
await new ModelRest(protectedByLogin, {
  models: drizzleModels(drizzle({ client: sqlite }), { User: usersTable }),
  auth: true,
  settings: { SECRET_KEY },
}).init()

const account = { email: 'ada@example.org', password: 'correct horse battery staple' }
await protectedByLogin.inject({ method: 'POST', url: '/auth/register/', payload: account })

const requests: Readonly<Record<string, readonly [FastifyInstance, InjectOptions]>> = {
  'GET by id': [open, { method: 'GET', url: '/products/1' }],
  'filtered and sorted list': [open, { method: 'GET', url: '/products/?stock>=3&sort=name' }],
  'PATCH with hooks': [open, { method: 'PATCH', url: '/products/1', payload: { stock: 7 } }],
  login: [protectedByLogin, { method: 'POST', url: '/auth/login/', payload: account }],
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const modulesOfOneRun = async (app: FastifyInstance, request: InjectOptions): Promise<readonly string[]> => {
  await session.post('Profiler.takePreciseCoverage')
  const { statusCode, body } = await app.inject(request)
  if (statusCode !== 200) throw new Error(`${request.url} was answered ${statusCode}: ${body}`)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(
      ({ url, functions }) =>
        url.startsWith(sources) && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
    )
    .map(({ url }) => url.slice(sources.length))
    .toSorted()
}

const walks: Record<string, readonly string[]> = {}
for (const [name, [app, request]] of Object.entries(requests)) {
  for (let warming = 0; warming < 3; warming++) await app.inject(request)
  walks[name] = await modulesOfOneRun(app, request)
}
process.stdout.write(JSON.stringify(walks))
await open.close()
await protectedByLogin.close()
