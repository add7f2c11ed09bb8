import { type HttpError, problem } from '../error/http-error.ts'

export { tooLarge } from '../operation/head.ts'

/** The refusal of a path that no operation has. */
export const nothingHere = (path: string): HttpError => problem('not_found', `There is nothing at ${path}.`)

/** The refusal of a method that a known path does not have. */
export const wrongMethod = (method: string, allow: string): HttpError =>
  problem('method_not_allowed', `${method} is not allowed here. Allowed: ${allow}.`, { headers: { allow } })

/** The refusal of a body that takes longer than it may. @param timeout milliseconds */
export const tooSlow = (timeout: number): HttpError =>
  problem('request_timeout', `The body did not arrive within ${timeout / 1000} seconds.`)

/** The refusal of a body that ended before all of it was there. */
export const brokenBody = (cause: unknown): HttpError =>
  problem('rejected', 'The body ended before it was complete.', { cause })

const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The value of an `Allow` header: the usual methods first and in the same order on every host. */
export const toAllow = (methods: Iterable<string>): string => {
  const all = new Set(methods)
  return [...usual.filter((method) => all.has(method)), ...[...all].filter((m) => !usual.includes(m))].join(
    ', ',
  )
}
