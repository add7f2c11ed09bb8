import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/mysql2'
import { migrate } from 'drizzle-orm/mysql2/migrator'
import { createPool, type Pool, type PoolOptions, type RowDataPacket } from 'mysql2/promise'
import type { OpenDatabase, ShopDatabase } from '../db.ts'
import { isNew, seed } from '../seed.ts'

const migrationsFolder = fileURLToPath(new URL('../migrations/mysql', import.meta.url))

/** Milliseconds to wait for a server that stopped responding: longer than any statement takes. */
const PATIENCE = 20_000

/** Connections that use UTC, whatever the time zone of the server. */
const poolOf = (uri: string): Pool => {
  const options: PoolOptions = { uri, timezone: 'Z', connectTimeout: 5000 }
  const client = createPool(options)
  client.on('connection', (connection) => {
    connection.query(`set time_zone = '+00:00'`)
    connection.query('set session transaction isolation level read committed')
  })
  return client
}

/** Closes connections that receive nothing while they are in use. */
const impatient = (client: Pool): Pool => {
  const socketOf = (connection: object): Socket => Reflect.get(connection, 'stream')
  const silent = () => Object.assign(new Error('The database stopped responding.'), { code: 'ETIMEDOUT' })
  client.on('connection', (connection) => {
    const socket = socketOf(connection)
    socket.on('timeout', () => socket.destroy(silent()))
  })
  client.on('acquire', (connection) => void socketOf(connection).setTimeout(PATIENCE))
  client.on('release', (connection) => void socketOf(connection).setTimeout(0))
  return client
}

/** For holders of the lock, which may be idle, and for those that wait. MariaDB and MySQL name the limits differently. */
const withoutLimits =
  'set session wait_timeout = 86400 /*M! , max_statement_time = 0 */ /*!80000 , max_execution_time = 0 */'

/** Opens a MariaDB or MySQL database. */
export const open = async (uri: string, products: number): Promise<OpenDatabase> => {
  await start(uri, products)
  const client = impatient(poolOf(uri))
  return { db: drizzle({ client }) as object as ShopDatabase, close: () => client.end() }
}

/** One process migrates and fills the database while the others wait. */
const start = async (uri: string, products: number): Promise<void> => {
  const client = poolOf(uri)
  client.on('connection', (connection) => void connection.query(withoutLimits))
  const db = drizzle({ client })
  try {
    const lock = await client.getConnection()
    const [[answer]] = await lock.query<RowDataPacket[]>(`select get_lock('shop', 3600) as is_ours`)
    if (answer?.['is_ours'] !== 1)
      throw new Error('Another process held the migration lock for more than an hour.')
    await migrate(db, { migrationsFolder })
    await db.transaction(async (inside) => {
      const shop = inside as object as ShopDatabase
      if (await isNew(shop)) for (const statement of seed(shop, products)) await statement
    })
  } finally {
    // Closing the connection releases the lock.
    await client.end()
  }
}
