import { create } from 'content-disposition'
import fresh from 'fresh'
import type { Call } from '../operation/call.ts'
import { knownTypes, NO_TYPE } from './keys.ts'
import { lastName } from './media.ts'
import type { ByteSpan, StoredFile } from './storage.ts'

/** The response to a request for a file. `span`: the bytes to send. Absent: all of them, or none for 304 and 416. */
interface FileResponse {
  readonly status: 200 | 206 | 304 | 416
  /** Validators, length and range, but not the content type. */
  readonly headers: Readonly<Record<string, string>>
  readonly span?: ByteSpan
}

/**
 * Decides between the whole file, a range, 304 and 416, in the order of RFC 9110, 13.2.2. Ranges apply only to GET, and
 * only if an If-Range header names the current version.
 */
export const fileResponseOf = (
  call: Pick<Call, 'method' | 'header'>,
  { size, etag, modified }: Pick<StoredFile, 'size' | 'etag' | 'modified'>,
): FileResponse => {
  const validators = { etag, 'last-modified': modified.toUTCString() }
  const known = {
    'if-none-match': call.header('if-none-match'),
    'if-modified-since': call.header('if-modified-since'),
  }
  if (fresh(known, validators)) return { status: 304, headers: validators }
  const always = { ...validators, 'accept-ranges': 'bytes' }
  const isRanged = call.method === 'GET' && isSameVersion(call.header('if-range'), validators)
  const span = readRange(isRanged ? call.header('range') : undefined, size)
  if (span === 'unsatisfiable')
    return { status: 416, headers: { 'accept-ranges': 'bytes', 'content-range': `bytes */${size}` } }
  if (span === 'whole') return { status: 200, headers: { ...always, 'content-length': `${size}` } }
  const { first, last } = span
  return {
    status: 206,
    headers: {
      ...always,
      'content-length': `${last - first + 1}`,
      'content-range': `bytes ${first}-${last}/${size}`,
    },
    span,
  }
}

/** A strong comparison, because ranges of two versions must never be combined. */
const isSameVersion = (
  given: string | undefined,
  { etag, 'last-modified': modified }: Readonly<Record<'etag' | 'last-modified', string>>,
): boolean => given === undefined || given === modified || (given === etag && !given.startsWith('W/'))

/** One range of bytes: `bytes=0-99`, `bytes=100-`, `bytes=-100`. Unit names are case-insensitive (RFC 9110, 14.1). */
const single = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i

/**
 * Reads a Range header (RFC 9110, 14.2). A malformed header, another unit and several ranges are ignored, as the RFC
 * allows: the response is the whole file. Not range-parser 1.3, which refuses `bytes=-100` for a shorter file, although the
 * RFC requires the whole file then.
 */
export const readRange = (header: string | undefined, size: number): ByteSpan | 'whole' | 'unsatisfiable' => {
  const [, first = '', last = ''] = single.exec(header ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  if (first !== '' && last !== '' && Number(last) < Number(first)) return 'whole'
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return from < size ? { first: from, last: to } : 'unsatisfiable'
}

/**
 * Whether browsers display or download a file of this media type (in lower case, without parameters). They display bitmap
 * images, audio, video and plain text, which cannot run code. They download everything else: HTML, SVG, XML, scripts, and
 * PDF, whose viewers run scripts and follow links.
 */
export const dispositionOf = (type: string): 'inline' | 'attachment' =>
  knownTypes.includes(type) && /^(?:image\/(?!svg)|audio\/|video\/|text\/plain$)/.test(type)
    ? 'inline'
    : 'attachment'

/** The value of Content-Disposition for the file of a key (RFC 6266): `attachment; filename=q4…7a.html`. */
export const contentDisposition = (key: string, type: string): string =>
  create(lastName(key), { type: dispositionOf(type) })

/**
 * Media types that a page of the same origin can run or apply, even if the file is an attachment: the policy
 * `script-src 'self'` allows a `<script src>` with an uploaded script.
 */
const activeTypes = /[/+](?:html|xml|xsl|css|wasm)$|script|flash|^(?:multipart|message)\//

/**
 * The Content-Type of a file: `application/octet-stream` for active content, otherwise the media type with its charset.
 */
export const contentType = (type: string): string => {
  if (activeTypes.test(type)) return NO_TYPE
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}

/** The policy of a file in its own browser tab, which allows only an image, audio or video. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** The headers that describe a file and keep browsers from running it. */
export const fileHeaders = (key: string, type: string): Readonly<Record<string, string>> => ({
  'content-type': contentType(type),
  'content-disposition': contentDisposition(key, type),
  'x-content-type-options': 'nosniff',
  'content-security-policy': CONTENT_SECURITY_POLICY,
})
