import { isRecord } from '../../error/record.ts'
import { isPromise } from '../../model/objects.ts'
import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import type { Row } from '../../source/source.ts'
import type { AuthSettings } from '../settings/index.ts'
import type { OwnClaims, Subject } from './tokens.ts'

/** The claims of RFC 7519, 4.1, and those of modelrest: with another value, tokens would be refused or would say something else. */
const reserved: ReadonlySet<string> = new Set([
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
  ...['type', 'fid', 'auth_time', 'account', 'user_model', 'claims', 'kept'],
  // Callers with an API key have it.
  'api_key',
  // A copy of the claims that is made by assignment would get this as its prototype.
  '__proto__',
])

/** As JSON. Browsers keep cookies of up to 4096 bytes, with the other claims, the encoding and the signature. */
const MOST_BYTES = 1024

interface ClaimParts {
  readonly settings: Pick<AuthSettings, 'CLAIMS'>
  readonly accounts: {
    withoutPassword(row: Row): Row
    subjectOf(row: Row, iat: number): Subject
  }
}

/**
 * The subject of new tokens, with the claims of the application.
 *
 * @param iat the second before the user was checked
 * @param kept the claims of the session, see {@link keptClaims}
 * @throws Error for claims that tokens cannot have; errors of `CLAIMS`
 */
export function* subjectWithClaims(
  { settings, accounts }: ClaimParts,
  row: Row,
  iat: number,
  kept: OwnClaims = {},
): Steps<Subject> {
  const made = yield* waitInAnyMode(settings.CLAIMS?.(accounts.withoutPassword(row)))
  const own = made === undefined ? {} : assertClaims(made, 'SERVICE_AUTH.CLAIMS')
  const claims = { ...kept, ...own }
  assertSize(claims)
  return { ...accounts.subjectOf(row, iat), own: { claims, kept } }
}

/** The claims of a session that `issueTokens` opened: a refresh token has them, and an access token their names. */
export const keptClaims = ({ claims, kept = [], ...all }: OwnClaims): OwnClaims => {
  if (isRecord(claims)) return claims
  const names = new Set<unknown>(Array.isArray(kept) ? kept : [])
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)))
}

/** A copy of the claims as JSON values. @param place for messages @throws Error that names the claim */
export const assertClaims = (given: unknown, place: string): OwnClaims => {
  if (!isRecord(given)) throw new Error(`${place} must be an object with a value for each claim.`)
  const claims = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    claims.map(([name, value]) => {
      if (reserved.has(name)) throw new Error(`${place}: the claim ${name} is reserved. Use another name.`)
      const text = isPromise(value) ? undefined : textOf(value)
      if (text !== undefined) return [name, JSON.parse(text)]
      throw new Error(`${place}: the claim ${name} is not a JSON value. Convert it, or await it.`)
    }),
  )
}

const textOf = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

const assertSize = (claims: OwnClaims): void => {
  const bytes = Buffer.byteLength(JSON.stringify(claims))
  if (bytes <= MOST_BYTES) return
  const sizes = Object.entries(claims).map(([name, value]) => ({ name, size: JSON.stringify(value).length }))
  const { name } = sizes.reduce((most, other) => (other.size > most.size ? other : most))
  throw new Error(
    `The claims of the application have ${bytes} bytes as JSON, of which the claim ${name} has the most. A token can have at most ${MOST_BYTES} bytes of them. Read larger data from the database.`,
  )
}
