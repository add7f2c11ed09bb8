import type { Awaitable } from '../../source.ts'
import { type Gate, gateOfTransaction } from '../fenced.ts'
import { sessionOver } from '../session-over.ts'
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
  const pool = Reflect.get(session, 'client') as Pool
  const connection = await pool.getConnection()
  const gate = gateOfTransaction()
  const undoing = undoingOf()
  let isClean = false
  try {
    const result = await run(sessionOver(session, endingOnce(undoneInTime(connection, undoing), gate)))
    isClean = true
    return result
  } finally {
    gate.close()
    // Nobody else gets a connection that is in a transaction.
    if (isClean || (await undoing.isUndone(() => connection.query('rollback')))) connection.release()
    else connection.destroy()
  }
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

/**
 * A connection that takes no statement but `rollback` once its transaction was undone. The server would take them, each as
 * a transaction of its own: a hook that goes on after a deadlock would store half of what it does. Nor does it take any behind the gate.
 */
const endingOnce = (connection: Connection, gate: Gate): Connection => {
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
        if (error instanceof Error && ending.has(Reflect.get(error, 'errno'))) end ??= { error }
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
