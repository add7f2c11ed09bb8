// One of several processes of an application in stateful mode: fork(sessions-server.ts, [database file, Redis URL,
// prefix, 'redis' | 'ioredis']). It sends its port, and ends when it is disconnected.
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { usersTable as users } from '../../../src/entry/drizzle-sqlite.ts'
import { ModelRest } from '../../../src/entry/fastify.ts'
import { redisCache } from '../../../src/entry/redis.ts'
import { listen } from '../../host/listen.ts'

const [file = '', url = '', prefix = '', library] = process.argv.slice(2)

const database = new Database(file)
database.pragma('journal_mode = wal')
database.exec(`create table if not exists users (
  id integer primary key autoincrement, email text not null unique, username text unique, name text,
  password text not null, is_active integer not null default 1, created_at integer not null default (unixepoch()))`)

const client = library === 'redis' ? await createClient({ url }).connect() : new Redis(url)
const app = Fastify()
await new ModelRest(app, {
  models: drizzleModels(drizzle({ client: database }), { users }),
  auth: true,
  settings: {
    CACHE: redisCache(client, { prefix }),
    SERVICE_AUTH: {
      ...{ JWT_SECRET: 'a secret that all processes have in common', STATEFUL: true },
      ...{ SESSIONS: true, LOGOUT_ALL: true },
    },
  },
}).init()
const { port, stop } = await listen(app)
process.on('disconnect', () => void stop().then(() => process.exit()))
process.send?.(port)
