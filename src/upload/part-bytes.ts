import type { Tokens } from './tokens.ts'

/** The bytes of one part, of which only as many are asked for as are wanted. */
export interface PartBytes {
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
export const partBytesOf = (tokens: Tokens, most: number, refusal: () => unknown): PartBytes => {
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
