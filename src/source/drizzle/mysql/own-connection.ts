import type { Awaitable } from '../../source.ts'
import { type Gate, gateOfTransaction } from '../fenced.ts'
import { sessionOver } from '../session-over.ts'
import { tellingOfConnecting } from './pool.ts'
import { type Undoing, undoingOf } from './undoing.ts'

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
        return textOf(statement) === 'rollback' ? inTime(answer) : answer
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
      const text = textOf(statement)
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

const textOf = (statement: unknown): unknown =>
  typeof statement === 'object' && statement !== null ? Reflect.get(statement, 'sql') : statement
