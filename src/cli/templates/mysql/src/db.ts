import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { drizzle, type MySql2Database } from 'drizzle-orm/mysql2'
import { migrate as applyMigrations } from 'drizzle-orm/mysql2/migrator'
import { createConnection, createPool } from 'mysql2/promise'
import { folder, read } from './env.ts'

const uri = read('DATABASE_URL') ?? 'mysql://root:mysql@localhost:3306/__DATABASE_NAME__'

// The message does not repeat the URL, because it may contain a password.
if (!/^(mysql|mariadb):\/\//.test(uri) || !URL.parse(uri)?.hostname)
  throw new Error(
    'DATABASE_URL must have the form mysql://user:password@host:3306/database. ' +
      'In the password, write %2F for / and %23 for #.',
  )

const { host, hostname, port } = new URL(uri)

/** Opens a connection, and ends it if it is silent for 20 seconds: in use, because the server is gone, or unused. */
const openSocket = (): Socket => {
  const socket = connect({ host: hostname, port: Number(port || 3306), keepAlive: true, noDelay: true })
  // Longer than any statement takes.
  return socket.setTimeout(20_000, () => socket.destroy(new Error('The database does not respond.')))
}

const pool = createPool({
  uri,
  stream: openSocket,
  connectionLimit: 10,
  // Requests that wait for a connection. More are refused.
  queueLimit: 1000,
  connectTimeout: 5000,
})

pool.on('connection', (connection) => {
  // drizzle reads timestamps as UTC.
  connection.query("set time_zone = '+00:00', innodb_lock_wait_timeout = 5")
})

export const db: MySql2Database = drizzle(pool)

/** Applies pending migrations, over a connection without time limits. */
export const migrate = async (): Promise<void> => {
  const connection = await createConnection({ uri, connectTimeout: 5000 }).catch(
    ({ code, message }: NodeJS.ErrnoException) => {
      throw new Error(
        `Cannot connect to the database at ${host} (${code ?? message}). Start it, or change DATABASE_URL.`,
      )
    },
  )
  try {
    // If several processes start at once, one migrates and the others wait.
    await connection.query("select get_lock('__DATABASE_NAME__', 3600)")
    await applyMigrations(drizzle(connection), { migrationsFolder: join(folder, 'migrations') })
  } finally {
    await connection.end()
  }
}

export const close = (): Promise<void> => pool.end()
