import { hash } from 'node:crypto'
import type { TokenClaims } from './claims.ts'

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
export const toVerified = (token: string, claims: TokenClaims): VerifiedToken =>
  Object.freeze({
    claims: frozen(claims),
    id: claims.jti ?? `h:${hash('sha256', token.slice(0, token.lastIndexOf('.')), 'base64url')}`,
  })

/** Every request with this token gets the same claims: nobody may write into them. */
const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
