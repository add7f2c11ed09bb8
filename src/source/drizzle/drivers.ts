import pLimit, { type LimitFunction } from 'p-limit'
import { onceFor } from '../../model/objects.ts'
import type { Awaitable, ConnectionQueue } from '../source.ts'
import { lineOf } from '../sql/connection-line.ts'
import { codeOf, isOfPostgres, NotConnected, textProperty } from '../sql/errors.ts'
import { readMysqlError } from '../sql/mysql-errors.ts'
import { transactionEnded } from '../sql/transactions.ts'
import { type DrizzleHandle, type DrizzleSession, entityNames, knownOf, sessionOver } from './internals.ts'

/** Sessions with a single connection or none: other requests would write into an open transaction. */
const sharing: ReadonlySet<string> = new Set([
  ...['NeonHttpSession', 'OPSQLiteSession', 'PgRemoteSession', 'SQLiteD1Session', 'SQLiteRemoteSession'],
  ...['MySqlRemoteSession', 'XataHttpSession'],
])

/** Sessions that may have a pool, with the member that identifies the pool. */
const poolMembers: ReadonlyMap<string, string> = new Map([
  ['NeonSession', 'totalCount'],
  ['NodePgSession', 'totalCount'],
  ['VercelPgSession', 'totalCount'],
  ['MySql2Session', 'getConnection'],
])

export const hasTransactions = (session: DrizzleSession): boolean => {
  const member = knownOf(session, poolMembers)
  if (member !== undefined) return member in session.client
  return !entityNames(session).some((name) => sharing.has(name))
}

interface Connection {
  query(...question: readonly unknown[]): unknown
  release(isBroken?: boolean): void
  /** Only in mysql2. */
  destroy(): void
}

/** A pool. Each driver has one of the two methods. */
type Pool = Readonly<Record<'connect' | 'getConnection', () => Promise<Connection>>>

interface Pooling {
  connect(pool: Pool): Promise<Connection>
  release(connection: Connection, isUsable: boolean): void
  query(connection: Connection, question: readonly unknown[]): Promise<unknown>
  /**
   * `undone`: the server rolled the transaction back and would commit later statements on their own, so a hook that
   * continues after a deadlock would save half of its work. `unusable`: the connection broke, or belongs to a read-only
   * server while another connection may reach a writable one. A `begin` that timed out may still take effect on it.
   */
  stateAfter(error: object): 'open' | 'undone' | 'unusable'
}

const nodePostgres: Pooling = {
  connect: (pool) => pool.connect(),
  release: (client, isUsable) => client.release(!isUsable),
  // With its own promises, V8 keeps what a statement has read until the next collection of old objects.
  query: (client, question) =>
    new Promise((resolve, reject) => {
      client.query(...question, (error: unknown, result: unknown) => {
        if (error) reject(error)
        else resolve(result)
      })
    }),
  stateAfter: (error) =>
    isOfPostgres(error) && !/^(08|25|57P|XX)/.test(codeOf(error)) ? 'open' : 'unusable',
}

/** The server or the transaction is read-only. */
const mysqlReadOnly: ReadonlySet<unknown> = new Set([1290, 1792, 1836])
/** With `innodb_rollback_on_timeout`, the server rolls the whole transaction back. */
const MYSQL_LOCK_WAIT_TIMEOUT = 1205

const mysql2: Pooling = {
  connect: (pool) => pool.getConnection(),
  release: (connection, isUsable) => (isUsable ? connection.release() : connection.destroy()),
  query: async (connection, question) => await connection.query(...question),
  stateAfter: (error) => {
    const number: unknown = Reflect.get(error, 'errno')
    const kind = readMysqlError(error)?.kind
    if (kind === 'contended' || number === MYSQL_LOCK_WAIT_TIMEOUT) return 'undone'
    const isOfServer = textProperty(error, 'sqlState') !== undefined
    return isOfServer && kind !== 'lost' && !mysqlReadOnly.has(number) ? 'open' : 'unusable'
  },
}

const poolings: ReadonlyMap<string, Pooling> = new Map([
  ['NodePgSession', nodePostgres],
  ['MySql2Session', mysql2],
])

const poolingOf = (session: DrizzleSession): Pooling | undefined =>
  hasTransactions(session) ? knownOf(session, poolings) : undefined

const connected = ({ connect }: Pooling, pool: object): Promise<Connection> =>
  lineOf(pool)
    .wait(() => connect(pool as Pool))
    .catch((error: unknown): never => {
      throw new NotConnected(error)
    })

/** `undefined`: the session has no pool, or one that does not show when a statement gets its connection. */
export const queueOf = (session: DrizzleSession): ConnectionQueue | undefined =>
  poolingOf(session) && lineOf(session.client).queue

/** Keeps a connection after a refused statement: the pool of node-postgres would reconnect after each conflict. */
export const sessionForStatements = (session: DrizzleSession, writes: boolean): DrizzleSession => {
  const { client } = session
  if (writes && isLibsqlFile(client)) return sessionOver(session, { execute: writingAlone(client) })
  const pooling = poolingOf(session)
  if (pooling === undefined) return session
  const ask = async (connection: Connection, question: readonly unknown[]): Promise<unknown> => {
    let isUsable = true
    try {
      return await pooling.query(connection, question)
    } catch (error) {
      isUsable = pooling.stateAfter(Object(error)) !== 'unusable'
      throw error
    } finally {
      pooling.release(connection, isUsable)
    }
  }
  const query = (...question: readonly unknown[]): Promise<unknown> =>
    connected(pooling, client).then((connection) => ask(connection, question))
  return sessionOver(session, { query })
}

export const transactionMethodOf = (handle: DrizzleHandle): DrizzleHandle['transaction'] => {
  const { session } = handle
  const { client } = session
  if (isLibsqlFile(client))
    return (work, options) => turnsOf(client)(async () => await handle.transaction(work, options))
  const pooling = poolingOf(session)
  if (pooling === undefined) return handle.transaction.bind(handle)
  return (work, options) => transactionOfPool(session, pooling, (own) => own.transaction(work, options))
}

/** The handle for hooks outside of transactions. Transactions that hooks begin also return their connection. */
export const handleForHooks = (handle: DrizzleHandle): DrizzleHandle =>
  poolingOf(handle.session) === undefined
    ? handle
    : Object.create(handle, { transaction: { value: transactionMethodOf(handle) } })

/**
 * A transaction on a connection of the pool, which always gets it back; drizzle leaks it if `begin` fails. Statements that a
 * hook did not await could run when the connection serves other requests, so only `rollback` passes once the transaction
 * is ending, and nothing after its end.
 */
const transactionOfPool = async <T>(
  session: DrizzleSession,
  pooling: Pooling,
  begin: (own: DrizzleSession) => Awaitable<T>,
): Promise<T> => {
  const connection = await connected(pooling, session.client)
  let isOpen = false
  let isUsable = true
  let isReleased = false
  let refusal: unknown
  const query = async (...question: readonly unknown[]): Promise<unknown> => {
    const text = textOfStatement(question[0])
    if (refusal !== undefined && (isReleased || text !== 'rollback')) throw refusal
    const isLast = text === 'commit' || text === 'rollback'
    if (isLast) refusal ??= transactionEnded()
    try {
      const answer = pooling.query(connection, question)
      const result = await (text === 'rollback' ? inTime(answer) : answer)
      if (isLast || isBegin.test(text)) isOpen = !isLast
      return result
    } catch (error) {
      const state = pooling.stateAfter(Object(error))
      if (state !== 'open') refusal ??= error
      isUsable &&= state !== 'unusable'
      throw error
    }
  }
  try {
    return await begin(sessionOver(session, Object.create(connection, { query: { value: query } })))
  } finally {
    isReleased = true
    refusal ??= transactionEnded()
    // A connection with an open transaction must not return to the pool.
    pooling.release(connection, isUsable && !isOpen)
  }
}

const textOfStatement = (statement: unknown): string =>
  textProperty(Object(statement), 'text') ?? textProperty(Object(statement), 'sql') ?? String(statement)

const isBegin = /^(begin|start)\b/

/** In milliseconds. A responsive server takes less time. */
const LONGEST_ROLLBACK = 5000

/** A server that vanished, or that runs an endless statement, never responds. */
const inTime = async <T>(answer: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const error = new Error(`The database did not confirm a rollback within ${LONGEST_ROLLBACK} ms.`)
  const timer = setTimeout(late.reject, LONGEST_ROLLBACK, error)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

interface LibsqlClient {
  batch(statements: readonly unknown[], mode: 'write'): Promise<readonly unknown[]>
}

const isLibsqlFile = (client: object): client is LibsqlClient =>
  textProperty(Object(client), 'protocol') === 'file' && 'batch' in client

/** Writers on the same client take turns, even for different models. */
const turnsOf = onceFor((_client: object): LimitFunction => pLimit(1))

/**
 * SQLite allows one writer. libsql's file driver refuses a second one, since waiting would block the thread. After that,
 * writes on the refused connection are lost, except in a transaction, which is refused again.
 */
const writingAlone =
  (client: LibsqlClient) =>
  (statement: unknown): Promise<unknown> =>
    turnsOf(client)(async () => (await client.batch([statement], 'write'))[0])

interface Emitter {
  on(event: string, listener: (client: Emitter) => void): unknown
  listenerCount(event: string, listener?: unknown): number
}

/**
 * An `error` event without a listener ends the process. A pool emits one if the database closes idle connections, and a
 * connection of node-postgres if it breaks between two statements. Ignoring it is safe: the next statement gets another
 * connection, or throws.
 *
 * Neon's pools have the same interface, but stop using HTTP if they have a listener for events other than `error`.
 */
export const outliveLostConnections = (session: DrizzleSession): void => {
  const pool: Emitter = Object(session.client)
  if (!('totalCount' in pool && 'listenerCount' in pool)) return
  if (pool.listenerCount('error') === 0) pool.on('error', ignore)
  const isNodePostgres = poolingOf(session) === nodePostgres
  if (isNodePostgres && pool.listenerCount('acquire', outliveErrors) === 0) pool.on('acquire', outliveErrors)
}

const ignore = (): void => undefined

const outliveErrors = (client: Emitter): void => {
  if (client.listenerCount('error', ignore) === 0) client.on('error', ignore)
}
