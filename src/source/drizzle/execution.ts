import type { Awaitable } from '../source.ts'

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
export const executionOf = ({ synchronous }: { readonly synchronous: boolean }): Execution =>
  synchronous ? syncExecution : asyncExecution
