import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import Negotiator from 'negotiator'
import type { Call, Reply } from '../operation/call.ts'
import { once } from './once.ts'

/** A body that stays the same while the process lives, in both codings. */
export interface StaticBody {
  readonly mediaType: string
  /** A hash of the content, which stands in its ETag. */
  readonly version: string
  plain(): Uint8Array
  gzip(): Uint8Array
}

const versionOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 22)

/** Compressed when the first client asks for that. */
export const fromText = (mediaType: string, text: string): StaticBody => {
  const bytes = Buffer.from(text)
  return { mediaType, version: versionOf(bytes), plain: () => bytes, gzip: once(() => gzipSync(bytes)) }
}

/** Unpacked when the first client asks for that: nearly every client takes gzip. */
export const fromGzip = (mediaType: string, bytes: Uint8Array): StaticBody => ({
  mediaType,
  version: versionOf(bytes),
  plain: once(() => gunzipSync(bytes)),
  gzip: () => bytes,
})

/** The reply with a body, or a 304 without one where the client has it already. */
export const replyWith = (
  call: Call,
  body: StaticBody,
  headers: Readonly<Record<string, string>> = {},
): Reply => {
  const zipped = takesGzip(call)
  const etag = `"${body.version}${zipped ? '-gzip' : ''}"`
  const always = { 'cache-control': 'no-cache', ...headers, etag, vary: 'accept-encoding' }
  if (knows(call, etag)) return { status: 304, headers: always, body: undefined }
  return {
    status: 200,
    headers: {
      ...always,
      'content-type': body.mediaType,
      'x-content-type-options': 'nosniff',
      ...(zipped && { 'content-encoding': 'gzip' }),
    },
    body: zipped ? body.gzip() : body.plain(),
  }
}

const takesGzip = (call: Call): boolean => {
  const accepted = call.header('accept-encoding')
  if (accepted === undefined) return false
  return (
    new Negotiator({ headers: { 'accept-encoding': accepted } }).encoding(['gzip', 'identity']) === 'gzip'
  )
}

/** Weak comparison (RFC 9110, 13.1.2): a proxy may have marked our ETag as weak. */
const knows = (call: Call, etag: string): boolean => {
  const known = call.header('if-none-match')
  if (known === undefined) return false
  return known.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')))
}
