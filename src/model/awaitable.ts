/** A value that is there, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

export const isPromise = <T>(value: Awaitable<T>): value is PromiseLike<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
