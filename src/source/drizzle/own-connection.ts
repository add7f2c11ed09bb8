import { isPromise } from '../../model/awaitable.ts'
import type { Awaitable } from '../source.ts'
import { type Gate, gateOfTransaction } from './fenced.ts'
import { isPool } from './has-transactions.ts'
import { sessionOver } from './session-over.ts'

/** The little that we ask of the clients of node-postgres, and of those made like them. */
interface Client {
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
  query(...question: readonly unknown[]): unknown
  /** `I`: it is in no transaction. */
  getTransactionStatus?(): unknown
  /** @param isBroken nobody else shall get it */
  release(isBroken?: boolean): void
}

interface Pool {
  connect(connected: (error: unknown, client: Client) => void): void
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
  const client = await connected(clientOf(session) as Pool)
  const gate = gateOfTransaction()
  const progress: Progress = { hasBegun: false, isThrough: false }
  try {
    const result = await run(sessionOver(session, watched(client, gate, progress)))
    progress.isThrough = true
    return result
  } finally {
    gate.close()
    client.release(!isClean(client, progress))
    client.off('error', ignored)
  }
}

/**
 * A server that ends may say so right behind its welcome. Both are read in one go, before a promise is told of the
 * connection, so that only a callback comes soon enough to listen.
 */
const connected = (pool: Pool): Promise<Client> =>
  new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (error) return reject(error)
      client.on('error', ignored)
      resolve(client)
    })
  })

interface Progress {
  /** `begin`, the first statement, was answered. */
  hasBegun: boolean
  /** Nothing was thrown. */
  isThrough: boolean
}

/** A `begin` that was given up may still take effect, and what the next user of the connection writes would be lost. */
const isClean = (client: Client, { hasBegun, isThrough }: Progress): boolean => {
  const status = client.getTransactionStatus?.()
  return hasBegun && (status === undefined ? isThrough : status === 'I')
}

/** The client as a transaction gets it. */
const watched = (client: Client, gate: Gate, progress: Progress): Client => {
  const query: Client['query'] = (...question) => {
    gate.pass(textOf(question[0]))
    const answer = client.query(...question)
    if (!progress.hasBegun && isPromise(answer)) {
      answer.then(() => {
        progress.hasBegun = true
      }, ignored)
    }
    return answer
  }
  return new Proxy(client, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)),
  })
}

const textOf = (question: unknown): unknown =>
  typeof question === 'object' && question !== null ? Reflect.get(question, 'text') : question

const clientOf = (session: object): unknown => Reflect.get(session, 'client')

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
