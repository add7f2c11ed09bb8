import type { Awaitable } from '../source.ts'
import type { Database } from './database.ts'
import { entityNames } from './entity.ts'
import { codeOf, textOf } from './errors.ts'

/**
 * postgres.js goes on with a transaction whose connection broke: the `rollback` that it sends nowhere, or a hook's next
 * statement, is an exception that nobody can catch, and ends the program. So nothing is sent any more once the connection
 * is lost: the statements of hooks are refused, and the driver never hears of the end of the work. It has given the
 * transaction up by itself then. Any other driver stays as it is.
 */
export const outlivingBrokenTransactions = (database: Database): Database => {
  const session = sessionOf(database.handle)
  if (session === undefined || !entityNames(session).includes('PostgresJsSession')) return database
  return Object.freeze<Database>({
    ...database,
    transaction: <T>(work: (inside: Database) => Awaitable<T>): Promise<T> => {
      let isOver = false
      const isLost = (): boolean => isOver
      const running = database.transaction(async (inside) => {
        fence(inside.handle, isLost)
        try {
          const result = await work(inside)
          return isOver ? await never : result
        } catch (error) {
          if (isOver || breaks(error)) return await never
          throw error
        }
      }) as Promise<T>
      running.then(undefined, () => {
        isOver = true
      })
      return running
    },
  })
}

const never = new Promise<never>(() => undefined)

const sessionOf = (handle: object): object | undefined => {
  const session: unknown = Reflect.get(handle, 'session')
  return typeof session === 'object' && session !== null ? session : undefined
}

type Unsafe = (...statement: readonly unknown[]) => unknown
type Savepoint = (work: (inside: object) => unknown) => Promise<unknown>

/** What a session asks its client for. */
interface Client {
  readonly unsafe: Unsafe
  readonly savepoint: Savepoint
}

const fence = (transaction: object, isLost: () => boolean): void => {
  const session = sessionOf(transaction)
  if (session === undefined) return
  Reflect.set(session, 'client', fenced(Reflect.get(session, 'client'), isLost))
}

const fenced = (client: Client, isLost: () => boolean): object => {
  const instead: Client = {
    unsafe: (...statement) => (isLost() ? refusedQuery() : client.unsafe(...statement)),
    savepoint: async (work) =>
      isLost()
        ? refusedQuery()
        : client.savepoint(async (inside) => {
            try {
              return await work(fenced(inside as Client, isLost))
            } catch (error) {
              if (isLost() || breaks(error)) return await never
              throw error
            }
          }),
  }
  return new Proxy(client, {
    get: (target, name) => Reflect.get(name in instead ? instead : target, name),
  })
}

/** What the driver gives for a statement: drizzle waits for it, or for its values. */
const refusedQuery = (): unknown => {
  const refused = Promise.reject(
    Object.assign(new Error('The connection broke.'), { code: 'CONNECTION_CLOSED' }),
  )
  refused.catch(() => undefined)
  return Object.assign(refused, { values: () => refused })
}

/** Codes of Node.js and postgres.js after which the socket is closed, or about to be. */
const broken: ReadonlySet<string> = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNABORTED', 'ECONNRESET', 'EHOSTUNREACH'],
  ...['ENETUNREACH', 'EPIPE', 'ETIMEDOUT'],
])

const MAX_CAUSES = 6

/** Whether the connection is gone with an error. After a fatal one the server closes it. */
const breaks = (error: unknown): boolean => {
  let inner = error
  for (let depth = 0; depth < MAX_CAUSES && inner instanceof Error; depth += 1) {
    if (broken.has(codeOf(inner)) || textOf(inner, 'severity') === 'FATAL') return true
    inner = inner.cause
  }
  return false
}
