import { StorageError } from './storage-error.ts'

/** Bytes that pass through, counted. */
export interface Arriving {
  readonly bytes: AsyncIterable<Uint8Array>
  /** How many have passed. */
  size(): number
  /** Whether all of them have. */
  ended(): boolean
  /** What to throw where storing them failed: their sender's own error, or else the storage's. */
  failure(error: unknown, refusal: (error: unknown) => StorageError): unknown
}

/** Watches bytes on their way into a storage, so that a client that went away is told from a storage that failed. */
export const arriving = (bytes: AsyncIterable<Uint8Array>): Arriving => {
  let size = 0
  let ended = false
  let broken: { readonly error: unknown } | undefined
  const source = bytes[Symbol.asyncIterator]()
  const next = async (): Promise<IteratorResult<Uint8Array, unknown>> => {
    try {
      return await source.next()
    } catch (error) {
      broken = { error }
      throw error
    }
  }
  // By hand: a storage that fails throws its own error into this generator, which the sender never said.
  const passing = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (let one = await next(); !one.done; one = await next()) {
        size += one.value.byteLength
        yield one.value
      }
      ended = true
    } finally {
      if (!ended && broken === undefined) await source.return?.()
    }
  }
  return {
    bytes: passing(),
    size: () => size,
    ended: () => ended,
    failure: (error, refusal) => {
      if (broken !== undefined) return broken.error
      return error instanceof StorageError ? error : refusal(error)
    },
  }
}
