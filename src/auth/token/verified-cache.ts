import { LRUCache } from 'lru-cache'
import type { VerifiedToken } from './verified-token.ts'

/** Tokens whose signature was found good, by their whole text. It is bounded: those seen last stay. */
export interface VerifiedCache {
  get(token: string): VerifiedToken | undefined
  set(token: string, verified: VerifiedToken): void
  delete(token: string): void
}

const MAX_ENTRIES = 10_000
const MAX_BYTES = 16 * 1024 * 1024

export const verifiedCache = (): VerifiedCache => {
  const tokens = new LRUCache<string, VerifiedToken>({ max: MAX_ENTRIES, maxSize: MAX_BYTES })
  return {
    get: (token) => tokens.get(token),
    set: (token, verified) => {
      tokens.set(ownText(token), verified, { size: sizeOf(token) })
    },
    delete: (token) => {
      tokens.delete(token)
    },
  }
}

/** The text, its claims as objects, and what an entry costs anyway: more than is measured for tokens as ours. */
const sizeOf = (token: string): number => token.length * 3 + 512

/** A part of a header keeps the whole header in memory, cookies and all. A copy does not. */
const ownText = (token: string): string => Buffer.from(token, 'latin1').toString('latin1')
