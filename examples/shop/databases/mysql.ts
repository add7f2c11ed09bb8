import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/mysql2'
import { migrate } from 'drizzle-orm/mysql2/migrator'
import { createPool, type PoolOptions, type RowDataPacket } from 'mysql2/promise'
import type { OpenDatabase, ShopDatabase } from '../db.ts'
import { isNew, seed } from '../seed.ts'

const migrationsFolder = fileURLToPath(new URL('../migrations/mysql', import.meta.url))

/** Opens a MariaDB or MySQL database. Its times are in UTC, whatever the server's are. */
export const open = async (uri: string, products: number): Promise<OpenDatabase> => {
  const options: PoolOptions = { uri, timezone: 'Z', connectTimeout: 5000 }
  const client = createPool(options)
  client.pool.on('connection', (connection) => {
    connection.query(`set time_zone = '+00:00', transaction_isolation = 'READ-COMMITTED'`)
  })
  const db = drizzle({ client })
  const lock = await client.getConnection()
  try {
    // Of several processes one migrates and fills the database, and the others wait.
    const [[answer]] = await lock.query<RowDataPacket[]>(`select get_lock('shop', 60) as is_ours`)
    if (answer?.['is_ours'] !== 1) throw new Error('Another process did not get ready within a minute.')
    await migrate(db, { migrationsFolder })
    await db.transaction(async (inside) => {
      const shop = inside as object as ShopDatabase
      if (await isNew(shop)) for (const statement of seed(shop, products)) await statement
    })
    await lock.query(`do release_lock('shop')`)
  } catch (error) {
    lock.destroy()
    await client.end()
    throw error
  }
  lock.release()
  return { db: db as object as ShopDatabase, close: () => client.end() }
}
