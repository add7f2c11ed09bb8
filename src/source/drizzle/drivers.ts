import pLimit, { type LimitFunction } from 'p-limit'
import { onceFor } from '../../model/objects.ts'
import type { Awaitable } from '../source.ts'
import { codeOf, isOfPostgres, NotConnected, textOf } from '../sql/errors.ts'
import { readMysqlError } from '../sql/mysql-errors.ts'
import { entityNames, type Handle, knownOf, type Session, sessionOver } from './internals.ts'

/** Sessions that have one connection for everything, or none at all: others would write into an open transaction. */
const sharing: ReadonlySet<string> = new Set([
  ...['NeonHttpSession', 'OPSQLiteSession', 'PgRemoteSession', 'SQLiteD1Session', 'SQLiteRemoteSession'],
  ...['MySqlRemoteSession', 'XataHttpSession'],
])

/** Sessions that take connections of a pool, if they have one, and what the pool is known by. */
const poolMembers: ReadonlyMap<string, string> = new Map([
  ['NeonSession', 'totalCount'],
  ['NodePgSession', 'totalCount'],
  ['VercelPgSession', 'totalCount'],
  ['MySql2Session', 'getConnection'],
])

export const hasTransactions = (session: Session): boolean => {
  const member = knownOf(session, poolMembers)
  if (member !== undefined) return member in session.client
  return !entityNames(session).some((name) => sharing.has(name))
}

interface Connection {
  query(...question: readonly unknown[]): Promise<unknown>
  release(isBroken?: boolean): void
  /** Only of mysql2. */
  destroy(): void
}

/** A pool, by the one of two names that its driver has for it. */
type Pool = Readonly<Record<'connect' | 'getConnection', () => Promise<Connection>>>

interface Pooling {
  connect(pool: Pool): Promise<Connection>
  giveBack(connection: Connection, isUsable: boolean): void
  /**
   * `undone`: the server has undone the transaction, and takes what comes next as one of its own: a hook that goes on after
   * a deadlock would store half of what it does. `unusable`: the connection broke, or leads to a server that takes no
   * writes, while others may lead to one that does. A `begin` that was given up may still take effect over it.
   */
  stateAfter(error: object): 'open' | 'undone' | 'unusable'
}

const nodePostgres: Pooling = {
  connect: (pool) => pool.connect(),
  giveBack: (client, isUsable) => client.release(!isUsable),
  stateAfter: (error) =>
    isOfPostgres(error) && !/^(08|25|57P|XX)/.test(codeOf(error)) ? 'open' : 'unusable',
}

/** A server, or a transaction, that may only read. */
const mysqlReadOnly: ReadonlySet<unknown> = new Set([1290, 1792, 1836])
/** A server may be set up to undo the whole transaction for it. */
const MYSQL_LOCK_WAIT_TIMEOUT = 1205

const mysql2: Pooling = {
  connect: (pool) => pool.getConnection(),
  giveBack: (connection, isUsable) => (isUsable ? connection.release() : connection.destroy()),
  stateAfter: (error) => {
    const number: unknown = Reflect.get(error, 'errno')
    const kind = readMysqlError(error)?.kind
    if (kind === 'contended' || number === MYSQL_LOCK_WAIT_TIMEOUT) return 'undone'
    const isOfServer = textOf(error, 'sqlState') !== undefined
    return isOfServer && kind !== 'lost' && !mysqlReadOnly.has(number) ? 'open' : 'unusable'
  },
}

const poolings: ReadonlyMap<string, Pooling> = new Map([
  ['NodePgSession', nodePostgres],
  ['MySql2Session', mysql2],
])

const poolingOf = (session: Session): Pooling | undefined =>
  hasTransactions(session) ? knownOf(session, poolings) : undefined

const connected = async ({ connect }: Pooling, pool: object): Promise<Connection> => {
  try {
    return await connect(pool as Pool)
  } catch (error) {
    throw new NotConnected(error)
  }
}

/** Keeps a connection whose statement was refused: the pool of node-postgres would connect anew after each conflict. */
export const sessionForStatements = (session: Session, writes: boolean): Session => {
  const { client } = session
  if (writes && isLibsqlFile(client)) return sessionOver(session, { execute: writingAlone(client) })
  const pooling = poolingOf(session)
  if (pooling === undefined) return session
  const query = async (...question: readonly unknown[]): Promise<unknown> => {
    const connection = await connected(pooling, client)
    let isUsable = true
    try {
      return await connection.query(...question)
    } catch (error) {
      isUsable = pooling.stateAfter(Object(error)) !== 'unusable'
      throw error
    } finally {
      pooling.giveBack(connection, isUsable)
    }
  }
  return sessionOver(session, { query })
}

export const transactionMethodOf = (handle: Handle): Handle['transaction'] => {
  const { session } = handle
  const { client } = session
  if (isLibsqlFile(client))
    return (work, options) => turnsOf(client)(async () => await handle.transaction(work, options))
  const pooling = poolingOf(session)
  if (pooling === undefined) return handle.transaction.bind(handle)
  return (work, options) => transactionOfPool(session, pooling, (own) => own.transaction(work, options))
}

/** The handle that hooks get outside of transactions: those that they begin themselves give their connection back too. */
export const handleForHooks = (handle: Handle): Handle =>
  poolingOf(handle.session) === undefined
    ? handle
    : Object.create(handle, { transaction: { value: transactionMethodOf(handle) } })

/**
 * A transaction over a connection of the pool, which is given back whatever becomes of it: drizzle itself loses it if `begin`
 * fails. What a hook left behind would go on when the connection serves others: nothing but `rollback` passes once the
 * transaction is told to end, and nothing at all behind its end.
 */
const transactionOfPool = async <T>(
  session: Session,
  pooling: Pooling,
  begin: (own: Session) => Awaitable<T>,
): Promise<T> => {
  const connection = await connected(pooling, session.client)
  let isOpen = false
  let isUsable = true
  let isGivenBack = false
  let refusal: unknown
  const query = async (...question: readonly unknown[]): Promise<unknown> => {
    const text = textOfStatement(question[0])
    if (refusal !== undefined && (isGivenBack || text !== 'rollback')) throw refusal
    const isLast = text === 'commit' || text === 'rollback'
    if (isLast) refusal ??= transactionEnded()
    try {
      const answer = connection.query(...question)
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
    isGivenBack = true
    refusal ??= transactionEnded()
    // Nobody else gets a connection that is in a transaction.
    pooling.giveBack(connection, isUsable && !isOpen)
  }
}

export const transactionEnded = (): Error =>
  new Error('The transaction of this context.db has ended. Await what is done with it.')

const textOfStatement = (statement: unknown): string =>
  textOf(Object(statement), 'text') ?? textOf(Object(statement), 'sql') ?? String(statement)

const isBegin = /^(begin|start)\b/

/** Milliseconds. It is more than a server that answers at all needs for it. */
const LONGEST_ROLLBACK = 5000

/** A server that is gone without a word never answers, nor does one that a statement keeps busy that never ends. */
const inTime = async <T>(answer: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const error = new Error(`The database did not answer a rollback within ${LONGEST_ROLLBACK} ms.`)
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
  textOf(Object(client), 'protocol') === 'file' && 'batch' in client

/** Those who write over the same client take turns, whichever models they serve. */
const turnsOf = onceFor((_client: object): LimitFunction => pLimit(1))

/**
 * SQLite lets one connection write. libsql's driver for files refuses whoever comes second: it cannot wait without stopping
 * this thread. What is written over a connection that it refused is lost, unless it is a transaction: that is refused again.
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
 * An error without a listener ends the process. A pool emits one if the database ends connections that are not in use, and a
 * connection of node-postgres if it breaks between two statements. The next statement gets another connection, or the
 * refusal: there is nothing else to do.
 *
 * Neon's pools, which are made like those, would not use HTTP any more with a listener to more than errors.
 */
export const outliveLostConnections = (session: Session): void => {
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
