import { codeOf, isOfPostgres } from './errors.ts'
import { NotConnected } from './not-connected.ts'

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
export const isReadOnly = (error: unknown): boolean => codeOf(Object(error)) === '25006'

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
