// Run it with `npm install` and `npm start`, then open the URL that it prints.
import { once } from 'node:events'
import { createServer } from 'node:http'
import Database from 'better-sqlite3'
import { type Generated, Kysely, SqliteDialect } from 'kysely'
import { ModelRest, nodeApp } from 'modelrest/node'
import { kyselyModels } from './source.ts'

interface Shop {
  customers: { id: Generated<number>; name: string }
  orders: { id: Generated<number>; customer_id: number; total: number; ordered_on: string }
}

const database = new Database(process.env['DATABASE'] ?? 'shop.db')
database.exec(`
  create table if not exists customers (id integer primary key autoincrement, name varchar(100) not null);
  create table if not exists orders (
    id integer primary key autoincrement, customer_id integer not null references customers (id),
    total decimal(10, 2) not null, ordered_on date not null)`)
const db = new Kysely<Shop>({ dialect: new SqliteDialect({ database }) })

const id = { type: 'integer', autoIncrement: true } as const
const models = kyselyModels(db, {
  Customer: { table: 'customers', columns: { id, name: 'varchar(100)' }, primaryKey: ['id'] },
  Order: {
    table: 'orders',
    columns: { id, customer_id: 'integer', total: 'decimal(10, 2)', ordered_on: 'date' },
    primaryKey: ['id'],
    foreignKeys: [{ fields: ['customer_id'], model: 'Customer', references: ['id'] }],
  },
})

const app = nodeApp({ base: '/api' })
const rest = new ModelRest(app, { models })
await rest.init()

const server = createServer(app).listen(Number(process.env['PORT'] ?? 3000))
await once(server, 'listening')
console.log(`http://localhost:${Object(server.address()).port}/api/docs`)

process.once('SIGTERM', async () => {
  await rest.close()
  server.close()
  await db.destroy()
})
