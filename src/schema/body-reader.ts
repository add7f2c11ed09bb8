import { type Awaitable, isPromise } from '../model/awaitable.ts'

/** Values of a record, by the names of its fields. */
export type Values = Readonly<Record<string, unknown>>

/**
 * Reads a JSON body into the values that are stored. A schema of the application's own may take its time.
 *
 * @param record the one that a PUT replaces
 * @throws HttpError 422 `invalid_body`
 */
export type BodyReader = (body: unknown, record?: Values) => Awaitable<Values>

/** What follows from a value, at once where the value is there. */
export const after = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  isPromise(value) ? value.then(next) : next(value)
