// Serves an open route of the application beside our login: node bench/logins-serve.ts <users>
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import Fastify from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { usersTable } from 'modelrest/drizzle/sqlite'
import { defineSettings, hashPassword, registerAuthRoutes } from 'modelrest/fastify'
import type { FromServer } from './messages.ts'

const users = Number(process.argv[2])

const client = new Database(':memory:')
client.exec(`create table users (id integer primary key, email text not null unique, username text unique, name text,
  password text not null, is_active integer not null default 1, created_at integer not null default 0)`)
const db = drizzle({ client })
const password = await hashPassword('correct horse battery staple')
db.insert(usersTable)
  .values(Array.from({ length: users }, (_, number) => ({ email: `user${number}@example.com`, password })))
  .run()

const app = Fastify()
app.get('/open', () => ({ open: true }))
await registerAuthRoutes(app, {
  models: drizzleModels(db, { users: usersTable }),
  settings: defineSettings({
    SECRET_KEY: 'of the benchmark, and as long as it has to be',
    SERVICE_AUTH: { LOG_AUTH_EVENTS: false },
  }),
})
process.once('disconnect', () => {
  app.close().then(() => process.exit(0))
})

const message: FromServer = { origin: await app.listen({ port: 0, host: '127.0.0.1' }) }
process.send?.(message)
