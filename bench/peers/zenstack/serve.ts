import { type ClientContract, ZenStackClient } from '@zenstackhq/orm'
import { PostgresDialect } from '@zenstackhq/orm/dialects/postgres'
import { SqliteDialect } from '@zenstackhq/orm/dialects/sqlite'
import type { SchemaDef } from '@zenstackhq/orm/schema'
import { RestApiHandler, RPCApiHandler } from '@zenstackhq/server/api'
import { ZenStackFastifyPlugin } from '@zenstackhq/server/fastify'
import SQLite from 'better-sqlite3'
import fastify from 'fastify'
import { Pool } from 'pg'

const sqlite = (file: string): SqliteDialect => {
  const database = new SQLite(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  return new SqliteDialect({ database })
}

const postgres = (connectionString: string): PostgresDialect =>
  new PostgresDialect({ pool: new Pool({ connectionString }) })

/** Serves the models of a schema, which is generated for each database. */
export const opening =
  (schemas: { readonly sqlite: SchemaDef; readonly postgres: SchemaDef }) =>
  async (database: 'sqlite' | 'postgres', location: string) => {
    const schema = schemas[database]
    const dialect = database === 'sqlite' ? sqlite(location) : postgres(location)
    const client: ClientContract<SchemaDef> = new ZenStackClient(schema, { dialect })
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
