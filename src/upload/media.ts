import { createHmac, timingSafeEqual } from 'node:crypto'
import { StartError } from '../error/errors.ts'
import type { UrlValidity } from './storage.ts'

export interface Media {
  /** What stands before the address of a file: `/api/media/`. With a slash at its end. */
  readonly url: string
  /** Signs URLs that not everybody may read. Absent: there is no authentication, and none is signed. */
  readonly secret: string | undefined
  /** How long a signed URL holds at least. */
  readonly seconds: number
}

export const mediaSettings = {
  /**
   * The prefix of file URLs in responses: a path or an absolute URL. Files are served at `media/` below the base of the API; if
   * you set another prefix, a proxy must forward it there. @default `media/` below the base of the API
   */
  MEDIA_URL: { type: 'string' },
  // S3 takes a week at most, and a URL holds up to twice as long.
  /**
   * The minimum lifetime of a signed file URL in seconds, up to 302400; a URL stays valid for less than twice as long. The URL
   * of a file changes only once in this time, so responses can be cached. @default 3600
   */
  MEDIA_URL_EXP: { type: 'integer', default: 3600, most: 302_400 },
} as const

/** A path or URL with a slash at its end. @throws StartError for what is neither */
export const readMediaUrl = (given: string): string => {
  if (!/^(https?:\/\/[^/?#\s]+)?(\/[^/?#\s]+)*\/?$/i.test(given) || given === '')
    throw new StartError(
      'The setting MEDIA_URL must be a path as /media/, or a URL as https://files.example.com/.',
    )
  return given.endsWith('/') ? given : `${given}/`
}

/** Where a file is found: by the record that holds it. */
export interface FileAddress {
  readonly model: string
  /** The record's key as it stands in a path. */
  readonly id: string
  readonly field: string
  readonly name: string
}

export const lastName = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

/** `products/7/photo/q4c…7a.png`. The model and the key are in the form of a path already. */
export const addressPath = ({ model, id, field, name }: FileAddress): string =>
  [model, id, encodedSegment(field), encodedSegment(name)].join('/')

/** Half a character, which another program may have written, has no code. */
const encodedSegment = (text: string): string => encodeURIComponent(text.toWellFormed())

const SIGNATURE_BYTES = 16

/** Time is cut into windows of `seconds`, and a URL holds to the end of the next one: all who ask in a window get the same. */
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

/** When a signature ends. `undefined`: it is none of this file, or has ended. */
export const signedUntil = (
  address: FileAddress,
  secret: string,
  { expires = '', signature = '' }: { readonly [Name in 'expires' | 'signature']?: string | undefined },
): Date | undefined => {
  const until = new Date(Number(expires) * 1000)
  // As texts: the last letter of one in base64 has bits that count for nothing.
  const [given, own] = [Buffer.from(signature), Buffer.from(signatureOf(address, secret, expires))]
  const isSame = given.length === own.length && timingSafeEqual(given, own)
  return isSame && /^\d{1,12}$/.test(expires) && until.getTime() > Date.now() ? until : undefined
}

const signatureOf = (address: FileAddress, secret: string, expires: string): string =>
  createHmac('sha256', secret)
    .update(`file\n${expires}\n${addressPath(address)}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
    .toString('base64url')
