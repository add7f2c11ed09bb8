import { type SQL, sql } from 'drizzle-orm'
import type { Awaitable } from '../source.ts'
import type { Database, ReadRows } from './database.ts'

/** An act, and what becomes of its error: it is given what the act was given. */
type Recover<Args extends unknown[], T> = (error: unknown, ...args: Args) => Awaitable<T>

/** How one goes on after a statement: at once with a synchronous driver, later with any other. */
export interface Execution {
  /** The act, with its errors recovered from. */
  recovering<Args extends unknown[], T>(
    act: (...args: Args) => Awaitable<T>,
    recover: Recover<Args, T>,
  ): (...args: Args) => Awaitable<T>
  after<A, B>(value: Awaitable<A>, next: (value: A) => Awaitable<B>): Awaitable<B>
  /** The act, and then `end`, whatever becomes of it. */
  ending<T>(act: () => Awaitable<T>, end: () => void): Awaitable<T>
}

export const syncExecution: Execution = Object.freeze<Execution>({
  recovering:
    (act, recover) =>
    (...args) => {
      try {
        return act(...args)
      } catch (error) {
        return recover(error, ...args)
      }
    },
  after: <A, B>(value: Awaitable<A>, next: (value: A) => Awaitable<B>) => next(value as A),
  ending: (act, end) => {
    try {
      return act()
    } finally {
      end()
    }
  },
})

export const asyncExecution: Execution = Object.freeze<Execution>({
  recovering:
    (act, recover) =>
    async (...args) => {
      try {
        return await act(...args)
      } catch (error) {
        return await recover(error, ...args)
      }
    },
  after: async (value, next) => await next(await value),
  ending: async (act, end) => {
    try {
      return await act()
    } finally {
      end()
    }
  },
})

/** How one goes on after a statement of a database. */
export const executionOf = ({ synchronous }: Database): Execution =>
  synchronous ? syncExecution : asyncExecution

/** Runs a statement that is not kept. */
export const runOnce = <T>(database: Database, statement: SQL, read: ReadRows<T>): Awaitable<T | undefined> =>
  database.prepare(database.toQuery(statement), { fetch: 'all', read })([])

/** Those things whose question the database answers with yes: one statement for all of them. */
export const whereTrue = <T>(
  database: Database,
  things: readonly T[],
  question: (thing: T) => SQL,
): Awaitable<readonly T[]> => {
  if (things.length === 0) return []
  const answers = things.map((thing) => sql`case when ${question(thing)} then 1 else 0 end`)
  const found = runOnce(database, sql`select ${sql.join(answers, sql`, `)}`, ([row]) =>
    things.filter((_, place) => Number(row?.[place]) === 1),
  )
  return executionOf(database).after(found, (answered) => answered ?? [])
}
