import type { Awaitable } from '../../source.ts'

/** The little that we ask of the connections of mysql2's pools. */
interface Connection {
  query(statement: string): Promise<unknown>
  release(): void
  destroy(): void
}

interface Pool {
  getConnection(): Promise<Connection>
}

/**
 * Runs something over a connection of its own, as a transaction needs it, and gives the connection back.
 *
 * Drizzle itself keeps the connection for ever where `begin` fails, as it does on a node of a cluster that waits for the
 * others: in the end the pool is empty.
 */
export const onOwnMysqlConnection = async <Session extends object, T>(
  session: Session,
  run: (own: Session) => Awaitable<T>,
): Promise<T> => {
  const pool = Reflect.get(session, 'client') as Pool
  const connection = await pool.getConnection()
  let isClean = false
  try {
    const result = await run(sessionOver(session, connection))
    isClean = true
    return result
  } finally {
    if (isClean || (await isUndone(connection))) connection.release()
    else connection.destroy()
  }
}

/** Nobody else gets a connection that is in a transaction. */
const isUndone = async (connection: Connection): Promise<boolean> => {
  try {
    await connection.query('rollback')
    return true
  } catch {
    return false
  }
}

const sessionOver = <Session extends object>(session: Session, connection: Connection): Session => {
  const [dialect, schema, options] = ['dialect', 'schema', 'options'].map((name) =>
    Reflect.get(session, name),
  )
  return Reflect.construct(session.constructor, [connection, dialect, schema, options])
}
