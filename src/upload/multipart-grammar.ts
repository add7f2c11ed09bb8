import { Buffer } from 'node:buffer'
import { parse as parseDisposition } from 'content-disposition'
import { isTokenValid, isTypeValid, parse as parseType } from 'content-type'
import StreamSearch from 'streamsearch'
import { type HttpError, type Issue, pointerTo, problem, shortened } from '../error/errors.ts'
import { isStorable } from '../model/kinds/text.ts'
import type { MultipartLimits } from './multipart-settings.ts'

/** The tokens of a multipart body. For each part: its head, its bytes in chunks, its end. */
export type Token =
  | { readonly kind: 'head'; readonly bytes: Uint8Array }
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }

interface BodyScanner {
  /** Returns the tokens that these bytes complete. `data` tokens share their memory. @throws HttpError 400 */
  push(chunk: Uint8Array): readonly Token[]
  end(): void
}

const headEnd = Buffer.from('\r\n\r\n')

/** The maximum number of spaces after a delimiter on its line. */
const MOST_PADDING = 70
const LINE_BYTES = MOST_PADDING + 2
const delimiterLine = /^(?:-$|[ \t]{0,70}(?:$|\r$|\r\n))/

/**
 * Scans a body (RFC 2046). Only the search for delimiters uses a library. Parser libraries are too lenient: busboy,
 * @fastify/busboy, @hapi/pez and multipasta silently drop a part without a head (`--b\r\n--b--`),
 * @remix-run/multipart-parser takes `--bs` for the delimiter of `b`, and all five accept a part with two
 * `Content-Disposition` lines.
 */
export const scannerOf = (boundary: string, headerBytes: number): BodyScanner => {
  let state: 'preamble' | 'head' | 'body' | 'epilogue' = 'preamble'
  let tokens: Token[] = []
  /** The bytes after a delimiter, up to the end of the head. */
  const held = Buffer.allocUnsafe(LINE_BYTES + headerBytes + headEnd.length)
  let size = 0

  const readHeadBytes = (bytes: Buffer): void => {
    const before = size
    size += bytes.copy(held, size)
    const line = held.toString('latin1', 0, Math.min(size, LINE_BYTES))
    if (line.startsWith('--')) {
      state = 'epilogue'
      return
    }
    if (!delimiterLine.test(line))
      throw malformed('The boundary occurs inside a part or is followed by other characters.')
    const start = line.indexOf('\n') + 1
    // In an empty head, the line break of the delimiter is the start of the end of the head.
    const end = held.subarray(0, size).indexOf(headEnd, Math.max(0, before - headEnd.length + 1))
    if ((end === -1 ? size : end) - start > headerBytes)
      throw malformed(`The headers of a part are longer than ${headerBytes} bytes.`)
    if (end === -1) return
    tokens.push({ kind: 'head', bytes: Buffer.from(held.subarray(start, end)) })
    state = 'body'
    const rest = bytes.subarray(end + headEnd.length - before)
    if (rest.length > 0) tokens.push({ kind: 'data', bytes: rest })
  }

  const search = new StreamSearch(`\r\n--${boundary}`, (isMatch, data, start, end, isSafe) => {
    if (data !== undefined && start < end && (state === 'head' || state === 'body')) {
      const bytes = data.subarray(start, end)
      const kept = isSafe === true ? bytes : Buffer.from(bytes)
      if (state === 'head') readHeadBytes(kept)
      else tokens.push({ kind: 'data', bytes: kept })
    }
    if (!isMatch || state === 'epilogue') return
    if (state === 'head')
      throw malformed(size === 0 ? 'A part has no headers.' : 'A part ends within its headers.')
    if (state === 'body') tokens.push({ kind: 'end' })
    size = 0
    state = 'head'
  })
  // Without a preamble, no line break precedes the first delimiter.
  search.push(Buffer.from('\r\n'))

  return {
    push: (chunk) => {
      tokens = []
      if (state !== 'epilogue') search.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      return tokens
    },
    end: () => {
      if (state !== 'epilogue') throw malformed('The final boundary is missing.')
    },
  }
}

export interface PartHead {
  /** The name of the field: any text that the client chooses. */
  readonly name: string
  /** Only for display. Empty for a file without a name. `undefined` if the part is not a file. */
  readonly fileName: string | undefined
  /** The media type that the client declares, without parameters. It cannot be trusted. */
  readonly declaredType: string | undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Transfer encodings that do not change the content. RFC 7578 has deprecated the header. */
const plainEncodings: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary'])

const charsets: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/** Reads the head of a part (RFC 7578) strictly: an invalid line is refused, not ignored. */
export const readHead = (
  bytes: Uint8Array,
  { UPLOAD_MAX_HEADERS, UPLOAD_NAME_LENGTH }: MultipartLimits,
): PartHead => {
  const lines = linesOf(bytes, UPLOAD_MAX_HEADERS)
  const { name, file } = dispositionOf(lines.get('content-disposition'))
  assertLength('name', name, UPLOAD_NAME_LENGTH)
  const fileName = file === undefined || file === '' ? file : clientFileName(file)
  assertLength('file name', fileName ?? '', UPLOAD_NAME_LENGTH)
  const encoding = lines.get('content-transfer-encoding')?.toLowerCase() ?? 'binary'
  if (!plainEncodings.has(encoding))
    throw malformed('A part has a Content-Transfer-Encoding; send its content without encoding.')
  const declaredType = typeOf(name, lines.get('content-type'), fileName !== undefined)
  return { name, fileName, declaredType }
}

const linesOf = (bytes: Uint8Array, most: number): ReadonlyMap<string, string> => {
  const head = decodeUtf8(bytes, () => malformed('The headers of a part must be UTF-8.'))
  const lines = head === '' ? [] : head.split('\r\n')
  if (lines.length > most) throw malformed(`A part has more than ${most} headers.`)
  const read = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const key = line.slice(0, Math.max(0, colon)).toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (!isTokenValid(key) || /[^\P{Cc}\t]/u.test(value)) throw malformed('A part has an invalid header.')
    if (read.has(key)) throw malformed(`A part has the header ${shortened(key)} more than once.`)
    read.set(key, value)
  }
  return read
}

/** Keeps a byte order mark as a character. */
export const decodeUtf8 = (bytes: Uint8Array, refusal: () => Error): string => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw refusal()
  }
}

const dispositionOf = (value = ''): { readonly name: string; readonly file: string | undefined } => {
  const { type, parameters } = parseDisposition(value, { multipart: true })
  const { name, filename } = parameters
  if (type !== 'form-data' || name === undefined)
    throw malformed('Every part must have the header Content-Disposition: form-data; name="…".')
  if (/\p{Cc}/u.test(name)) throw malformed('The name of a part contains a control character.')
  return { name, file: filename ?? (parameters['filename*'] === undefined ? undefined : '') }
}

const assertLength = (what: string, text: string, most: number): void => {
  if (text.length > most && [...text].length > most)
    throw malformed(`The ${what} of a part is longer than ${most} characters.`)
}

const typeOf = (name: string, value: string | undefined, isFile: boolean): string | undefined => {
  if (value === undefined || value === '') return undefined
  const { type: given, parameters } = parseType(value)
  const type = given.toLowerCase()
  if (!isTypeValid(type)) throw malformed('The Content-Type of a part is invalid.')
  if (type.startsWith('multipart/')) throw malformed('A part must not itself be a multipart body.')
  const charset = (parameters['charset'] ?? 'utf-8').toLowerCase()
  if (!isFile && !charsets.has(charset))
    throw invalidPart(name, 'invalid_format', `${shortened(name)} must be text in UTF-8.`)
  return type
}

/** Control and format characters, such as line breaks and marks that reverse the text direction. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * The file name that a client sent, for display: without folders and invisible characters, or `file` if nothing remains.
 * It is never used as a path or storage key.
 */
export const clientFileName = (given: string): string => {
  const base = given.split(/[/\\]/).at(-1) ?? ''
  const seen = base.replaceAll(invisible, '').trim()
  return /^\.*$/.test(seen) || !isStorable(seen) ? 'file' : seen
}

export const malformed = (detail: string, cause?: unknown): HttpError =>
  problem('malformed_multipart', `The multipart body is malformed. ${detail}`, { cause })

export const partTooLarge = (detail: string, name?: string): HttpError =>
  problem('body_too_large', detail, {
    errors: name === undefined ? [] : [{ pointer: pointerTo([name]), code: 'body_too_large', detail }],
  })

/** The 422 for a part. @param place its name, or the path to the mistake in it */
export const invalidPart = (
  place: string | readonly (string | number)[],
  code: Issue['code'],
  detail: string,
): HttpError =>
  problem('invalid_body', `The body does not match the schema. ${detail}`, {
    errors: [{ pointer: pointerTo([place].flat()), code, detail }],
  })
