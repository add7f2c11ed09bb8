import { type ClientContract, ZenStackClient } from '@zenstackhq/orm'
import { PostgresDialect } from '@zenstackhq/orm/dialects/postgres'
import { SqliteDialect } from '@zenstackhq/orm/dialects/sqlite'
import type { SchemaDef } from '@zenstackhq/orm/schema'
import { RestApiHandler, RPCApiHandler } from '@zenstackhq/server/api'
import { ZenStackFastifyPlugin } from '@zenstackhq/server/fastify'
import SQLite from 'better-sqlite3'
import fastify from 'fastify'
import { Pool } from 'pg'
import { schema as postgresSchema } from './generated/postgresql/schema.js'
import { schema as sqliteSchema } from './generated/sqlite/schema.js'

const sqlite = (file: string) => {
  const database = new SQLite(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  return new ZenStackClient(sqliteSchema, { dialect: new SqliteDialect({ database }) })
}

const postgres = (connectionString: string) =>
  new ZenStackClient(postgresSchema, {
    dialect: new PostgresDialect({ pool: new Pool({ connectionString }) }),
  })

export const open = async (database: 'sqlite' | 'postgres', location: string) => {
  // The types of the two schemas differ in nothing but their dialect.
  const client = (database === 'sqlite'
    ? sqlite(location)
    : postgres(location)) as unknown as ClientContract<SchemaDef>
  const schema = client.$schema
  const app = fastify()
  // Its two styles: JSON:API, which always counts, and the RPC of its own clients.
  const styles = {
    '/api': new RestApiHandler({ schema, endpoint: 'http://127.0.0.1/api' }),
    '/rpc': new RPCApiHandler({ schema }),
  }
  for (const [prefix, apiHandler] of Object.entries(styles))
    await app.register(ZenStackFastifyPlugin, { prefix, apiHandler, getClient: () => client })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return { origin, close: () => app.close().then(() => client.$disconnect()) }
}
