import { clipped } from '../error/errors.ts'
import type { Call, Reply, ReplyStream } from '../operation/call.ts'

/** Whether a body is sent as its bytes arrive. */
export const isStream = (body: Reply['body']): body is ReplyStream =>
  body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)

/** Keeps shared caches from storing responses for one caller. */
export const forCaller = (reply: Reply, { caller }: Call): Reply =>
  caller === undefined ? reply : { ...reply, headers: { 'cache-control': 'private', ...reply.headers } }

/** What a host has to send: a stream that it need not check, and none for HEAD. */
export const sendable = (reply: Reply, call: Call): Reply => {
  const { body, headers } = reply
  if (!isStream(body)) return reply
  if (call.method !== 'HEAD')
    return { ...reply, body: new CheckedStream(body, Number(headers['content-length']), call) }
  body.destroy()
  return { ...reply, body: undefined }
}

/**
 * The stream of a response. If it fails, or its length is not the `content-length`, the error is logged and thrown,
 * so that the host cuts off the response. It is destroyed once: at its end, or when the client disconnects.
 */
class CheckedStream implements ReplyStream {
  readonly #body: ReplyStream
  readonly #length: number
  readonly #call: Call
  #isDestroyed = false

  constructor(body: ReplyStream, length: number, call: Call) {
    this.#body = body
    this.#length = length
    this.#call = call
  }

  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    this.#body.destroy()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    try {
      yield* this.#checked()
    } catch (error) {
      const { log, path } = this.#call
      // A stream that is destroyed early may fail because of that.
      if (!this.#isDestroyed) log.error(`The response to ${clipped(path, 'path')} was interrupted`, error)
      throw error
    } finally {
      this.destroy()
    }
  }

  async *#checked(): AsyncGenerator<Uint8Array, void> {
    let left = this.#length
    for await (const chunk of this.#body) {
      left -= chunk.byteLength
      if (left < 0) throw new Error(`The stream is longer than its content-length of ${this.#length} bytes.`)
      yield chunk
    }
    if (left > 0) throw new Error(`The stream ended ${left} bytes before its content-length.`)
  }
}
