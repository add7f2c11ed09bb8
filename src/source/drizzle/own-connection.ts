import { isPromise } from '../../model/awaitable.ts'
import type { Awaitable } from '../source.ts'
import { type Gate, gateOfTransaction } from './fenced.ts'
import { type Client, isReadOnly, outliveError, type Pool } from './node-postgres.ts'
import { NotConnected } from './not-connected.ts'
import { sessionOver } from './session-over.ts'

/**
 * Runs something over a connection of its own, as a transaction needs it, and gives the connection back.
 *
 * Drizzle itself keeps the connection for ever where `begin` fails, so that a restart of the database empties the pool.
 *
 * @param session drizzle's own, over a pool
 * @param run what is given a session of the same kind over one connection
 */
export const onOwnConnection = async <Session extends object, T>(
  session: Session,
  run: (own: Session) => Awaitable<T>,
): Promise<T> => {
  const client = await connected(Reflect.get(session, 'client') as Pool)
  const gate = gateOfTransaction()
  const progress: Progress = { hasBegun: false, isThrough: false, isReadOnly: false }
  try {
    const result = await run(sessionOver(session, watched(client, gate, progress)))
    progress.isThrough = true
    return result
  } finally {
    gate.close()
    client.release(!isClean(client, progress))
  }
}

/**
 * A server that ends may say so right behind its welcome. Both are read in one go, before a promise is told of the
 * connection, so that only a callback comes soon enough to listen. Pools of node-postgres are listened to already; those made
 * like them are not.
 */
const connected = (pool: Pool): Promise<Client> =>
  new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (error) return reject(new NotConnected(error))
      outliveError(client)
      resolve(client)
    })
  })

interface Progress {
  /** `begin`, the first statement, was answered. */
  hasBegun: boolean
  /** Nothing was thrown. */
  isThrough: boolean
  /** The server takes no writes. The next transaction shall not meet it again. */
  isReadOnly: boolean
}

/** A `begin` that was given up may still take effect, and what the next user of the connection writes would be lost. */
const isClean = (client: Client, { hasBegun, isThrough, isReadOnly }: Progress): boolean => {
  const status = client.getTransactionStatus?.()
  return hasBegun && !isReadOnly && (status === undefined ? isThrough : status === 'I')
}

/** The client as a transaction gets it. */
const watched = (client: Client, gate: Gate, progress: Progress): Client => {
  const query: Client['query'] = (...question) => {
    gate.pass(textOf(question[0]))
    const answer = client.query(...question)
    if (isPromise(answer)) {
      answer.then(
        () => {
          progress.hasBegun = true
        },
        (error: unknown) => {
          progress.isReadOnly ||= isReadOnly(error)
        },
      )
    }
    return answer
  }
  return new Proxy(client, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)),
  })
}

const textOf = (question: unknown): unknown =>
  typeof question === 'object' && question !== null ? Reflect.get(question, 'text') : question
