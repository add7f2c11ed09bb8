import { createHmac, timingSafeEqual } from 'node:crypto'
import { StartError } from '../error/errors.ts'
import type { UrlValidity } from './storage.ts'

export interface Media {
  /** The start of the URLs of files, with a trailing slash: `/api/media/`. */
  readonly url: string
  /** Signs the URLs of files that are not public. Absent without authentication. */
  readonly secret: string | undefined
  /** The minimum validity of a signed URL in seconds. */
  readonly seconds: number
}

export const mediaSettings = {
  /**
   * The prefix of file URLs in responses: a path, or an absolute URL such as that of a CDN. Files are served at `media/` below
   * the base of the API; if you set another prefix, a proxy or CDN must forward it there. @default `media/` below the base of the API
   */
  MEDIA_URL: { type: 'string' },
  // S3 allows one week at most, and a URL is valid for up to twice this time.
  /**
   * The minimum lifetime of a signed file URL in seconds, up to 302400; a URL stays valid for less than twice as long. The URL
   * of a file changes only once in this time, so responses can be cached. @default 3600
   */
  MEDIA_URL_EXP: { type: 'integer', default: 3600, most: 302_400 },
} as const

/** A path, or a URL with an origin. Not `//files.example.com`, whose scheme would be that of the page. */
const mediaUrlPattern = /^(https?:\/\/[^/?#\\\s@]+)?(\/[^/?#\\\s]+)*\/?$/i

/** A path or URL with a trailing slash, percent-encoded. @throws StartError for anything else */
export const readMediaUrl = (given: string): string => {
  const url = URL.parse(given, BASE)
  if (url === null || given === '' || !mediaUrlPattern.test(given))
    throw new StartError(
      'MEDIA_URL must be a path such as /media/ or a URL such as https://files.example.com/, without a query, fragment or credentials.',
    )
  const whole = given.startsWith('/') ? url.pathname : url.href
  return whole.endsWith('/') ? whole : `${whole}/`
}

/** Only its path is used. */
const BASE = 'http://localhost'

/** Whether URLs of files name a host: the document then says so. */
export const isAbsoluteUrl = (url: string): boolean => !url.startsWith('/')

/** Identifies a file by the record that holds it. */
export interface FileAddress {
  readonly model: string
  /** The key of the record in path form. */
  readonly id: string
  readonly field: string
  readonly name: string
}

export const lastName = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

/** `products/7/photo/q4c…7a.png`. The model and the key are in path form already. */
export const addressPath = ({ model, id, field, name }: FileAddress): string =>
  [model, id, encodedSegment(field), encodedSegment(name)].join('/')

/** `encodeURIComponent` throws for lone surrogates, which another program may have written. */
const encodedSegment = (text: string): string => encodeURIComponent(text.toWellFormed())

const SIGNATURE_BYTES = 16

/**
 * Time is divided into windows of `seconds`. A URL is valid until the end of the next window, and is the same within
 * one.
 */
export const validityAt = (now: number, seconds: number): UrlValidity => {
  const length = seconds * 1000
  const from = Math.floor(now / length) * length
  return { from: new Date(from), until: new Date(from + 2 * length) }
}

/** The query string that lets anyone read a file until a given time. */
export const signedQuery = (address: FileAddress, secret: string, until: Date): string => {
  const expires = String(Math.floor(until.getTime() / 1000))
  return `expires=${expires}&signature=${signatureOf(address, secret, expires)}`
}

/** When a signature expires. `undefined` if it is invalid for this file or has expired. */
export const signedUntil = (
  address: FileAddress,
  secret: string,
  { expires = '', signature = '' }: { readonly [Name in 'expires' | 'signature']?: string | undefined },
): Date | undefined => {
  const until = new Date(Number(expires) * 1000)
  // Compared as text, because the last character in base64 has unused bits.
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
