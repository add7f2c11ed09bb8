import type { Socket } from 'node:net'
import { join } from 'node:path'
import { drizzle, type MySql2Database } from 'drizzle-orm/mysql2'
import { migrate as applyMigrations } from 'drizzle-orm/mysql2/migrator'
import { createConnection, createPool } from 'mysql2/promise'
import { folder, read } from './env.ts'

const uri = read('DATABASE_URL') ?? 'mysql://root:mysql@localhost:3306/__DATABASE_NAME__'

const pool = createPool({
  uri,
  connectionLimit: 10,
  // Requests that wait for a connection. More are refused.
  queueLimit: 1000,
  connectTimeout: 5000,
})

// mysql2 does not show the socket of a connection in its types.
const socketOf = (connection: object): Socket => Reflect.get(connection, 'stream')
pool.on('connection', (connection) => {
  // drizzle reads timestamps as UTC.
  connection.query("set time_zone = '+00:00', innodb_lock_wait_timeout = 5")
  const socket = socketOf(connection)
  socket.on('timeout', () => socket.destroy(new Error('The database does not respond.')))
})
// Stops waiting for a server that does not respond. Longer than any statement takes.
pool.on('acquire', (connection) => void socketOf(connection).setTimeout(20_000))
pool.on('release', (connection) => void socketOf(connection).setTimeout(0))

export const db: MySql2Database = drizzle(pool)

/** Applies pending migrations, over a connection without time limits. */
export const migrate = async (): Promise<void> => {
  const connection = await createConnection({ uri, connectTimeout: 5000 }).catch((cause: unknown) => {
    throw new Error(
      `Cannot connect to the database at ${new URL(uri).host}. Start it, or change DATABASE_URL.`,
      {
        cause,
      },
    )
  })
  try {
    // If several processes start at once, one migrates and the others wait.
    await connection.query("select get_lock('__DATABASE_NAME__', 3600)")
    await applyMigrations(drizzle(connection), { migrationsFolder: join(folder, 'migrations') })
  } finally {
    await connection.end()
  }
}

export const close = (): Promise<void> => pool.end()
