import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UrlValidity } from '../storage/storage.ts'
import { addressPath, type FileAddress } from './file-address.ts'

/** Bytes of a signature. */
const SIGNATURE_BYTES = 16

/**
 * From when to when a URL that is made now holds. Time is cut into windows of `seconds`, and it holds to the end of the
 * next one: everybody who asks in a window gets the same.
 */
export const validityAt = (now: number, seconds: number): UrlValidity => {
  const length = seconds * 1000
  const from = Math.floor(now / length) * length
  return { from: new Date(from), until: new Date(from + 2 * length) }
}

/** The query of a URL with which anybody may read a file until a moment. */
export const signedQuery = (address: FileAddress, secret: string, until: Date): string => {
  const expires = String(Math.floor(until.getTime() / 1000))
  return `expires=${expires}&signature=${signatureOf(address, secret, expires)}`
}

/** What a request shows to read a file. */
export interface ShownSignature {
  readonly expires: string | undefined
  readonly signature: string | undefined
}

/** When a signature ends. `undefined`: it is none of this file, or has ended. */
export const signedUntil = (
  address: FileAddress,
  secret: string,
  { expires, signature }: ShownSignature,
): Date | undefined => {
  if (expires === undefined || signature === undefined || !/^\d{1,12}$/.test(expires)) return undefined
  const until = new Date(Number(expires) * 1000)
  const isSame = isEqual(signature, signatureOf(address, secret, expires))
  return isSame && until.getTime() > Date.now() ? until : undefined
}

/** As texts: the last letter of one in base64 has bits that count for nothing. */
const isEqual = (given: string, own: string): boolean => {
  const [left, right] = [Buffer.from(given), Buffer.from(own)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const signatureOf = (address: FileAddress, secret: string, expires: string): string =>
  createHmac('sha256', secret)
    .update(`file\n${expires}\n${addressPath(address)}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
    .toString('base64url')
