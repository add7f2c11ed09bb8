import type { Reply } from '../operation/call.ts'
import type { AuthParts } from './parts.ts'
import { noStore } from './refusals.ts'
import type { TokenPair } from './session/sessions.ts'
import { keptIn } from './transport/cookies.ts'

const JSON_TYPE = 'application/json'

/** A reply that no cache keeps. @param body JSON text */
export const privateJson = (status: number, body: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': JSON_TYPE, ...noStore, ...headers },
  body,
})

/** `Set-Cookie` for a new pair of tokens; nothing where no cookies are set. */
export const pairCookies = (
  { settings }: AuthParts,
  { access, refresh, accessSeconds, refreshSeconds }: TokenPair,
): Reply['headers'] =>
  setCookies(
    keptIn(settings, [
      { type: 'access', token: access, seconds: accessSeconds },
      { type: 'refresh', token: refresh, seconds: refreshSeconds },
    ]),
  )

export const setCookies = (values: readonly string[]): Reply['headers'] =>
  values.length === 0 ? {} : { 'set-cookie': values }

/** A new session: its tokens where there are any, and the user. @param user JSON text */
export const sessionReply = (
  parts: AuthParts,
  {
    status,
    pair,
    user,
    headers = {},
  }: {
    readonly status: 200 | 201
    readonly pair: TokenPair | undefined
    readonly user: string
    readonly headers?: Readonly<Record<string, string>>
  },
): Reply => {
  if (pair === undefined) return privateJson(status, `{"user":${user}}`, headers)
  const { access, refresh } = pair
  const tokens = JSON.stringify({ access, refresh }).slice(0, -1)
  return privateJson(status, `${tokens},"user":${user}}`, { ...headers, ...pairCookies(parts, pair) })
}
