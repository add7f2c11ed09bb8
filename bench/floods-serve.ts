// Serves our login with the limits per address off, and tells how long its event loop was held: node bench/floods-serve.ts
import { monitorEventLoopDelay } from 'node:perf_hooks'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import Fastify from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { usersTable } from 'modelrest/drizzle/sqlite'
import { defineSettings, hashPassword, ModelRest } from 'modelrest/fastify'

/** What the server tells: where it listens, then the longest that its event loop was held since it was asked before. */
export interface FromFloodedServer {
  readonly origin?: string
  readonly heldMilliseconds?: number
  /** CPU time of the thread that serves since it was asked before. It hardly depends on what else the machine does. */
  readonly cpuMilliseconds?: number
  readonly logBytes?: number
  readonly users?: number
}

const client = new Database(':memory:')
client.exec(`create table users (id integer primary key autoincrement, email text not null unique, username text unique,
  name text, password text not null, is_active integer not null default 1, created_at integer not null default 0)`)
const db = drizzle({ client })
const password = await hashPassword('correct horse battery staple')
db.insert(usersTable).values({ email: 'known@example.com', password }).run()

let logBytes = 0
const write = (line: string): void => {
  logBytes += line.length
}
const app = Fastify({ logger: { level: 'warn', stream: { write } } })
const rest = new ModelRest(app, {
  models: drizzleModels(db, { users: usersTable }),
  auth: true,
  health: true,
  controllers: [],
  settings: defineSettings({
    SECRET_KEY: 'of the benchmark, and as long as it has to be',
    SERVICE_AUTH: {
      LOG_AUTH_EVENTS: false,
      LOGIN_MAX_FAILURES_PER_ADDRESS: 0,
      REGISTER_MAX_PER_ADDRESS: 0,
    },
  }),
})
await rest.init()

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
let before = process.threadCpuUsage()
process.on('message', () => {
  const { user, system } = process.threadCpuUsage(before)
  const cpuMilliseconds = (user + system) / 1000
  const heldMilliseconds = delay.max / 1e6
  const [row] = client.prepare('select count(*) as users from users').all() as { users: number }[]
  process.send?.({
    heldMilliseconds,
    cpuMilliseconds,
    logBytes,
    users: row?.users ?? 0,
  } satisfies FromFloodedServer)
  delay.reset()
  logBytes = 0
  before = process.threadCpuUsage()
})
process.once('disconnect', () => {
  app.close().then(() => process.exit(0))
})
process.send?.({ origin: await app.listen({ port: 0, host: '127.0.0.1' }) } satisfies FromFloodedServer)
