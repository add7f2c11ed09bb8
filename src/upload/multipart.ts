import { parse } from 'content-type'
import { problem, shortened } from '../error/errors.ts'
import { Gathered } from '../operation/body.ts'
import type { ByteSource } from '../operation/steps.ts'
import {
  decodeUtf8,
  invalidPart,
  malformed,
  type PartHead,
  partTooLarge,
  readHead,
  scannerOf,
  type Token,
} from './multipart-grammar.ts'
import type { MultipartLimits } from './multipart-settings.ts'

export interface MultipartReading {
  readonly limits: MultipartLimits
  /** Called for each part as it arrives. Reading continues when the call has finished, and stops if it throws. */
  readonly onPart: (part: Part) => Promise<void> | void
  /** Which parts are files. @default parts with a file name */
  readonly isFile?: (head: PartHead) => boolean
  /** Whether several parts may have the same name. @default false */
  readonly repeats?: boolean
}

export type Part = TextPart | FilePart

export interface TextPart {
  readonly kind: 'text'
  readonly name: string
  readonly text: string
}

export interface FilePart extends PartHead {
  readonly kind: 'file'
  /**
   * The bytes, which can be read once. They arrive with the request body while you read them. Bytes that the handler does
   * not read are dropped. Reading throws if it fails, for example if the client has disconnected or the file is too
   * large.
   */
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Reads a `multipart/form-data` body (RFC 7578) part by part, while it arrives.
 *
 * An empty file input of a form (no name, no bytes) does not count as a part. Bytes after the final boundary are read and
 * dropped. On failure, the source is released where it is, and every stream of a part throws the same error.
 */
export const readMultipart = async (
  source: ByteSource,
  contentType: string | undefined,
  reading: MultipartReading,
): Promise<void> => {
  const tokens = tokensOf(source, boundaryOf(contentType), reading.limits)
  const readPart = partReader(tokens, reading)
  try {
    for (let token = await tokens.next(); token !== undefined; token = await tokens.next())
      if (token.kind === 'head') await readPart(readHead(token.bytes, reading.limits))
  } catch (error) {
    // A handler may have wrapped the error of its stream.
    throw tokens.failure?.error ?? error
  } finally {
    await tokens.close()
  }
}

/** Boundaries of RFC 2046, but with any printable character, because clients use them. */
const boundaryForm = /^[\x20-\x7e]{0,69}[\x21-\x7e]$/

const boundaryOf = (contentType = ''): string => {
  const { type, parameters } = parse(contentType)
  if (type.toLowerCase() !== 'multipart/form-data')
    throw problem('unsupported_media_type', 'Content-Type must be multipart/form-data.')
  const boundary = parameters['boundary']
  if (boundary === undefined || !boundaryForm.test(boundary))
    throw malformed('Content-Type must have a boundary of 1 to 70 characters.')
  return boundary
}

/** Reads the part whose head was the last token, and passes it to the handler. */
const partReader = (
  tokens: TokenReader,
  { limits, onPart, isFile = ({ fileName }) => fileName !== undefined, repeats = false }: MultipartReading,
): ((head: PartHead) => Promise<void>) => {
  const seen = new Set<string>()
  let files = 0
  let fields = 0
  let textLeft = limits.UPLOAD_TEXT_LIMIT

  const assertName = (name: string): void => {
    // Code that creates an object from the parts must not set its prototype.
    if (name === '__proto__') throw invalidPart(name, 'unknown_key', 'Unknown field __proto__.')
    if (seen.has(name) && !repeats)
      throw invalidPart(
        name,
        'repeated',
        `The part ${shortened(name)} is present more than once. Send it once.`,
      )
    seen.add(name)
  }

  const readText = async (name: string): Promise<void> => {
    fields += 1
    if (fields > limits.UPLOAD_MAX_FIELDS)
      throw partTooLarge(`The body has more than ${limits.UPLOAD_MAX_FIELDS} text parts.`)
    const detail = `The text parts are larger than ${limits.UPLOAD_TEXT_LIMIT} bytes in total.`
    const gathered = new Gathered()
    for await (const bytes of piecesOf(tokens, textLeft, name, detail)) gathered.add(bytes)
    textLeft -= gathered.size
    const text = decodeUtf8(gathered.whole(), () =>
      invalidPart(name, 'invalid_format', `${shortened(name)} must be text in UTF-8.`),
    )
    await onPart({ kind: 'text', name, text })
  }

  const readFile = async (head: PartHead): Promise<void> => {
    files += 1
    if (files > limits.UPLOAD_MAX_FILES)
      throw partTooLarge(`The body has more than ${limits.UPLOAD_MAX_FILES} files.`)
    const detail = `The file ${shortened(head.name)} is larger than ${limits.UPLOAD_FILE_LIMIT} bytes.`
    const pieces = piecesOf(tokens, limits.UPLOAD_FILE_LIMIT, head.name, detail)
    const first = await pieces.next()
    // Browsers send this for a file input without a chosen file.
    if (first.done === true && (head.fileName ?? '') === '') return
    let isOver = false
    const assertOpen = (): void => {
      if (isOver)
        throw (
          tokens.failure?.error ?? new Error('The bytes of a part can only be read while its handler runs.')
        )
    }
    async function* stream(): AsyncGenerator<Uint8Array> {
      assertOpen()
      for (let piece = first; piece.done !== true; piece = await pieces.next()) {
        yield piece.value
        assertOpen()
      }
    }
    try {
      await onPart({ kind: 'file', ...head, bytes: stream() })
    } finally {
      isOver = true
    }
    // A handler may return while it still waits for a chunk. These reads queue behind it.
    while ((await pieces.next()).done !== true);
  }

  return async (head) => {
    assertName(head.name)
    await (isFile(head) ? readFile(head) : readText(head.name))
  }
}

/**
 * The bytes of the part whose head was the last token. @param detail the error detail if there are more than `most` bytes
 */
async function* piecesOf(
  tokens: TokenReader,
  most: number,
  name: string,
  detail: string,
): AsyncGenerator<Uint8Array, undefined> {
  let size = 0
  for (let token = await tokens.next(); token?.kind === 'data'; token = await tokens.next()) {
    size += token.bytes.length
    if (size > most) tokens.fail(partTooLarge(detail, name))
    yield token.bytes
  }
}

/** The tokens of a body, one at a time, within the time limits. After a failure, every call throws the same error. */
interface TokenReader {
  readonly failure: { readonly error: unknown } | undefined
  /** `undefined` at the end of the body. */
  next(): Promise<Token | undefined>
  fail(error: unknown): never
  /** Releases the source. It never throws. */
  close(): Promise<void>
}

/** Larger chunks are split, to limit the memory per step. 64 KiB. */
const pieceBytes = 65_536

const tokensOf = (source: ByteSource, boundary: string, limits: MultipartLimits): TokenReader => {
  const iterator = source[Symbol.asyncIterator]()
  let failure: TokenReader['failure']
  let isWaiting = false
  let interrupt: (error: unknown) => void = () => undefined

  const abandon = (detail: string): void => {
    failure ??= { error: problem('request_timeout', detail) }
    interrupt(failure.error)
  }
  const idleTimer = setTimeout(() => {
    // The time that a handler takes does not count.
    if (isWaiting) abandon(`No bytes of the body arrived for ${limits.UPLOAD_IDLE_TIMEOUT} seconds.`)
  }, limits.UPLOAD_IDLE_TIMEOUT * 1000)
  const totalTimer = setTimeout(
    () => abandon(`The body did not arrive within ${limits.UPLOAD_TIMEOUT} seconds.`),
    limits.UPLOAD_TIMEOUT * 1000,
  )

  const pull = (): Promise<IteratorResult<Uint8Array, unknown>> =>
    new Promise((resolve, reject) => {
      interrupt = reject
      isWaiting = true
      idleTimer.refresh()
      const reading = (async () => iterator.next())().finally(() => {
        isWaiting = false
      })
      reading.then(resolve, (error: unknown) => reject(malformed('It ended before it was complete.', error)))
    })

  async function* scan(): AsyncGenerator<Token, undefined> {
    const scanner = scannerOf(boundary, limits.UPLOAD_HEADER_LIMIT)
    let total = 0
    for (let next = await pull(); next.done !== true; next = await pull()) {
      const { value } = next
      total += value.length
      if (total > limits.UPLOAD_BODY_LIMIT)
        throw partTooLarge(`The multipart body is larger than ${limits.UPLOAD_BODY_LIMIT} bytes.`)
      for (let at = 0; at < value.length; at += pieceBytes)
        yield* scanner.push(value.subarray(at, at + pieceBytes))
    }
    scanner.end()
  }

  const tokens = scan()
  const fail = (error: unknown): never => {
    failure ??= { error }
    throw failure.error
  }
  return {
    get failure() {
      return failure
    },
    fail,
    next: async () => {
      if (failure !== undefined) throw failure.error
      return (await tokens.next().catch(fail)).value
    },
    close: async () => {
      clearTimeout(idleTimer)
      clearTimeout(totalTimer)
      const released = iterator.return?.().catch(() => undefined)
      // Not awaited while a read is pending, because the release would wait for that read.
      if (!isWaiting) await released
    },
  }
}
