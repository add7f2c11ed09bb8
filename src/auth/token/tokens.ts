import { SignJWT } from 'jose'
import type { Awaitable } from '../../model/awaitable.ts'
import type { TokenAuthSettings } from '../settings.ts'
import { isTimely, type TokenType } from './claims.ts'
import { keysOf } from './keys.ts'
import { claimsReader } from './read-claims.ts'
import { verifiedCache } from './verified-cache.ts'
import { toVerified, type VerifiedToken } from './verified-token.ts'

export type { TokenClaims, TokenType } from './claims.ts'
export type { VerifiedToken } from './verified-token.ts'

/** What a new token says beside its issuer, audience and user model. */
export interface NewToken {
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
export type TokenSettings = Pick<
  TokenAuthSettings,
  | 'secret'
  | 'secretName'
  | 'previousSecrets'
  | 'algorithm'
  | 'issuer'
  | 'audience'
  | 'userModel'
  | 'clockSkew'
>

/** No header may be larger than a server takes, and ours have some hundred bytes. */
const MAX_LENGTH = 8192

/** @throws StartError for an unknown algorithm, a missing or short secret, and a key that does not go with the algorithm */
export const tokensOf = (settings: TokenSettings): Tokens => {
  const { algorithm, issuer, audience, userModel, clockSkew } = settings
  const keys = keysOf(settings)
  const readClaims = claimsReader(keys.verifying, settings)
  const seen = verifiedCache()

  const verifyUnseen = async (token: string, type: TokenType): Promise<VerifiedToken | undefined> => {
    const claims = await readClaims(token)
    if (claims === undefined || !isTimely(claims, clockSkew)) return undefined
    const verified = toVerified(token, claims)
    seen.set(token, verified)
    return ofType(verified, type)
  }

  return {
    sign: (claims) =>
      new SignJWT({ ...claims, iss: issuer, aud: audience, user_model: userModel })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .sign(keys.signing),

    verify(token, type) {
      if (token.length > MAX_LENGTH) return undefined
      const verified = seen.get(token)
      if (verified === undefined) return verifyUnseen(token, type)
      if (isTimely(verified.claims, clockSkew)) return ofType(verified, type)
      seen.delete(token)
      return undefined
    },
  }
}

const ofType = (verified: VerifiedToken, type: TokenType): VerifiedToken | undefined =>
  verified.claims.type === type ? verified : undefined
