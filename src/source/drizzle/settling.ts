import type { Awaitable } from '../source.ts'

/** How one goes on after a statement: at once with a synchronous driver, later with any other. */
export interface Settling {
  /** What `run` gives; where it fails, what `recover` makes of the error. */
  attempt<T>(run: () => Awaitable<T>, recover: (error: unknown) => Awaitable<T>): Awaitable<T>
  after<A, B>(value: Awaitable<A>, next: (value: A) => Awaitable<B>): Awaitable<B>
}

export const atOnce: Settling = Object.freeze<Settling>({
  attempt: (run, recover) => {
    try {
      return run()
    } catch (error) {
      return recover(error)
    }
  },
  after: <A, B>(value: Awaitable<A>, next: (value: A) => Awaitable<B>) => next(value as A),
})

export const later: Settling = Object.freeze<Settling>({
  attempt: async (run, recover) => {
    try {
      return await run()
    } catch (error) {
      return await recover(error)
    }
  },
  after: async (value, next) => await next(await value),
})
