import type { Awaitable } from '../source.ts'
import { NotConnected } from '../sql/errors.ts'
import { type Gate, gateOfTransaction, sessionOver } from './driver.ts'

type Ask = (statement: unknown, ...rest: readonly unknown[]) => Promise<unknown>

/** The little that we ask of the connections of mysql2's pools. */
interface Connection {
  readonly query: Ask
  readonly execute: Ask
  /** The same, with callbacks. */
  readonly connection: unknown
  release(): void
  destroy(): void
}

interface Pool {
  getConnection(): Promise<Connection>
}

/**
 * Runs something over a connection of its own, as a transaction needs it, and gives the connection back.
 *
 * Drizzle itself keeps the connection for ever where `begin` fails, as it does on a node of a cluster that waits for the
 * others: in the end the pool is empty.
 */
export const onOwnMysqlConnection = async <Session extends object, T>(
  session: Session,
  run: (own: Session) => Awaitable<T>,
): Promise<T> => {
  const pool = tellingOfConnecting(Reflect.get(session, 'client') as Pool)
  const connection = await pool.getConnection()
  const gate = gateOfTransaction()
  const undoing = undoingOf()
  const progress: Progress = { isThrough: false, isReadOnly: false }
  try {
    const result = await run(sessionOver(session, watched(undoneInTime(connection, undoing), gate, progress)))
    progress.isThrough = true
    return result
  } finally {
    gate.close()
    // Nobody else gets a connection that is in a transaction.
    const isClean = progress.isThrough || (await undoing.isUndone(() => connection.query('rollback')))
    if (isClean && !progress.isReadOnly) connection.release()
    else connection.destroy()
  }
}

interface Progress {
  /** Nothing was thrown. */
  isThrough: boolean
  /** The server takes no writes: others may lead to one that does, as after a failover. */
  isReadOnly: boolean
}

/** A connection over which drizzle's own `rollback` is not waited for for ever. */
const undoneInTime = (connection: Connection, { inTime }: Undoing): Connection =>
  Object.create(connection, {
    query: {
      value: (statement: unknown, ...rest: readonly unknown[]) => {
        const answer = connection.query(statement, ...rest)
        return statementText(statement) === 'rollback' ? inTime(answer) : answer
      },
    },
  })

/** Errors that undo the whole transaction: deadlocks, what a cluster did not certify, and, where it is set so, a lock that took too long. */
const ending: ReadonlySet<unknown> = new Set([1020, 1180, 1205, 1213, 1613, 1614, 3101])

/** Errors of a server, or of a transaction, that may only read. */
const readOnly: ReadonlySet<unknown> = new Set([1290, 1792, 1836])

/**
 * A connection that takes no statement but `rollback` once its transaction was undone. The server would take them, each as
 * a transaction of its own: a hook that goes on after a deadlock would store half of what it does. Nor does it take any behind the gate.
 */
const watched = (connection: Connection, gate: Gate, progress: Progress): Connection => {
  let end: { readonly error: unknown } | undefined
  const asking =
    (ask: Ask): Ask =>
    async (statement, ...rest) => {
      const text = statementText(statement)
      if (end !== undefined && text !== 'rollback') throw end.error
      gate.pass(text)
      try {
        return await ask.call(connection, statement, ...rest)
      } catch (error) {
        const number: unknown = Reflect.get(Object(error), 'errno')
        progress.isReadOnly ||= readOnly.has(number)
        if (ending.has(number)) end ??= { error }
        throw error
      }
    }
  return Object.create(connection, {
    query: { value: asking(connection.query) },
    execute: { value: asking(connection.execute) },
    // Drizzle's iterators ask it.
    connection: {
      get: () => {
        gate.pass(undefined)
        return connection.connection
      },
    },
  })
}

const statementText = (statement: unknown): unknown =>
  typeof statement === 'object' && statement !== null ? Reflect.get(statement, 'sql') : statement

/** What undoes the transaction of a connection. */
interface Undoing {
  /** Waits for the answer to a `rollback` that somebody sends, but not for ever. */
  inTime<T>(answer: Promise<T>): Promise<T>
  /** Whether it is sure that the connection is in no transaction any more. */
  isUndone(rollback: () => Promise<unknown>): Promise<boolean>
}

/** Milliseconds. It is more than a server that answers at all needs for it. */
const LONGEST = 5000

/**
 * A server that is gone without a word never answers a `rollback`, nor does one whose connection has a statement in front
 * of it that never ends. So whoever waits is told, and nothing more is sent over that connection.
 */
const undoingOf = (longest: number = LONGEST): Undoing => {
  let isSilent = false
  const inTime: Undoing['inTime'] = async (answer) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        isSilent = true
        reject(new Error(`MySQL did not answer a rollback within ${longest} ms.`))
      }, longest)
    })
    try {
      return await Promise.race([answer, late])
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    inTime,
    isUndone: async (rollback) => {
      if (isSilent) return false
      try {
        await inTime(rollback())
        return true
      } catch {
        return false
      }
    },
  }
}

type GetConnection = (got: (error: unknown, connection?: unknown) => void) => void

/**
 * The pool of mysql2, with errors that tell whether there was a connection: a server that closes it while they greet each
 * other is told of in the same words as one that does so in a statement.
 */
export const tellingOfConnecting = <Pool extends object>(pool: Pool): Pool => {
  const inner: unknown = Reflect.get(pool, 'pool')
  if (!hasCallbacks(inner)) return pool
  const getConnection: GetConnection = (got) =>
    inner.getConnection((error, connection) => got(error ? new NotConnected(error) : error, connection))
  return Object.create(pool, {
    pool: { value: Object.create(inner, { getConnection: { value: getConnection } }) },
  })
}

const hasCallbacks = (pool: unknown): pool is { readonly getConnection: GetConnection } =>
  typeof pool === 'object' && pool !== null && 'getConnection' in pool
