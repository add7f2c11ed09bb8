import { entityKind } from 'drizzle-orm'

/** Sessions that have one connection for everything, or none at all: others would write into an open transaction. */
const sharing: ReadonlySet<string> = new Set([
  ...['NeonHttpSession', 'OPSQLiteSession', 'PgRemoteSession', 'SQLiteD1Session', 'SQLiteRemoteSession'],
  ...['MySqlRemoteSession', 'XataHttpSession'],
])

/** Sessions that take a connection of their own for each transaction where they are given a pool. */
const pooling: ReadonlySet<string> = new Set(['NeonSession', 'NodePgSession', 'VercelPgSession'])

/** Whether each transaction has to be given a connection of a pool. */
export const isPooled = (session: object): boolean =>
  entityNames(session).some((name) => pooling.has(name)) && isPool(Reflect.get(session, 'client'))

/** The same, of node-postgres alone, and not of what is made like it. */
export const isNodePostgresPooled = (session: object): boolean =>
  isNodePostgres(session) && isPool(Reflect.get(session, 'client'))

const isNodePostgres = (session: object): boolean => entityNames(session).includes('NodePgSession')

/** The same, of mysql2. */
export const isMysqlPooled = (session: object): boolean =>
  isMysql2(session) && isMysqlPool(Reflect.get(session, 'client'))

const isMysql2 = (session: object): boolean => entityNames(session).includes('MySql2Session')

/** Whether the driver keeps each transaction apart from everything else that goes on. */
export const hasTransactions = (session: object): boolean => {
  const names = entityNames(session)
  if (names.some((name) => sharing.has(name))) return false
  if (isMysql2(session)) return isMysqlPooled(session)
  return !names.some((name) => pooling.has(name)) || isPool(Reflect.get(session, 'client'))
}

const isMysqlPool = (client: unknown): boolean =>
  typeof client === 'object' && client !== null && 'getConnection' in client

/** A pool of node-postgres, or of a driver made like it. */
export const isPool = (client: unknown): boolean =>
  typeof client === 'object' && client !== null && 'totalCount' in client

/**
 * A session of the same kind over one connection. Those of node-postgres, of what is made like it, and of mysql2 are all
 * made of the same four.
 */
export const sessionOver = <Session extends object>(session: Session, connection: object): Session => {
  const [dialect, schema, options] = ['dialect', 'schema', 'options'].map((name) =>
    Reflect.get(session, name),
  )
  return Reflect.construct(session.constructor, [connection, dialect, schema, options])
}

/** A handle, and how to end its use. */
interface Fenced {
  readonly handle: object
  /** Whether anything was done with it. */
  readonly isUsed: () => boolean
  readonly end: () => void
}

/**
 * The handle of a transaction as hooks get it. What they start with it and do not wait for would go on after the end, on
 * a connection that serves others by then: it is refused.
 */
export const fenced = (transaction: object): Fenced => {
  let ended = false
  let used = false
  const handle = new Proxy(transaction, {
    get: (target, property) => {
      if (ended) throw transactionEnded()
      used = true
      return Reflect.get(target, property)
    },
  })
  return {
    handle,
    isUsed: () => used,
    end: () => {
      ended = true
    },
  }
}

export const transactionEnded = (): Error =>
  new Error('The transaction of this context.db has ended. Await what is done with it.')

/** What lets statements through to the connection of a transaction. */
export interface Gate {
  /** @throws where the transaction has ended, or is told to end. */
  readonly pass: (statement: unknown) => void
  readonly close: () => void
}

/**
 * The gate of one connection. A transaction within a transaction is drizzle's own, and a hook may still use it when the
 * outer one has ended: what it sends behind `commit` or `rollback` would be stored on its own, and later even inside of
 * the transaction of somebody else.
 */
export const gateOfTransaction = (): Gate => {
  let state: 'open' | 'ending' | 'closed' = 'open'
  return {
    pass: (statement) => {
      // Drizzle sends it where `commit` failed.
      const isLast = statement === 'rollback'
      if (state === 'closed' || (state === 'ending' && !isLast)) throw transactionEnded()
      if (isLast || statement === 'commit') state = 'ending'
    },
    close: () => {
      state = 'closed'
    },
  }
}

/**
 * The names that drizzle gives to an object's class and those above it: `SQLiteTable`, `Table`.
 *
 * Asked by name, so that no dialect is loaded that the application does not use, and another copy of drizzle is known too.
 */
export const entityNames = (value: object): readonly string[] => {
  const names: string[] = []
  let prototype: unknown = Object.getPrototypeOf(value)
  while (typeof prototype === 'object' && prototype !== null) {
    const name: unknown = Reflect.get(prototype.constructor, entityKind)
    if (typeof name === 'string') names.push(name)
    prototype = Object.getPrototypeOf(prototype)
  }
  return names
}
