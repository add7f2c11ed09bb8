import { isPromise } from '../../model/objects.ts'
import type { Awaitable } from '../source.ts'
import { codeOf, textOf } from '../sql/errors.ts'
import type { Database } from './database.ts'
import { entityNames, transactionEnded } from './driver.ts'

/**
 * postgres.js goes on with a transaction whose connection broke: the `rollback` that it sends nowhere, or a hook's next
 * statement, is an exception that nobody can catch, and ends the program. So nothing is sent any more once the connection
 * is lost: the statements of hooks are refused, and the driver never hears of the end of the work. It has given the
 * transaction up by itself then. What a hook throws says nothing of the connection: only its own statements do.
 *
 * Nor is anything sent once the work is done: the connection serves others by then. Any other driver stays as it is.
 */
export const outlivingBrokenTransactions = (database: Database): Database => {
  if (!isPostgresJs(database.handle)) return database
  return Object.freeze<Database>({
    ...database,
    transaction: (work) =>
      outliving((run) => database.transaction((inside) => run(inside.handle, () => work(inside)))),
  })
}

/** Whether drizzle speaks through postgres.js. */
export const isPostgresJs = (handle: object): boolean => {
  const session = sessionOf(handle)
  return session !== undefined && entityNames(session).includes('PostgresJsSession')
}

type Run<T> = (transaction: object, work: () => Awaitable<T>) => Promise<T>

/** @param begin begins a transaction of drizzle, and runs its work by `run` */
export const outliving = <T>(begin: (run: Run<T>) => Awaitable<T>): Promise<T> => {
  const way: Way = { isLost: false, hasEnded: false }
  const running = begin(async (transaction, work) => {
    fence(transaction, way)
    try {
      const result = await work()
      return way.isLost ? await never() : result
    } catch (error) {
      if (way.isLost) return await never()
      throw error
    } finally {
      way.hasEnded = true
    }
  }) as Promise<T>
  running.then(undefined, () => {
    way.isLost = true
  })
  return running
}

/** The connection of one transaction. */
interface Way {
  isLost: boolean
  /** The transaction is told to end. */
  hasEnded: boolean
}

/** A promise of its own: what waits for it can be forgotten. */
const never = (): Promise<never> => new Promise(() => undefined)

const note = (way: Way, error: unknown): void => {
  if (breaks(error)) way.isLost = true
}

const refusalOf = ({ isLost, hasEnded }: Way): Error | undefined => {
  if (hasEnded) return transactionEnded()
  return isLost ? Object.assign(new Error('The connection broke.'), { code: 'CONNECTION_CLOSED' }) : undefined
}

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

const fence = (transaction: object, way: Way): void => {
  const session = sessionOf(transaction)
  if (session === undefined) return
  Reflect.set(session, 'client', fenced(Reflect.get(session, 'client'), way))
}

const fenced = (client: Client, way: Way): object => {
  const instead: Client = {
    unsafe: (...statement) => {
      const refusal = refusalOf(way)
      if (refusal !== undefined) return refusedQuery(refusal)
      const query = client.unsafe(...statement)
      if (isPromise(query)) query.then(undefined, (error: unknown) => note(way, error))
      return query
    },
    savepoint: (work) => {
      const refusal = refusalOf(way)
      return refusal === undefined ? savepointOf(client, way, work) : Promise.reject(refusal)
    },
  }
  return new Proxy(client, {
    get: (target, name) => Reflect.get(name in instead ? instead : target, name),
  })
}

/** Where it is too late, whoever waits for it hears of it, but not the driver: it would send a `rollback to`. */
const savepointOf = (client: Client, way: Way, work: Parameters<Savepoint>[0]): Promise<unknown> =>
  new Promise((resolve, reject) => {
    let thrown: unknown
    const entered = async (inside: object): Promise<unknown> => {
      try {
        const result = await work(fenced(inside as Client, way))
        const refusal = refusalOf(way)
        if (refusal !== undefined) throw refusal
        return result
      } catch (error) {
        thrown = error
        if (refusalOf(way) === undefined) throw error
        reject(error)
        return await never()
      }
    }
    client.savepoint(entered).then(resolve, (error: unknown) => {
      // Else it is of the driver's own statements.
      if (error !== thrown) note(way, error)
      reject(error)
    })
  })

/** What the driver gives for a statement: drizzle waits for it, or for its values. */
const refusedQuery = (refusal: Error): unknown => {
  const refused = Promise.reject(refusal)
  refused.catch(() => undefined)
  return Object.assign(refused, { values: () => refused })
}

/** Codes of Node.js and postgres.js after which the socket is closed, or about to be. */
const broken: ReadonlySet<string> = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNABORTED', 'ECONNRESET', 'EHOSTUNREACH'],
  ...['ENETUNREACH', 'EPIPE', 'ETIMEDOUT'],
])

/** Whether the connection is gone with an error of its own. After a fatal one the server closes it. */
const breaks = (error: unknown): boolean =>
  error instanceof Error && (broken.has(codeOf(error)) || textOf(error, 'severity') === 'FATAL')
