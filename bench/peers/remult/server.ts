import Database from 'better-sqlite3'
import fastify from 'fastify'
import { Entity, Fields, SqlDatabase } from 'remult'
import { createPostgresDataProvider } from 'remult/postgres'
import { BetterSqlite3DataProvider } from 'remult/remult-better-sqlite3'
import { remultApi } from 'remult/remult-fastify'

@Entity('products', { allowApiCrud: true })
class Product {
  @Fields.autoIncrement()
  id = 0
  @Fields.string({ maxLength: 100 })
  name = ''
  @Fields.string({ maxLength: 20 })
  category = ''
  @Fields.integer()
  price = 0
  @Fields.integer()
  stock = 0
  @Fields.boolean()
  in_stock = false
}

const sqlite = (file: string): SqlDatabase => {
  const client = new Database(file)
  client.pragma('journal_mode = WAL')
  client.pragma('synchronous = NORMAL')
  return new SqlDatabase(new BetterSqlite3DataProvider(client))
}

export const open = async (database: 'sqlite' | 'postgres', location: string) => {
  const dataProvider =
    database === 'sqlite'
      ? sqlite(location)
      : await createPostgresDataProvider({ connectionString: location })
  const app = fastify()
  await app.register(remultApi({ entities: [Product], dataProvider, ensureSchema: false }))
  return { origin: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
}
