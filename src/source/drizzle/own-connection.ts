import type { Awaitable } from '../source.ts'
import { isPool } from './has-transactions.ts'

/** The little that we ask of the clients of node-postgres, and of those made like them. */
interface Client {
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
  /** `I`: it is in no transaction. */
  getTransactionStatus?(): unknown
  /** @param isBroken nobody else shall get it */
  release(isBroken?: boolean): void
}

interface Pool {
  connect(): Promise<Client>
}

const ignored = (): void => undefined

/**
 * Runs something over a connection of its own, as a transaction needs it, and gives the connection back.
 *
 * Drizzle itself keeps the connection for ever where `begin` fails, so that a restart of the database empties the pool. And
 * nobody listens to a connection that is in use: one that breaks between two statements would end the program.
 *
 * @param session drizzle's own, over a pool
 * @param run what is given a session of the same kind over one connection
 */
export const onOwnConnection = async <Session extends object, T>(
  session: Session,
  run: (own: Session) => Awaitable<T>,
): Promise<T> => {
  const pool = clientOf(session) as Pool
  const client = await pool.connect()
  client.on('error', ignored)
  try {
    return await run(sessionOver(session, client))
  } finally {
    const status = client.getTransactionStatus?.() ?? 'I'
    client.release(status !== 'I')
    client.off('error', ignored)
  }
}

const clientOf = (session: object): unknown => Reflect.get(session, 'client')

/** The sessions of these drivers are all made of the same four. */
const sessionOver = <Session extends object>(session: Session, client: Client): Session => {
  const [dialect, schema, options] = ['dialect', 'schema', 'options'].map((name) =>
    Reflect.get(session, name),
  )
  return Reflect.construct(session.constructor, [client, dialect, schema, options])
}

interface Emitter {
  on(event: 'error', listener: () => void): unknown
  listenerCount(event: 'error'): number
}

/**
 * A pool emits an error where the database ends connections that nobody uses, and an error without a listener ends the
 * program. The next statement gets another connection, or the refusal: there is nothing else to do.
 */
export const outliveLostConnections = (session: object): void => {
  const client = clientOf(session)
  if (isPool(client) && isEmitter(client) && client.listenerCount('error') === 0) client.on('error', ignored)
}

const isEmitter = (client: unknown): client is Emitter =>
  typeof client === 'object' && client !== null && 'listenerCount' in client && 'on' in client
