import type { webcrypto } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { isTokenClaims, type TokenClaims } from './claims.ts'

/** What a token must agree with. */
export interface ClaimSettings {
  readonly algorithm: string
  readonly issuer: string
  readonly audience: string
  /** `app.Model`. Users of another model have the same keys. */
  readonly userModel: string
  /** Seconds. */
  readonly clockSkew: number
}

/** The claims of a token that one of the keys has signed and that are right, but for their times. */
export type ReadClaims = (token: string) => Promise<TokenClaims | undefined>

/**
 * Nothing in a token chooses its algorithm or key: not `alg`, and `kid`, `jku`, `jwk` and `x5u` are not looked at.
 *
 * @param keys each is tried, the current one first
 */
export const claimsReader = (keys: readonly webcrypto.CryptoKey[], settings: ClaimSettings): ReadClaims => {
  const options = {
    algorithms: [settings.algorithm],
    issuer: settings.issuer,
    audience: settings.audience,
    requiredClaims: ['sub', 'iat', 'exp'],
    clockTolerance: settings.clockSkew,
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
