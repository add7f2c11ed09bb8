import { parse as parseDisposition } from 'content-disposition'
import { isTokenValid, isTypeValid, parse as parseType } from 'content-type'
import { shortened } from '../error/issue.ts'
import { clientFileName } from './client-file-name.ts'
import type { MultipartLimits } from './multipart-limits.ts'
import { malformed, misfit } from './multipart-refusals.ts'

/** What the head of a part says. */
export interface PartHead {
  /** The name of the field. Any text that the client likes. */
  readonly name: string
  /**
   * The name that the client gave to its file, to be shown and nothing else. Empty: the file has none. `undefined`: the
   * part names no file.
   */
  readonly fileName: string | undefined
  /** The media type that the client declares, without parameters. It is a hint and may be a lie. */
  readonly declaredType: string | undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Encodings of a part that change nothing. RFC 7578 has done away with all others. */
const plainEncodings: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary'])

const charsets: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/**
 * Reads the head of a part (RFC 7578), strictly: a line that cannot be read is refused, not passed over.
 *
 * @throws HttpError 400 `malformed_multipart`, 422 for a charset that is not UTF-8
 */
export const readHead = (
  bytes: Uint8Array,
  { headerPairs, nameLength }: Pick<MultipartLimits, 'headerPairs' | 'nameLength'>,
): PartHead => {
  const lines = linesOf(bytes, headerPairs)
  const { name, file } = dispositionOf(lines.get('content-disposition'))
  assertLength('name', name, nameLength)
  const fileName = file === undefined || file === '' ? file : clientFileName(file)
  assertLength('file name', fileName ?? '', nameLength)
  const encoding = lines.get('content-transfer-encoding')?.toLowerCase() ?? 'binary'
  if (!plainEncodings.has(encoding)) throw malformed('A part has a transfer encoding. Send it as it is.')
  const declaredType = typeOf(name, lines.get('content-type'), fileName !== undefined)
  return { name, fileName, declaredType }
}

const linesOf = (bytes: Uint8Array, most: number): ReadonlyMap<string, string> => {
  const head = decode(bytes)
  const lines = head === '' ? [] : head.split('\r\n')
  if (lines.length > most) throw malformed(`The head of a part has more than ${most} lines.`)
  const read = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const key = line.slice(0, Math.max(0, colon)).toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (!isTokenValid(key) || /[^\P{Cc}\t]/u.test(value))
      throw malformed('The head of a part has a line that is no header.')
    if (read.has(key)) throw malformed(`The head of a part has the line ${shortened(key)} twice.`)
    read.set(key, value)
  }
  return read
}

const decode = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw malformed('The head of a part is not UTF-8.')
  }
}

const dispositionOf = (value = ''): { readonly name: string; readonly file: string | undefined } => {
  const { type, parameters } = parseDisposition(value, { multipart: true })
  const { name, filename } = parameters
  if (type !== 'form-data' || name === undefined)
    throw malformed('A part needs a head with Content-Disposition: form-data; name="…".')
  if (/\p{Cc}/u.test(name)) throw malformed('The name of a part holds a control character.')
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
  if (!isTypeValid(type)) throw malformed('The content type of a part cannot be read.')
  if (type.startsWith('multipart/')) throw malformed('A part is a multipart itself.')
  const charset = (parameters['charset'] ?? 'utf-8').toLowerCase()
  if (!isFile && !charsets.has(charset))
    throw misfit(name, 'invalid_format', `${shortened(name)} must be text in UTF-8.`)
  return type
}
