import { type HttpError, problem } from '../../error/http-error.ts'
import type { Call } from '../../operation/call.ts'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a request that browsers send by themselves, cookies included, may act: it changes nothing, or it comes from
 * the API's own origin or a trusted one. The browser says so in `Sec-Fetch-Site`, older ones in `Origin`.
 */
export const isFromOwnOrigin = (call: Call, trustedOrigins: readonly string[]): boolean => {
  if (safeMethods.has(call.method)) return true
  const origin = call.header('origin')
  if (origin !== undefined && trustedOrigins.includes(origin)) return true
  const site = call.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin !== undefined && isOriginOf(call.header('host'), origin)
}

/**
 * Only the host is compared: behind a proxy nobody here knows whether it was asked by https. `null`, as a page in a sandbox
 * has it, is nobody's origin.
 */
const isOriginOf = (asked: string | undefined, origin: string): boolean => {
  if (!asked || !URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  const own = `${protocol}//${asked}`
  return host !== '' && URL.canParse(own) && new URL(own).host === host
}

/** The answer to a cookie that a page of another origin made the browser send. */
export const foreignOrigin = (): HttpError =>
  problem(
    'forbidden',
    'A request with cookies must come from the same origin or a trusted one. Send the token as Authorization: Bearer instead.',
  )

/** @throws HttpError 403 */
export const assertOwnOrigin = (call: Call, trustedOrigins: readonly string[]): void => {
  if (!isFromOwnOrigin(call, trustedOrigins)) throw foreignOrigin()
}
