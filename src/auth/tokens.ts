import { hash, type webcrypto } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Awaitable } from '../model/objects.ts'
import { type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import { keysOf } from './keys.ts'
import type { AuthSettings, TokenAuthSettings } from './settings.ts'

type NewToken = Pick<TokenClaims, 'sub' | 'type' | 'iat' | 'exp' | 'jti' | 'fid' | 'auth_time' | 'account'>

/** Signs tokens, and tells which are ours. */
export interface Tokens {
  /** `iss`, `aud` and `user_model` are added. */
  sign(claims: NewToken): Promise<string>
  /**
   * `undefined`: it is none of ours, of the other type, or not good at this moment. It throws for no text whatever, and is
   * only a promise if the token was not seen before.
   */
  verify(token: string, type: TokenType): Awaitable<VerifiedToken | undefined>
}

/** No header may be larger than a server takes, and ours have some hundred bytes. */
const MAX_TOKEN_LENGTH = 8192

/** @throws StartError for an unknown algorithm, a missing or short secret, and a key that does not go with the algorithm */
export const tokensOf = (settings: TokenAuthSettings): Tokens => {
  const { JWT_ALGORITHM, JWT_ISS, JWT_AUD, userModel, JWT_CLOCK_SKEW } = settings
  const keys = keysOf(settings)
  const seen = verifiedCache()
  // It takes as long to load as half of this library, and is only needed with our own tokens.
  const loading = import('jose')

  const verifyUnseen = async (token: string, type: TokenType): Promise<VerifiedToken | undefined> => {
    const claims = isCanonical(token)
      ? await readClaims(await loading, token, keys.verifying, settings)
      : undefined
    if (claims === undefined || !isTimely(claims, JWT_CLOCK_SKEW)) return undefined
    const verified = toVerified(token, claims)
    // A part of a header keeps the whole header in memory, cookies and all. A copy does not.
    seen.set(Buffer.from(token, 'latin1').toString('latin1'), verified)
    return ofType(verified, type)
  }

  return {
    sign: async (claims) => {
      const { SignJWT } = await loading
      return await new SignJWT({ ...claims, iss: JWT_ISS, aud: JWT_AUD, user_model: userModel })
        .setProtectedHeader({ alg: JWT_ALGORITHM, typ: 'JWT' })
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

/** Three parts and only one way to write them: decoders also take padding, blanks, and bits that belong to no byte. */
const isCanonical = (token: string): boolean => {
  const signature = threeParts.exec(token)?.[1]
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature
}

/**
 * The claims of a token that one of the keys has signed and that are right, but for their times. Nothing in a token chooses
 * its algorithm or key: not `alg`, and `kid`, `jku`, `jwk` and `x5u` are not looked at.
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
      // A token that was made before the claim existed has none, and is good until it ends.
      const isOurs = isTokenClaims(payload) && (payload.user_model ?? userModel) === userModel
      return isOurs ? payload : undefined
    } catch (error) {
      // Whatever else is wrong with it, another key does not make it right.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) return undefined
    }
  }
  return undefined
}

/** What a token is good for: requests, or a new pair of tokens. */
export type TokenType = 'access' | 'refresh'

/** What a token says (RFC 7519). Times are whole seconds since 1970. */
export interface TokenClaims {
  readonly iss: string
  readonly aud: string | readonly string[]
  /** The key of the user as text. */
  readonly sub: string
  readonly iat: number
  readonly exp: number
  /** When it begins. Ours have none. */
  readonly nbf?: number
  readonly type: TokenType
  /** Its id. Absent: it was made without stateful mode. */
  readonly jti?: string
  /** The family of all tokens that come from one login. */
  readonly fid?: string
  /** When that login was. */
  readonly auth_time?: number
  /** The model of the user: `app.Model`. Absent: it was made before tokens had it. */
  readonly user_model?: string
  /** Tells the account from a later one with the same key, for models whose keys come again. */
  readonly account?: string
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
}

const isTokenClaims = (claims: object): claims is TokenClaims =>
  Object.entries(claimRules).every(([name, holds]) =>
    holds(Object.hasOwn(claims, name) ? Reflect.get(claims, name) : undefined),
  )

/** Whether a token is good at this moment: made, begun and not ended, give or take the clock skew in seconds. */
const isTimely = ({ exp, iat, nbf = iat }: TokenClaims, clockSkew: number): boolean => {
  const now = Date.now() / 1000
  return exp > now - clockSkew && iat <= now + clockSkew && nbf <= now + clockSkew
}

/** A token that is one of ours. */
export interface VerifiedToken {
  readonly claims: TokenClaims
  /**
   * Its `jti`, or `h:` and the SHA-256 of `header.payload` where it has none. The signature is left out: of an elliptic one
   * there are several that are good.
   */
  readonly id: string
}

/** @param token whose signature was found good, with three parts */
const toVerified = (token: string, claims: TokenClaims): VerifiedToken =>
  Object.freeze({
    claims: deepFrozen(claims),
    id: claims.jti ?? `h:${hash('sha256', token.slice(0, token.lastIndexOf('.')), 'base64url')}`,
  })

/** Every request with this token gets the same claims: nobody may write into them. */
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

/** Tokens whose signature was found good, by their whole text. */
export const verifiedCache = (): VerifiedCache =>
  new LRUCache<string, VerifiedToken>({
    ...{ max: MAX_CACHED_TOKENS, maxSize: MAX_CACHED_BYTES },
    // The text, its claims as objects, and what an entry costs anyway: more than is measured for tokens as ours.
    sizeCalculation: (_verified, token) => token.length * 3 + 512,
  })

/** The user of new tokens. */
export interface Subject extends Pick<TokenClaims, 'sub' | 'account'> {
  /**
   * The second before the user was checked. Tokens are issued as of then, so that whatever ends all sessions of the user
   * while a login or a refresh waits ends the new one as well.
   */
  readonly iat: number
}

/** Two tokens as clients get them, and how many seconds each has. */
export interface TokenPair {
  readonly access: string
  readonly refresh: string
  readonly accessSeconds: number
  readonly refreshSeconds: number
}

/** What became of a refresh token that was presented. */
export type Rotation =
  /** `undo`: the refresh token counts as unused again, as a hook refuses after all. */
  | { readonly pair: TokenPair; readonly undo: () => Steps<void> }
  /** `reused`: it was rotated before, and its whole family is dead now. `over`: its session has had its time. */
  | { readonly refused: 'revoked' | 'reused' | 'over' }

/** What tokens there are between a login and its end. @throws CacheError where what is kept of them cannot be reached */
export interface Sessions {
  open(subject: Subject): Steps<TokenPair>
  /** A new pair in place of a refresh token. @throws HttpError 429 */
  rotate(refresh: VerifiedToken, subject: Subject): Steps<Rotation>
  /** Whether it was revoked. A refresh token that was rotated is not: its session goes on. */
  isRevoked(token: VerifiedToken): Steps<boolean>
  /** Of a rotated refresh token, the whole session. All sessions of the user where there is no room for another mark. */
  revoke(token: VerifiedToken): Steps<void>
  /** Ends every session that a user has, and lets a login that comes after it begin another. Absent: nothing can be revoked. */
  revokeUser?(sub: string): Steps<void>
}

/** Sessions of which nothing is kept: signature and lifetime alone decide. */
export const statelessSessions = (sign: SignPair): Sessions => {
  const open = (subject: Subject): Steps<TokenPair> => waitInAnyMode(sign(subject))
  return {
    open,
    *rotate(_refresh, subject): Steps<Rotation> {
      return { pair: yield* open(subject), undo: doNothing }
    },
    isRevoked: () => wait(false),
    revoke: doNothing,
  }
}

const doNothing = (): Steps<void> => wait(undefined)

/** What the tokens of one session have in common. */
export type Family = Required<Pick<TokenClaims, 'fid' | 'auth_time'>>

/** When a session ends however often it is refreshed, in seconds. */
export const lastEnd = (
  { auth_time }: Family,
  { REFRESH_ABSOLUTE, JWT_REFRESH_EXP }: Pick<AuthSettings, 'REFRESH_ABSOLUTE' | 'JWT_REFRESH_EXP'>,
): number => (REFRESH_ABSOLUTE ? auth_time + JWT_REFRESH_EXP : Infinity)

/** Signs a pair of tokens for a user. @param kept Absent: nothing is kept of the tokens */
export type SignPair = (
  subject: Subject,
  kept?: { readonly family: Family; readonly accessId: string; readonly refreshId: string },
) => Promise<TokenPair>

export const pairSigner =
  (tokens: Tokens, settings: AuthSettings): SignPair =>
  async (subject, kept) => {
    const { JWT_ACCESS_EXP, JWT_REFRESH_EXP } = settings
    const { iat } = subject
    const end = kept === undefined ? Infinity : lastEnd(kept.family, settings)
    const sign = (type: TokenType, exp: number, jti: string | undefined): Promise<string> =>
      tokens.sign({ ...subject, type, exp, ...(jti !== undefined && { jti }), ...kept?.family })
    const accessEnd = Math.min(iat + JWT_ACCESS_EXP, end)
    const refreshEnd = Math.min(iat + JWT_REFRESH_EXP, end)
    const [access, refresh] = await Promise.all([
      sign('access', accessEnd, kept?.accessId),
      sign('refresh', refreshEnd, kept?.refreshId),
    ])
    return { access, refresh, accessSeconds: accessEnd - iat, refreshSeconds: refreshEnd - iat }
  }

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000)

/** Tokens tell when they were made in whole seconds. Those that are made from now on must not look like those of before. */
export const secondAfter = (second: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, (second + 1) * 1000 - Date.now()))
  })
