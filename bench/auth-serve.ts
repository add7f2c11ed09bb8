// Serves notes in one of the ways to know their callers: node bench/auth-serve.ts <way> <redis url>
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { usersTable } from 'modelrest/drizzle/sqlite'
import { type Cache, defineSettings, ModelRest, memoryCache } from 'modelrest/fastify'
import { redisCache } from 'modelrest/redis'
import { createClient } from 'redis'
import { answerWithCpu, say } from './messages.ts'

const [way = '', url = ''] = process.argv.slice(2)

const notes = sqliteTable('notes', { id: integer().primaryKey(), text: text().notNull() })
const client = new Database(':memory:')
client.exec(`create table users (id integer primary key, email text not null unique, username text unique, name text,
  password text not null, is_active integer not null default 1, created_at integer not null default 0);
  create table notes (id integer primary key, text text not null); insert into notes values (1, 'a note')`)

/** Redis may end before this process does. */
const connected = () =>
  createClient({ url })
    .on('error', () => undefined)
    .connect()

const cacheOf: Readonly<Record<string, () => Promise<Cache>>> = {
  'stateful, memory': async () => memoryCache(),
  'stateful, Redis': async () => redisCache(await connected()),
}

const cache = await cacheOf[way]?.()
const app = Fastify()
await new ModelRest(app, {
  models: drizzleModels(drizzle({ client }), { users: usersTable, notes }),
  controllers: [],
  auth: way !== 'open',
  settings: defineSettings({
    SECRET_KEY: 'of the benchmark, and as long as it has to be',
    SERVICE_AUTH: { STATEFUL: cache !== undefined, LOG_AUTH_EVENTS: false },
    ...(cache !== undefined && { CACHE: cache }),
  }),
}).init()

const tokenOf = async (): Promise<string> => {
  const reply = await app.inject({
    method: 'POST',
    url: '/auth/register',
    body: { email: 'ada@example.com', password: 'correct horse battery staple' },
  })
  return reply.json<{ access: string }>().access
}

answerWithCpu()

const origin = await app.listen({ port: 0, host: '127.0.0.1' })
say({ origin, token: way === 'open' ? '' : await tokenOf() })
