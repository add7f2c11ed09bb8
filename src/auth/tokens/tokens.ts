import { hash, type webcrypto } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { isRecord } from '../../error/record.ts'
import type { Awaitable } from '../../model/objects.ts'
import type { TokenAuthSettings } from '../settings/index.ts'
import { keysOf } from './keys.ts'

type NewToken = Pick<
  TokenClaims,
  'sub' | 'type' | 'iat' | 'exp' | 'jti' | 'fid' | 'auth_time' | 'account' | 'claims' | 'kept'
>

/** Signs and verifies tokens. */
export interface Tokens {
  /** Adds `iss`, `aud` and `user_model`. */
  sign(claims: NewToken): Promise<string>
  /**
   * `undefined` if the token is not ours, has the other type, or is not valid now. It never throws, and returns a promise
   * only for a token that it has not verified before.
   */
  verify(token: string, type: TokenType): Awaitable<VerifiedToken | undefined>
  /** The current and the previous public keys. Empty for secrets. */
  readonly published: readonly object[]
}

/** Our tokens are a few hundred bytes long; servers limit headers to about this size. */
const MAX_TOKEN_LENGTH = 8192

/** @throws StartError for an unknown algorithm, a missing or short secret, and a key that does not fit the algorithm */
export const tokensOf = (settings: TokenAuthSettings): Tokens => {
  const { JWT_ALGORITHM, JWT_ISS, JWT_AUD, userModel, JWT_CLOCK_SKEW } = settings
  const keys = keysOf(settings)
  const { published = [] } = keys
  const [current] = published
  const header = { alg: JWT_ALGORITHM, typ: 'JWT', ...(current && { kid: current.kid }) }
  const seen = verifiedCache()
  // Loading it takes as long as half of this library, and only `auth: true` needs it.
  const loading = import('jose')

  const verifyUnseen = async (token: string, type: TokenType): Promise<VerifiedToken | undefined> => {
    const claims = isCanonical(token)
      ? await readClaims(await loading, token, keys.verifying, settings)
      : undefined
    if (claims === undefined || !isTimely(claims, JWT_CLOCK_SKEW)) return undefined
    const verified = toVerified(token, claims)
    // A substring would keep the whole header in memory, cookies included. A copy does not.
    seen.set(Buffer.from(token, 'latin1').toString('latin1'), verified)
    return ofType(verified, type)
  }

  return {
    published,

    sign: async (claims) => {
      const { SignJWT } = await loading
      return await new SignJWT({ ...claims, iss: JWT_ISS, aud: JWT_AUD, user_model: userModel })
        .setProtectedHeader(header)
        .sign(keys.signing)
    },

    verify(token, type) {
      if (token.length > MAX_TOKEN_LENGTH) return undefined
      const verified = seen.get(token)
      if (verified === undefined) return verifyUnseen(token, type)
      if (isTimely(verified.claims, JWT_CLOCK_SKEW)) return ofType(verified, type)
      seen.delete(token)
      return undefined
    },
  }
}

const ofType = (verified: VerifiedToken, type: TokenType): VerifiedToken | undefined =>
  verified.claims.type === type ? verified : undefined

const threeParts = /^[\w-]+\.[\w-]+\.([\w-]+)$/

/** Decoders also accept padding, white space and surplus bits: a token must have only one spelling. */
const isCanonical = (token: string): boolean => {
  const signature = threeParts.exec(token)?.[1]
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature
}

/**
 * The claims of a token that one of the keys signed and whose claims are valid, except for the times. A token never chooses
 * its algorithm or key: `alg` must be the configured one, and `kid`, `jku`, `jwk` and `x5u` are ignored.
 */
const readClaims = async (
  { errors, jwtVerify }: typeof import('jose'),
  token: string,
  keys: readonly webcrypto.CryptoKey[],
  { JWT_ALGORITHM, JWT_ISS, JWT_AUD, JWT_CLOCK_SKEW, userModel }: TokenAuthSettings,
): Promise<TokenClaims | undefined> => {
  const options = {
    ...{ algorithms: [JWT_ALGORITHM], issuer: JWT_ISS, audience: JWT_AUD },
    ...{ requiredClaims: ['sub', 'iat', 'exp'], clockTolerance: JWT_CLOCK_SKEW },
  }
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key, options)
      // Tokens that were issued before the claim existed do not have it, and are valid until they expire.
      const isOurs = isTokenClaims(payload) && (payload.user_model ?? userModel) === userModel
      return isOurs ? payload : undefined
    } catch (error) {
      // Another key would not help with any other error.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) return undefined
    }
  }
  return undefined
}

/** An access token authenticates requests; a refresh token is exchanged for a new pair of tokens. */
export type TokenType = 'access' | 'refresh'

/** The claims of a token (RFC 7519). Times are integers, in seconds since 1970. */
export interface TokenClaims {
  readonly iss: string
  readonly aud: string | readonly string[]
  /** The key of the user as text. */
  readonly sub: string
  readonly iat: number
  readonly exp: number
  /** The token is not valid before this time. Tokens of modelrest do not have it. */
  readonly nbf?: number
  readonly type: TokenType
  /** Its id. Absent if it was issued in stateless mode. */
  readonly jti?: string
  /** The family of all tokens that come from one login. */
  readonly fid?: string
  /** The time of that login. */
  readonly auth_time?: number
  /** The user model: `app.Model`. Absent in tokens of earlier versions. */
  readonly user_model?: string
  /**
   * Derived from the key and the stored hash: it distinguishes the user from a later one with the same key, and changes with
   * the password. Absent in access tokens for which no user is read, and in tokens of earlier versions.
   */
  readonly account?: string
  /** The own claims of the session, in a refresh token. */
  readonly claims?: OwnClaims
  /** Their names, in an access token. */
  readonly kept?: readonly string[]
  readonly [claim: string]: unknown
}

type ClaimRule = (value: unknown) => boolean

const isText: ClaimRule = (value) => typeof value === 'string' && value !== ''
const isTime: ClaimRule = Number.isSafeInteger
const optionally =
  (rule: ClaimRule): ClaimRule =>
  (value) =>
    value === undefined || rule(value)

const claimRules: Readonly<Record<Exclude<keyof TokenClaims & string, 'iss' | 'aud'>, ClaimRule>> = {
  sub: isText,
  iat: isTime,
  exp: isTime,
  nbf: optionally(isTime),
  type: (value) => value === 'access' || value === 'refresh',
  jti: optionally(isText),
  fid: optionally(isText),
  auth_time: optionally(isTime),
  user_model: optionally(isText),
  account: optionally(isText),
  claims: optionally(isRecord),
  kept: optionally((value) => Array.isArray(value) && value.every(isText)),
}

const isTokenClaims = (claims: object): claims is TokenClaims =>
  Object.entries(claimRules).every(([name, holds]) =>
    holds(Object.hasOwn(claims, name) ? Reflect.get(claims, name) : undefined),
  )

/** Whether `iat`, `nbf` and `exp` allow a token now. @param clockSkew in seconds */
const isTimely = ({ exp, iat, nbf = iat }: TokenClaims, clockSkew: number): boolean => {
  const now = Date.now() / 1000
  return exp > now - clockSkew && iat <= now + clockSkew && nbf <= now + clockSkew
}

/** A token with a valid signature and claims. */
export interface VerifiedToken {
  readonly claims: TokenClaims
  /**
   * Its `jti`, or `h:` and the SHA-256 of `header.payload` if it has none. The hash leaves out the signature, because ECDSA
   * has several valid signatures for the same payload.
   */
  readonly id: string
}

/** @param token with three parts and a valid signature */
const toVerified = (token: string, claims: TokenClaims): VerifiedToken =>
  Object.freeze({
    claims: deepFrozen(claims),
    id: claims.jti ?? `h:${hash('sha256', token.slice(0, token.lastIndexOf('.')), 'base64url')}`,
  })

/** Every request with this token gets the same object of claims, so it must be immutable. */
const deepFrozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) deepFrozen(inner)
  return Object.freeze(value)
}

const MAX_CACHED_TOKENS = 10_000
const MAX_CACHED_BYTES = 16 * 1024 * 1024

interface VerifiedCache {
  get(token: string): VerifiedToken | undefined
  set(token: string, verified: VerifiedToken): unknown
  delete(token: string): boolean
}

/** Tokens with a valid signature, by their whole text. */
export const verifiedCache = (): VerifiedCache =>
  new LRUCache<string, VerifiedToken>({
    ...{ max: MAX_CACHED_TOKENS, maxSize: MAX_CACHED_BYTES },
    // The text, its claims as objects, and the entry itself: more than measured for our tokens.
    sizeCalculation: (_verified, token) => token.length * 3 + 512,
  })

/** Claims of the application, as JSON values. */
export type OwnClaims = Readonly<Record<string, unknown>>

/** The user of new tokens. */
export interface Subject extends Pick<TokenClaims, 'sub' | 'account'> {
  /**
   * The second before the user was checked. Tokens have this time of issue, so ending all sessions of the user while a login
   * or refresh is in progress ends the new session too.
   */
  readonly iat: number
  /** Claims of the application: those of access tokens, and those among them that the session keeps. @default none */
  readonly own?: { readonly claims: OwnClaims; readonly kept: OwnClaims }
}

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000)

/** `iat` has whole seconds. Tokens that are issued after a revocation must be distinguishable from earlier ones. */
export const secondAfter = (second: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, (second + 1) * 1000 - Date.now()))
  })
