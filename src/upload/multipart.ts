import { parse } from 'content-type'
import { problem, shortened } from '../error/errors.ts'
import { Gathered } from '../operation/body.ts'
import type { ByteSource } from '../operation/steps.ts'
import {
  invalidPart,
  malformed,
  type PartHead,
  readHead,
  scannerOf,
  type Token,
  tooLarge,
  tooSlow,
} from './multipart-grammar.ts'
import type { MultipartLimits } from './multipart-settings.ts'

/** How a multipart body is read. */
export interface MultipartReading {
  readonly limits: MultipartLimits
  /** Called for each part as it arrives. Nothing more is read before it is done. What it throws ends the reading. */
  readonly onPart: (part: Part) => Promise<void> | void
  /** Which parts are files. @default those that name a file */
  readonly isFile?: (head: PartHead) => boolean
  /** Whether a name may come more than once. @default false */
  readonly repeats?: boolean
  /** Aborted when the client is gone, where the source does not fail by itself then. */
  readonly signal?: AbortSignal
}

/** One part of a multipart body. */
export type Part = TextPart | FilePart

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
  const tokens = tokensOf(source, boundaryOf(contentType), reading)
  const readPart = partReader(tokens, reading)
  try {
    for (let token = await tokens.next(); token !== undefined; token = await tokens.next())
      if (token.kind === 'head') await readPart(readHead(token.bytes, reading.limits))
  } catch (error) {
    // A handler may have made something else of what its stream failed with.
    throw tokens.failure()?.error ?? error
  } finally {
    await tokens.close()
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

const namesFile = ({ fileName }: PartHead): boolean => fileName !== undefined

/** Reads the part whose head was the last token, and gives it to the handler. */
const partReader = (
  tokens: Tokens,
  { limits, onPart, isFile = namesFile, repeats = false }: MultipartReading,
): ((head: PartHead) => Promise<void>) => {
  const seen = new Set<string>()
  let files = 0
  let fields = 0
  let textLeft = limits.UPLOAD_TEXT_LIMIT

  const assertName = (name: string): void => {
    // Whoever makes an object of the parts must not get one with another prototype.
    if (name === '__proto__') throw invalidPart(name, 'unknown_key', 'There is no field __proto__.')
    if (seen.has(name) && !repeats)
      throw invalidPart(name, 'repeated', `There is more than one part ${shortened(name)}.`)
    seen.add(name)
  }

  const readText = async (name: string): Promise<void> => {
    fields += 1
    if (fields > limits.UPLOAD_MAX_FIELDS)
      throw tooLarge(`The body has more than ${limits.UPLOAD_MAX_FIELDS} text parts.`)
    const next = piecesOf(tokens, textLeft, () =>
      tooLarge(`The text parts are larger than ${limits.UPLOAD_TEXT_LIMIT} bytes.`, name),
    )
    const gathered = new Gathered()
    for (let bytes = await next(); bytes !== undefined; bytes = await next()) gathered.add(bytes)
    textLeft -= gathered.size
    await onPart({ kind: 'text', name, text: decodeText(name, gathered.whole()) })
  }

  const readFile = async (head: PartHead): Promise<void> => {
    files += 1
    if (files > limits.UPLOAD_MAX_FILES)
      throw tooLarge(`The body has more than ${limits.UPLOAD_MAX_FILES} files.`)
    const next = piecesOf(tokens, limits.UPLOAD_FILE_LIMIT, () =>
      tooLarge(
        `The file ${shortened(head.name)} is larger than ${limits.UPLOAD_FILE_LIMIT} bytes.`,
        head.name,
      ),
    )
    const first = await next()
    // A form sends this for a file that nobody has chosen.
    if (first === undefined && (head.fileName ?? '') === '') return
    let isOver = false
    let piece: Promise<Uint8Array | undefined> = Promise.resolve(first)
    const assertOpen = (): void => {
      if (isOver)
        throw tokens.failure()?.error ?? new Error('The part is over: its bytes can no longer be read.')
    }
    async function* stream(): AsyncGenerator<Uint8Array> {
      assertOpen()
      for (let bytes = first; bytes !== undefined; bytes = await piece) {
        yield bytes
        assertOpen()
        piece = next()
      }
    }
    try {
      await onPart({ kind: 'file', ...head, bytes: stream() })
    } finally {
      isOver = true
    }
    // A handler may be done while it still waits for a piece.
    await piece
    while ((await next()) !== undefined);
  }

  return async (head) => {
    assertName(head.name)
    await (isFile(head) ? readFile(head) : readText(head.name))
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decodeText = (name: string, bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidPart(name, 'invalid_format', `${shortened(name)} must be text in UTF-8.`)
  }
}

/** The bytes of the part whose head was the last token, a piece at a time, up to `most` of them. */
const piecesOf = (
  tokens: Tokens,
  most: number,
  refusal: () => unknown,
): (() => Promise<Uint8Array | undefined>) => {
  let size = 0
  let isComplete = false
  return async () => {
    const token = isComplete ? undefined : await tokens.next()
    if (token?.kind !== 'data') {
      isComplete = true
      return undefined
    }
    size += token.bytes.length
    return size > most ? tokens.fail(refusal()) : token.bytes
  }
}

/** The tokens of a body, one at a time, in time. Once it has failed it fails the same way for good. */
interface Tokens {
  /** `undefined`: the body is complete. Never asked again before it has answered. */
  next(): Promise<Token | undefined>
  fail(error: unknown): never
  failure(): { readonly error: unknown } | undefined
  /** Lets go of the source. It never throws. */
  close(): Promise<void>
}

/** Larger pieces than these are cut, so that what is made of one at a time stays small. 64 KiB. */
const pieceBytes = 65_536

const tokensOf = (source: ByteSource, boundary: string, { limits, signal }: MultipartReading): Tokens => {
  const scanner = scannerOf(boundary, limits.UPLOAD_HEADER_LIMIT)
  const iterator = source[Symbol.asyncIterator]()
  let failure: { readonly error: unknown } | undefined
  let isWaiting = false
  let interrupt: (error: unknown) => void = () => undefined
  let total = 0
  let rest: Uint8Array = new Uint8Array()
  let ready: readonly Token[] = []
  let place = 0

  const abandon = (error: unknown): void => {
    failure ??= { error }
    interrupt(failure.error)
  }
  const onAbort = (): void => abandon(malformed('The client is gone.', signal?.reason))
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted === true) onAbort()
  const idleTimer = setTimeout(() => {
    // The time that a handler takes is not the client's.
    if (isWaiting) abandon(tooSlow(`Nothing of the body came for ${limits.UPLOAD_IDLE_TIMEOUT} seconds.`))
  }, limits.UPLOAD_IDLE_TIMEOUT * 1000)
  const totalTimer = setTimeout(
    () => abandon(tooSlow(`The body did not arrive within ${limits.UPLOAD_TIMEOUT} seconds.`)),
    limits.UPLOAD_TIMEOUT * 1000,
  )

  const pull = (): Promise<IteratorResult<Uint8Array, unknown>> =>
    new Promise((resolve, reject) => {
      interrupt = reject
      isWaiting = true
      idleTimer.refresh()
      const asked = (async () => iterator.next())().finally(() => {
        isWaiting = false
      })
      asked.then(resolve, (error: unknown) => reject(malformed('It ended too early.', error)))
    })

  /** @returns `false` at the end of the body */
  const scan = async (): Promise<boolean> => {
    if (rest.length === 0) {
      const { done, value } = await pull()
      if (done === true) {
        scanner.end()
        return false
      }
      rest = value
      total += value.length
      if (total > limits.UPLOAD_BODY_LIMIT)
        throw tooLarge(
          `The body is larger than the ${limits.UPLOAD_BODY_LIMIT} bytes that a multipart body may have.`,
        )
    }
    ready = scanner.push(rest.subarray(0, pieceBytes))
    rest = rest.subarray(pieceBytes)
    place = 0
    return true
  }

  const tokens: Tokens = {
    next: async () => {
      if (failure !== undefined) throw failure.error
      try {
        while (place >= ready.length) if (!(await scan())) return undefined
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
    close: async () => {
      clearTimeout(idleTimer)
      clearTimeout(totalTimer)
      signal?.removeEventListener('abort', onAbort)
      const released = iterator.return?.().catch(() => undefined)
      // While it still waits for bytes, letting go has to wait for them, too.
      if (!isWaiting) await released
    },
  }
  return tokens
}
