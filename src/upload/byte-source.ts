import type { ByteSource } from '../operation/steps.ts'
import { type MultipartTimes, malformed, tooSlow } from './multipart-limits.ts'

export type { ByteSource }

/** A readable stream of Node. */
interface NodeStream {
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterableIterator<unknown>
}

/** The bytes of a Node stream, as of an `IncomingMessage`. What is not read of it is left to the host. */
export const bytesOfNode = (stream: NodeStream): ByteSource => ({
  [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>,
})

/** A stream of the web platform. */
interface WebStream {
  values(options: { readonly preventCancel: boolean }): AsyncIterableIterator<Uint8Array>
}

const nothing: AsyncIterator<Uint8Array> = { next: async () => ({ done: true, value: undefined }) }

/** The bytes of a `Request`'s body. What is not read of it is left to the host. */
export const bytesOfWeb = (stream: WebStream | null): ByteSource => ({
  [Symbol.asyncIterator]: () => stream?.values({ preventCancel: true }) ?? nothing,
})

/** Asks a source for its bytes, in time. */
export interface Pull {
  /**
   * The next bytes; `undefined` at the end. Once it has failed it fails the same way for good.
   *
   * @throws HttpError 408 `request_timeout`, 400 where the client is gone
   */
  next(): Promise<Uint8Array | undefined>
  /** Lets go of the source. It never throws. */
  close(): Promise<void>
}

/** Larger pieces than these are cut, so that what is made of one at a time stays small. 64 KiB. */
const pieceBytes = 65_536

/** @param signal the client is gone once it is aborted */
export const pullFrom = (source: ByteSource, times: MultipartTimes, signal?: AbortSignal): Pull => {
  const iterator = source[Symbol.asyncIterator]()
  let failure: { readonly error: unknown } | undefined
  let isWaiting = false
  let interrupt: () => void = () => undefined
  let rest: Uint8Array | undefined

  const fail = (error: unknown): void => {
    failure ??= { error }
    interrupt()
  }
  const onAbort = (): void => fail(malformed('The client is gone.', signal?.reason))
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted === true) onAbort()
  const total = setTimeout(
    () => fail(tooSlow(`The body did not arrive within ${times.total / 1000} seconds.`)),
    times.total,
  )

  const ask = (): Promise<Uint8Array | undefined> =>
    new Promise((resolve, reject) => {
      const idle = setTimeout(
        () => fail(tooSlow(`Nothing of the body came for ${times.idle / 1000} seconds.`)),
        times.idle,
      )
      interrupt = () => {
        clearTimeout(idle)
        reject(failure?.error)
      }
      isWaiting = true
      const asked = (async () => iterator.next())()
      asked
        .then(({ done, value }) => resolve(done === true ? undefined : value))
        .catch((error: unknown) => fail(malformed('It ended too early.', error)))
        .finally(() => {
          clearTimeout(idle)
          isWaiting = false
        })
    })

  return {
    next: async () => {
      if (failure !== undefined) throw failure.error
      const bytes = rest ?? (await ask())
      if (bytes === undefined || bytes.length <= pieceBytes) {
        rest = undefined
        return bytes
      }
      rest = bytes.subarray(pieceBytes)
      return bytes.subarray(0, pieceBytes)
    },
    close: async () => {
      clearTimeout(total)
      signal?.removeEventListener('abort', onAbort)
      const released = iterator.return?.().catch(() => undefined)
      // While it still waits for bytes, letting go has to wait for them, too.
      if (!isWaiting) await released
    },
  }
}
