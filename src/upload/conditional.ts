import type { Call } from '../operation/call.ts'
import { readRange } from './range.ts'
import type { ByteSpan, StoredFile } from './storage/storage.ts'

/** How a request for a file is answered. `span`: the bytes to send. Absent: none of 304 and 416, else all of them. */
export interface FileAnswer {
  readonly status: 200 | 206 | 304 | 416
  /** Validators, length and range; not what the file is. */
  readonly headers: Readonly<Record<string, string>>
  readonly span?: ByteSpan
}

/** What of a request decides. */
type Asked = Pick<Call, 'method' | 'header'>

type Version = Pick<StoredFile, 'size' | 'etag' | 'modified'>

/**
 * Decides between the whole file, a part, 304 and 416, in the order of RFC 9110, 13.2.2. A range counts for GET alone, and
 * only where If-Range, if it is there, names this very version.
 */
export const answerFor = (asked: Asked, file: Version): FileAnswer => {
  const validators = { etag: file.etag, 'last-modified': file.modified.toUTCString() }
  if (isKnown(asked, file)) return { status: 304, headers: validators }
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
const isKnown = (asked: Asked, { etag, modified }: Version): boolean => {
  const known = asked.header('if-none-match')
  if (known !== undefined) return known.trim() === '*' || tagsOf(known).includes(opaque(etag))
  const since = readDate(asked.header('if-modified-since'))
  return since !== undefined && seconds(modified) <= since
}

/** Whether a part of this version goes with what the client has: a strong comparison. */
const isSameVersion = (asked: Asked, { etag, modified }: Version): boolean => {
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
