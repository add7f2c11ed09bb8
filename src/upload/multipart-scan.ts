import { Buffer } from 'node:buffer'
import StreamSearch from 'streamsearch'
import { malformed } from './multipart-refusals.ts'

/** What a multipart body is made of, in this order for each part: its head, its bytes in pieces, its end. */
export type Token =
  | { readonly kind: 'head'; readonly bytes: Uint8Array }
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }

/** Cuts the bytes of a body into tokens, without waiting for anything. */
export interface Scanner {
  /** The tokens that these bytes complete. Those of `data` share their memory. @throws HttpError 400 */
  push(chunk: Uint8Array): readonly Token[]
  /** @throws HttpError 400 where the body may not end here. */
  end(): void
}

type State = 'preamble' | 'delimiter' | 'head' | 'body' | 'epilogue'

const crlf = Buffer.from('\r\n')
const headEnd = Buffer.from('\r\n\r\n')

/** After a delimiter its line may go on with spaces. */
const mostPadding = 70

/**
 * Scans a body (RFC 2046). The delimiters are found by the search of busboy; whatever busboy would pass over in silence,
 * as a part without a head, is refused.
 *
 * @param headerBytes the most bytes of a part's head
 */
export const scannerOf = (boundary: string, headerBytes: number): Scanner => {
  let state: State = 'preamble'
  let tokens: Token[] = []
  /** What is there of a delimiter's line or a head that is not complete. */
  const held = Buffer.allocUnsafe(Math.max(headerBytes, mostPadding) + crlf.length + headEnd.length)
  let size = 0

  /** Keeps as many of the bytes as there is room for. */
  const hold = (bytes: Buffer): void => {
    size += bytes.copy(held, size)
  }

  const readers: Readonly<Record<State, (bytes: Buffer) => void>> = {
    preamble: () => undefined,
    delimiter: (bytes) => {
      const before = size
      hold(bytes)
      const line = held.subarray(0, size)
      if (line[0] === 0x2d) {
        if (size === 1) return
        if (line[1] !== 0x2d) throw notADelimiter()
        state = 'epilogue'
        return
      }
      const padding = line.findIndex((byte) => byte !== 0x20 && byte !== 0x09)
      if (padding > mostPadding || (padding === -1 && size > mostPadding)) throw notADelimiter()
      if (padding === -1) return
      if (line[padding] !== 0x0d) throw notADelimiter()
      if (padding + 1 === size) return
      if (line[padding + 1] !== 0x0a) throw notADelimiter()
      state = 'head'
      // The line break stays: a head without a line is one more of it.
      size = 0
      hold(crlf)
      readers.head(bytes.subarray(padding + 2 - before))
    },
    head: (bytes) => {
      const from = Math.max(0, size - headEnd.length + 1)
      const before = size
      hold(bytes)
      const end = held.subarray(0, size).indexOf(headEnd, from)
      const length = (end === -1 ? size : end) - crlf.length
      if (length > headerBytes) throw headTooLarge(headerBytes)
      if (end === -1) return
      tokens.push({ kind: 'head', bytes: Buffer.from(held.subarray(Math.min(end, crlf.length), end)) })
      state = 'body'
      const rest = bytes.subarray(end + headEnd.length - before)
      if (rest.length > 0) readers.body(rest)
    },
    body: (bytes) => {
      tokens.push({ kind: 'data', bytes })
    },
    epilogue: () => undefined,
  }

  const delimiters: Readonly<Record<State, () => void>> = {
    preamble: () => undefined,
    delimiter: () => {
      throw malformed('A part has no head.')
    },
    head: () => {
      throw malformed('A part ends inside its head.')
    },
    body: () => {
      tokens.push({ kind: 'end' })
    },
    epilogue: () => undefined,
  }

  const search = new StreamSearch(`\r\n--${boundary}`, (isMatch, data, start, end, isSafe) => {
    if (data !== undefined && start < end) {
      const bytes = data.subarray(start, end)
      readers[state](isSafe === true ? bytes : Buffer.from(bytes))
    }
    if (!isMatch || state === 'epilogue') return
    delimiters[state]()
    size = 0
    state = 'delimiter'
  })
  // The first delimiter has no line break before it where there is no preamble.
  search.push(crlf)

  return {
    push: (chunk) => {
      tokens = []
      if (state !== 'epilogue') search.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      return tokens
    },
    end: () => {
      if (state !== 'epilogue') throw malformed('It ends before its last boundary.')
    },
  }
}

const notADelimiter = (): Error =>
  malformed('Its boundary stands inside a part, or on a line that goes on after it.')

const headTooLarge = (most: number): Error => malformed(`The head of a part is longer than ${most} bytes.`)
