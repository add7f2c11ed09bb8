import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { modelrest, workFolder } from './client-runs.ts'

const from = (file: string): string => JSON.stringify(resolve(file))

const api = (
  auth: boolean,
): string => `import Database from ${from('node_modules/better-sqlite3/lib/index.js')}
import { drizzle } from ${from('node_modules/drizzle-orm/better-sqlite3/index.js')}
import { integer, sqliteTable, text } from ${from('node_modules/drizzle-orm/sqlite-core/index.js')}
import { drizzleModels } from ${from('src/entry/drizzle.ts')}
import { usersTable as users } from ${from('src/entry/drizzle-sqlite.ts')}
import { controllerFor, defineSettings, fetchApp, ModelRest } from ${from('src/entry/fetch.ts')}

const products = sqliteTable('products', { id: integer().primaryKey(), api_key: text() })
const orders = sqliteTable('orders', { id: integer().primaryKey() })
const sessions = sqliteTable('sessions', { session_token: text().primaryKey() })
const tickets = sqliteTable('tickets', { ticket_token: text().primaryKey() })
const client = new Database(':memory:')
client.exec('create table products (id integer primary key, api_key text); create table orders (id integer primary key)')
client.exec('create table sessions (session_token text primary key); create table tickets (ticket_token text primary key)')
client.exec('create table users (id integer primary key, email text, username text, name text, password text, is_active integer, created_at integer)')
const models = drizzleModels(drizzle({ client }), { users, products, orders, sessions, tickets })
export const api = new ModelRest(fetchApp(), {
  models,
  auth: ${auth},
  settings: defineSettings({ SECRET_KEY: 'k'.repeat(64) }),
  modelConfig: { Product: { public: 'read' }, Ticket: { internal: false } },
  controllers: [controllerFor('Order', { permissions: { delete: () => false } })],
})
`

/** The names of the parts of the lines: what stands before their values. */
const partsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|, )(PUBLIC \(auth: false\)|protected|[a-z][^:()]*?(?=: )|docs)/g)].flatMap(
    ([, part = '']) => part,
  )

test('docs/cli.md explains each part of the lines that a successful check prints', async () => {
  const page = readFileSync('docs/cli.md', 'utf8').split('\n## check\n')[1] ?? ''
  const found = new Set<string>()
  for (const auth of [true, false]) {
    const { code, out } = await modelrest(workFolder({ 'api.mjs': api(auth) }), ['check'])
    expect(code).toBe(0)
    for (const line of out.trim().split('\n'))
      for (const part of partsOf(line.split('. ', 1).join())) found.add(part)
  }
  expect(found.size).toBeGreaterThan(6)
  expect([...found].filter((part) => !page.includes(`\n| \`${part}`))).toEqual([])
})
