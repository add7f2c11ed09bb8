import { hash, type webcrypto } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Awaitable } from '../model/objects.ts'
import { keysOf } from './keys.ts'
import type { TokenAuthSettings } from './settings.ts'

/** What a new token says beside its issuer, audience and user model. */
interface NewToken {
  /** The user: their key as text. */
  readonly sub: string
  readonly type: TokenType
  /** As of when it is made, in whole seconds since 1970. */
  readonly iat: number
  /** When it ends, in whole seconds since 1970. */
  readonly exp: number
  readonly jti?: string
  readonly fid?: string
  readonly auth_time?: number
  readonly account?: string
}

/** Signs tokens, and tells which are ours. */
export interface Tokens {
  /** `iss`, `aud` and `user_model` are added. */
  sign(claims: NewToken): Promise<string>
  /**
   * `undefined`: it is none of ours, of the other type, or not good at this moment. It throws for no text whatever, and
   * is a promise only where the token was not seen before.
   */
  verify(token: string, type: TokenType): Awaitable<VerifiedToken | undefined>
}

/** What the settings say about tokens. */
type TokenSettings = Pick<
  TokenAuthSettings,
  | 'JWT_SECRET'
  | 'secretName'
  | 'JWT_PREVIOUS_SECRETS'
  | 'JWT_ALGORITHM'
  | 'JWT_ISS'
  | 'JWT_AUD'
  | 'userModel'
  | 'JWT_CLOCK_SKEW'
>

/** No header may be larger than a server takes, and ours have some hundred bytes. */
const MAX_TOKEN_LENGTH = 8192

/** @throws StartError for an unknown algorithm, a missing or short secret, and a key that does not go with the algorithm */
export const tokensOf = (settings: TokenSettings): Tokens => {
  const { JWT_ALGORITHM, JWT_ISS, JWT_AUD, userModel, JWT_CLOCK_SKEW } = settings
  const keys = keysOf(settings)
  const readClaims = claimsReader(keys.verifying, settings)
  const seen = verifiedCache()

  const verifyUnseen = async (token: string, type: TokenType): Promise<VerifiedToken | undefined> => {
    const claims = await readClaims(token)
    if (claims === undefined || !isTimely(claims, JWT_CLOCK_SKEW)) return undefined
    const verified = toVerified(token, claims)
    seen.set(token, verified)
    return ofType(verified, type)
  }

  return {
    sign: (claims) =>
      new SignJWT({ ...claims, iss: JWT_ISS, aud: JWT_AUD, user_model: userModel })
        .setProtectedHeader({ alg: JWT_ALGORITHM, typ: 'JWT' })
        .sign(keys.signing),

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

/** What a token is good for: requests, or a new pair of tokens. */
export type TokenType = 'access' | 'refresh'

/** What a token says (specification, 2.2). Times are whole seconds since 1970. */
export interface TokenClaims {
  /** Who made it. */
  readonly iss: string
  /** Whom it is for. */
  readonly aud: string | readonly string[]
  /** The user: their key as text. */
  readonly sub: string
  /** When it was made. */
  readonly iat: number
  /** When it ends. */
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

/** What each claim must be. Issuer, audience and times have values to be compared with besides. */
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

/** Whether each claim that must be there is there, and each that is there has its type. */
const isTokenClaims = (claims: object): claims is TokenClaims =>
  Object.entries(claimRules).every(([name, holds]) =>
    holds(Object.hasOwn(claims, name) ? Reflect.get(claims, name) : undefined),
  )

/** Whether a token is good at this moment: made, begun and not ended, give or take the clock skew in seconds. */
const isTimely = ({ exp, iat, nbf = iat }: TokenClaims, clockSkew: number): boolean => {
  const now = Date.now() / 1000
  return exp > now - clockSkew && iat <= now + clockSkew && nbf <= now + clockSkew
}

/** What a token must agree with. */
interface ClaimSettings {
  readonly JWT_ALGORITHM: string
  readonly JWT_ISS: string
  readonly JWT_AUD: string
  /** `app.Model`. Users of another model have the same keys. */
  readonly userModel: string
  /** Seconds. */
  readonly JWT_CLOCK_SKEW: number
}

/** The claims of a token that one of the keys has signed and that are right, but for their times. */
type ReadClaims = (token: string) => Promise<TokenClaims | undefined>

/**
 * Nothing in a token chooses its algorithm or key: not `alg`, and `kid`, `jku`, `jwk` and `x5u` are not looked at.
 *
 * @param keys each is tried, the current one first
 */
const claimsReader = (keys: readonly webcrypto.CryptoKey[], settings: ClaimSettings): ReadClaims => {
  const options = {
    algorithms: [settings.JWT_ALGORITHM],
    issuer: settings.JWT_ISS,
    audience: settings.JWT_AUD,
    requiredClaims: ['sub', 'iat', 'exp'],
    clockTolerance: settings.JWT_CLOCK_SKEW,
  }
  // A token that was made before the claim existed has none, and is good until it ends.
  const isOfModel = ({ user_model = settings.userModel }: TokenClaims): boolean =>
    user_model === settings.userModel
  return async (token) => {
    if (!isCanonical(token)) return undefined
    for (const key of keys) {
      const payload = await jwtVerify(token, key, options).then(payloadOf, ofAnotherKey)
      if (payload !== 'of another key')
        return payload && isTokenClaims(payload) && isOfModel(payload) ? payload : undefined
    }
    return undefined
  }
}

const payloadOf = ({ payload }: { readonly payload: JWTPayload }): JWTPayload => payload

/** Whatever else is wrong with it, another key does not make it right. */
const ofAnotherKey = (error: unknown): 'of another key' | undefined =>
  error instanceof errors.JWSSignatureVerificationFailed ? 'of another key' : undefined

const threeParts = /^[\w-]+\.[\w-]+\.([\w-]+)$/

/** Three parts and one way alone to write them: decoders also take padding, blanks, and bits that belong to no byte. */
const isCanonical = (token: string): boolean => {
  const signature = threeParts.exec(token)?.[1]
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature
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

/** Tokens whose signature was found good, by their whole text. It is bounded: those seen last stay. */
interface VerifiedCache {
  get(token: string): VerifiedToken | undefined
  set(token: string, verified: VerifiedToken): void
  delete(token: string): void
}

const MAX_CACHED_TOKENS = 10_000
const MAX_CACHED_BYTES = 16 * 1024 * 1024

export const verifiedCache = (): VerifiedCache => {
  const tokens = new LRUCache<string, VerifiedToken>({ max: MAX_CACHED_TOKENS, maxSize: MAX_CACHED_BYTES })
  return {
    get: (token) => tokens.get(token),
    set: (token, verified) => {
      tokens.set(copied(token), verified, { size: entrySize(token) })
    },
    delete: (token) => {
      tokens.delete(token)
    },
  }
}

/** The text, its claims as objects, and what an entry costs anyway: more than is measured for tokens as ours. */
const entrySize = (token: string): number => token.length * 3 + 512

/** A part of a header keeps the whole header in memory, cookies and all. A copy does not. */
const copied = (token: string): string => Buffer.from(token, 'latin1').toString('latin1')
