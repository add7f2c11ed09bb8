import { isPromise } from '../../model/objects.ts'
import type { Awaitable } from '../source.ts'
import { codeOf, isOfPostgres, NotConnected } from '../sql/errors.ts'
import { type Gate, gateOfTransaction, sessionOver } from './driver.ts'

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
    gate.pass(statementText(question[0]))
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

const statementText = (question: unknown): unknown =>
  typeof question === 'object' && question !== null ? Reflect.get(question, 'text') : question

/** The little that we ask of the clients of node-postgres, and of those made like them. */
export interface Client {
  on(event: 'error', listener: () => void): unknown
  query(...question: readonly unknown[]): unknown
  /** `I`: it is in no transaction. */
  getTransactionStatus?(): unknown
  /** @param isBroken nobody else shall get it */
  release(isBroken?: boolean): void
}

export interface Pool {
  connect(connected: (error: unknown, client: Client) => void): void
}

const heard = new WeakSet<Client>()

/**
 * Nobody listens to a connection that is in use: one that breaks between two statements would end the program. Who uses it
 * hears of it by the next statement.
 */
export const outliveError = (client: Client): void => {
  if (heard.has(client)) return
  heard.add(client)
  client.on('error', () => undefined)
}

/** Whether the server takes no writes: others may lead to one that does, as after a failover. */
const isReadOnly = (error: unknown): boolean => codeOf(Object(error)) === '25006'

/** The server ends the connection, takes no writes or has gone wrong; or somebody left a transaction behind. */
const isUnusable = /^(08|25|57P|XX)/

/** Whether the server refused a statement, and nothing else: its connection is as good as before. */
const isMereRefusal = (error: unknown): boolean =>
  isOfPostgres(Object(error)) && !isUnusable.test(codeOf(Object(error)))

/**
 * A pool for statements that stand alone. The pool's own `query` throws the connection of each statement away that is
 * refused: an import with many conflicts would connect anew for each of them.
 */
export const forStatements = (pool: Pool): object => ({
  query: (config: unknown, values: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      pool.connect((unreached, client) => {
        if (unreached) return reject(new NotConnected(unreached))
        let isReleased = false
        // A value that cannot be sent is told of twice.
        const answered = (error: unknown, result?: unknown): void => {
          if (isReleased) return
          isReleased = true
          client.release(Boolean(error) && !isMereRefusal(error))
          if (error) reject(error)
          else resolve(result)
        }
        try {
          client.query(config, values, answered)
        } catch (error) {
          answered(error)
        }
      })
    }),
})
