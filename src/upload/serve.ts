import type { Call } from '../operation/call.ts'
import type { ByteSpan, StoredFile } from './storage.ts'
import { NO_TYPE } from './uploads.ts'

/** How a request for a file is answered. `span`: the bytes to send. Absent: none of 304 and 416, else all of them. */
export interface FileResponse {
  readonly status: 200 | 206 | 304 | 416
  /** Validators, length and range; not what the file is. */
  readonly headers: Readonly<Record<string, string>>
  readonly span?: ByteSpan
}

/** What of a request decides. */
type FileRequest = Pick<Call, 'method' | 'header'>

type Version = Pick<StoredFile, 'size' | 'etag' | 'modified'>

/**
 * Decides between the whole file, a part, 304 and 416, in the order of RFC 9110, 13.2.2. A range counts for GET alone, and
 * only where If-Range, if it is there, names this very version.
 */
export const fileResponseOf = (asked: FileRequest, file: Version): FileResponse => {
  const validators = { etag: file.etag, 'last-modified': file.modified.toUTCString() }
  if (isNotModified(asked, file)) return { status: 304, headers: validators }
  const always = { ...validators, 'accept-ranges': 'bytes' }
  const range = asked.method === 'GET' && isSameVersion(asked, file) ? asked.header('range') : undefined
  const span = readRange(range, file.size)
  if (span === 'unsatisfiable')
    return { status: 416, headers: { 'accept-ranges': 'bytes', 'content-range': `bytes */${file.size}` } }
  if (span === 'whole') return { status: 200, headers: { ...always, 'content-length': `${file.size}` } }
  const { first, last } = span
  return {
    status: 206,
    headers: {
      ...always,
      'content-length': `${last - first + 1}`,
      'content-range': `bytes ${first}-${last}/${file.size}`,
    },
    span,
  }
}

/** Whether the client has this version. If-Modified-Since counts only where there is no If-None-Match. */
const isNotModified = (asked: FileRequest, { etag, modified }: Version): boolean => {
  const known = asked.header('if-none-match')
  if (known !== undefined) return known.trim() === '*' || tagsOf(known).includes(opaque(etag))
  const since = readDate(asked.header('if-modified-since'))
  return since !== undefined && seconds(modified) <= since
}

/** Whether a part of this version goes with what the client has: a strong comparison. */
const isSameVersion = (asked: FileRequest, { etag, modified }: Version): boolean => {
  const given = asked.header('if-range')?.trim()
  if (given === undefined) return true
  if (given.startsWith('"')) return given === etag
  return readDate(given) === seconds(modified)
}

/** An entity tag without the mark of a weak one. */
const opaque = (tag: string): string => tag.replace(/^W\//, '')

const tags = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

const tagsOf = (header: string): readonly string[] => [...header.matchAll(tags)].map(([, tag = '']) => tag)

/** Dates in headers have no milliseconds. */
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const time = String.raw`\d\d:\d\d:\d\d`

/** The three forms of a date (RFC 9110, 5.6.7), the last without its zone. */
const zoned = new RegExp(
  String.raw`^(?:${day}, \d\d ${month} \d{4} ${time} GMT|${day}[a-z]{3,6}, \d\d-${month}-\d\d ${time} GMT)$`,
)
const unzoned = new RegExp(String.raw`^${day} ${month} [ \d]\d ${time} \d{4}$`)

/** Seconds since 1970. `undefined`: it is no date of HTTP, and as if it were not there. */
const readDate = (header: string | undefined): number | undefined => {
  if (header === undefined) return undefined
  const text = zoned.test(header) ? header : unzoned.test(header) ? `${header} GMT` : ''
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at / 1000
}

/** One range of bytes: `bytes=0-99`, `bytes=100-`, `bytes=-100`. Names of units have no case (RFC 9110, 14.1). */
const single = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i

/**
 * Reads a Range header (RFC 9110, 14.2). What is malformed, of another unit, or asks for several ranges is ignored, as the
 * standard allows: the whole file answers it.
 *
 * @param size of the file in bytes
 * @returns `unsatisfiable` where the file has none of these bytes
 */
export const readRange = (header: string | undefined, size: number): ByteSpan | 'whole' | 'unsatisfiable' => {
  const [, first = '', last = ''] = single.exec(header ?? '') ?? []
  if (first === '') return last === '' ? 'whole' : lastBytes(Number(last), size)
  if (last !== '' && Number(last) < Number(first)) return 'whole'
  if (Number(first) >= size) return 'unsatisfiable'
  return { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

const lastBytes = (length: number, size: number): ByteSpan | 'whole' | 'unsatisfiable' => {
  if (length === 0) return 'unsatisfiable'
  // All of an empty file, which no Content-Range can say.
  if (size === 0) return 'whole'
  return { first: Math.max(0, size - length), last: size - 1 }
}

/**
 * Media types that a browser shows in its window: pictures of pixels, sound, video and plain text. In none of them can
 * anything run. Every other is saved to the disk instead: HTML, SVG, XML, scripts and PDF, whose viewers run scripts and
 * follow links, and what nobody has thought of.
 */
const inlineTypes: ReadonlySet<string> = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/heic', 'image/heif'],
  ...['image/jxl', 'image/bmp', 'image/tiff', 'image/x-icon'],
  ...['audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/flac', 'audio/ogg', 'audio/opus', 'audio/wav'],
  ...['audio/midi', 'video/mp4', 'video/webm', 'video/ogg', 'video/quicktime', 'video/mpeg'],
  ...['video/x-msvideo', 'video/x-matroska', 'text/plain'],
])

/** How a browser may use a file of this media type (in lower case, without parameters): show it, or save it. */
export const dispositionOf = (type: string): 'inline' | 'attachment' =>
  inlineTypes.has(type) ? 'inline' : 'attachment'

/** The last name of a key. */
const nameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

/** What a quoted string of a header holds as it is (RFC 9110, 5.6.4), without the percent sign that some decode. */
const notPlain = /[^\x20-\x7e]|["\\%]/g

/** RFC 8187: every byte that is no letter of an attribute, percent-encoded. */
const encodedName = (name: string): string =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

/**
 * The value of Content-Disposition for the file of a key (RFC 6266): `attachment; filename="q4…7a.html"`. A name with
 * other letters than ASCII's, which another program wrote, stands there twice.
 */
export const contentDisposition = (key: string, type: string): string => {
  const name = nameOf(key)
  const plain = name.replaceAll(notPlain, '_')
  const both = plain === name ? '' : `; filename*=UTF-8''${encodedName(name)}`
  return `${dispositionOf(type)}; filename="${plain}"${both}`
}

/**
 * Media types that another page of the same origin can run or apply, even if the file is an attachment: a policy of
 * `script-src 'self'` allows `<script src>` to an uploaded script.
 */
const activeTypes = /[/+](?:html|xml|xsl|css|wasm)$|script|flash|^(?:multipart|message)\//

/** The Content-Type of a file: bytes without a type for active content, otherwise the media type with its charset. */
export const contentType = (type: string): string => {
  if (activeTypes.test(type)) return NO_TYPE
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}

/** Shows a picture, sound or video that stands in a window of its own, and nothing else. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** The headers that say what a file is and keep a browser from running it. */
export const fileHeaders = (key: string, type: string): Readonly<Record<string, string>> => ({
  'content-type': contentType(type),
  'content-disposition': contentDisposition(key, type),
  'x-content-type-options': 'nosniff',
  'content-security-policy': CONTENT_SECURITY_POLICY,
})
