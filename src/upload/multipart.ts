import { Buffer } from 'node:buffer'
import { parse } from 'content-type'
import { problem, shortened } from '../error/errors.ts'
import { Gathered } from '../operation/body.ts'
import { type ByteSource, type Pull, pullFrom } from './byte-source.ts'
import { type PartHead, readHead, type Scanner, scannerOf, type Token } from './multipart-grammar.ts'
import {
  invalidPart,
  type MultipartLimits,
  type MultipartTimes,
  malformed,
  tooLarge,
} from './multipart-limits.ts'

/**
 * Reads a `multipart/form-data` body (RFC 7578) part by part, while it arrives.
 *
 * A file that a form leaves empty (no name, no bytes) is no part. What the body holds after its last boundary is read and
 * dropped. When it fails, it lets go of the source where that stands, every stream of a part fails the same way, and the
 * promise is rejected once.
 *
 * @throws HttpError 400 `malformed_multipart`, 408 `request_timeout`, 413 `body_too_large`, 415, 422 `invalid_body`
 */
export const readMultipart = async (
  source: ByteSource,
  contentType: string | undefined,
  reading: MultipartReading,
): Promise<void> => {
  const { limits, times, signal } = reading
  const scanner = scannerOf(boundaryOf(contentType), limits.headerBytes)
  const pull = pullFrom(source, times, signal)
  const tokens = tokensOf(pull, scanner, limits.totalBytes)
  try {
    const read = partReader(tokens, reading)
    for (;;) {
      const token = await tokens.next()
      if (token === undefined) return
      if (token.kind === 'head') await read(readHead(token.bytes, limits))
    }
  } catch (error) {
    // A handler may have made something else of what its stream failed with.
    throw tokens.failure()?.error ?? error
  } finally {
    await pull.close()
  }
}

/** Boundaries of RFC 2046, which clients may fill with any character that is seen. */
const boundaryForm = /^[\x20-\x7e]{0,69}[\x21-\x7e]$/

const boundaryOf = (contentType = ''): string => {
  const { type, parameters } = parse(contentType)
  if (type.toLowerCase() !== 'multipart/form-data')
    throw problem('unsupported_media_type', 'The body must be multipart/form-data.')
  const boundary = parameters['boundary']
  if (boundary === undefined || !boundaryForm.test(boundary))
    throw malformed('Its Content-Type needs a boundary of 1 to 70 characters.')
  return boundary
}

/** How a multipart body is read. */
export interface MultipartReading {
  readonly limits: MultipartLimits
  readonly times: MultipartTimes
  /** Called for each part as it arrives. Nothing more is read before it is done. What it throws ends the reading. */
  readonly onPart: (part: Part) => Promise<void> | void
  /** Which parts are files. @default those that name a file */
  readonly isFile?: (head: PartHead) => boolean
  /** Whether a name may come more than once. @default false */
  readonly repeats?: boolean
  /** Aborted when the client is gone, where the source does not fail by itself then. */
  readonly signal?: AbortSignal
}

/** A part that is text, whole. */
export interface TextPart {
  readonly kind: 'text'
  readonly name: string
  readonly text: string
}

/** A part that is a file. */
export interface FilePart extends PartHead {
  readonly kind: 'file'
  /**
   * The bytes, once, as they arrive: more of the body is read as they are taken. What is not taken when the handler is
   * done is dropped. It throws what the reading fails with: the client is gone, the file is too large.
   */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** One part of a multipart body. */
export type Part = TextPart | FilePart

const namesFile = ({ fileName }: PartHead): boolean => fileName !== undefined

/** Reads the part whose head was the last token, and gives it to the handler. */
const partReader = (
  tokens: Tokens,
  { limits, onPart, isFile = namesFile, repeats = false }: MultipartReading,
): ((head: PartHead) => Promise<void>) => {
  const seen = new Set<string>()
  let files = 0
  let fields = 0
  let textLeft = limits.textBytes

  const assertName = (name: string): void => {
    // Whoever makes an object of the parts must not get one with another prototype.
    if (name === '__proto__') throw invalidPart(name, 'unknown_key', 'There is no field __proto__.')
    if (seen.has(name) && !repeats)
      throw invalidPart(name, 'repeated', `There is more than one part ${shortened(name)}.`)
    seen.add(name)
  }

  const readText = async (name: string): Promise<void> => {
    fields += 1
    if (fields > limits.fields) throw tooLarge(`The body has more than ${limits.fields} text parts.`)
    const refusal = () => tooLarge(`The text parts are larger than ${limits.textBytes} bytes.`, name)
    const text = await textOfPart(name, partBytesOf(tokens, textLeft, refusal))
    textLeft -= Buffer.byteLength(text)
    await onPart({ kind: 'text', name, text })
  }

  const readFile = async (head: PartHead): Promise<void> => {
    files += 1
    if (files > limits.files) throw tooLarge(`The body has more than ${limits.files} files.`)
    const refusal = () =>
      tooLarge(`The file ${shortened(head.name)} is larger than ${limits.fileBytes} bytes.`, head.name)
    const part = partBytesOf(tokens, limits.fileBytes, refusal)
    const first = await part.take()
    // A form sends this for a file that nobody has chosen.
    if (first === undefined && (head.fileName ?? '') === '') return
    try {
      await onPart({ kind: 'file', ...head, bytes: streamOf(first, part) })
    } finally {
      part.close()
    }
    await part.leave()
  }

  return async (head) => {
    assertName(head.name)
    await (isFile(head) ? readFile(head) : readText(head.name))
  }
}

async function* streamOf(first: Uint8Array | undefined, part: PartBytes): AsyncGenerator<Uint8Array> {
  for (let bytes = first; bytes !== undefined; bytes = await part.take()) yield bytes
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const textOfPart = async (name: string, part: PartBytes): Promise<string> => {
  const gathered = new Gathered()
  for (let bytes = await part.take(); bytes !== undefined; bytes = await part.take()) gathered.add(bytes)
  try {
    return utf8.decode(gathered.whole())
  } catch {
    throw invalidPart(name, 'invalid_format', `${shortened(name)} must be text in UTF-8.`)
  }
}

/** The bytes of one part, of which only as many are asked for as are wanted. */
interface PartBytes {
  /** The next piece; `undefined` at the end of the part. May be asked again before it has answered. */
  take(): Promise<Uint8Array | undefined>
  /** Drops what is left of the part. From now on nobody can take any of it. */
  leave(): Promise<void>
  /** Nobody can take any of it from now on. */
  close(): void
}

/**
 * The bytes of the part whose head was the last token.
 *
 * @param most the most bytes that it may have
 * @param refusal what is thrown beyond
 */
const partBytesOf = (tokens: Tokens, most: number, refusal: () => unknown): PartBytes => {
  let size = 0
  let isComplete = false
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  const read = async (): Promise<Uint8Array | undefined> => {
    if (isComplete) return undefined
    const token = await tokens.next()
    if (token?.kind !== 'data') {
      isComplete = true
      return undefined
    }
    size += token.bytes.length
    return size > most ? tokens.fail(refusal()) : token.bytes
  }

  /** One after the other, whoever asks. */
  const inTurn = (): Promise<Uint8Array | undefined> => {
    const next = last.then(read, read)
    last = next
    return next
  }

  return {
    take: async () => {
      if (isClosed)
        throw tokens.failure()?.error ?? new Error('The part is over: its bytes can no longer be read.')
      return inTurn()
    },
    leave: async () => {
      isClosed = true
      while ((await inTurn()) !== undefined);
    },
    close: () => {
      isClosed = true
    },
  }
}

/** The tokens of a body, one at a time. Once it has failed it fails the same way for good. */
interface Tokens {
  /** `undefined`: the body is complete. Never asked again before it has answered. */
  next(): Promise<Token | undefined>
  /** Fails from now on. */
  fail(error: unknown): never
  /** What it has failed with. */
  failure(): { readonly error: unknown } | undefined
}

/** @param most the most bytes of the body */
const tokensOf = (pull: Pull, scanner: Scanner, most: number): Tokens => {
  let failure: { readonly error: unknown } | undefined
  let ready: readonly Token[] = []
  let place = 0
  let total = 0

  const more = async (): Promise<boolean> => {
    const bytes = await pull.next()
    if (bytes === undefined) {
      scanner.end()
      return false
    }
    total += bytes.length
    if (total > most)
      throw tooLarge(`The body is larger than the ${most} bytes that a multipart body may have.`)
    ready = scanner.push(bytes)
    place = 0
    return true
  }

  const tokens: Tokens = {
    next: async () => {
      if (failure !== undefined) throw failure.error
      try {
        while (place >= ready.length) if (!(await more())) return undefined
      } catch (error) {
        return tokens.fail(error)
      }
      const token = ready[place]
      place += 1
      return token
    },
    fail: (error) => {
      failure ??= { error }
      throw failure.error
    },
    failure: () => failure,
  }
  return tokens
}
