import { type HttpError, problem } from '../error/errors.ts'
import { Gathered } from '../operation/body.ts'
import type { BodyBounds } from '../operation/operation.ts'
import { tooLarge } from '../operation/path.ts'

/** A body that is being read. A host says what arrives. */
interface Collecting {
  add(piece: Uint8Array): void
  /** All of it is there. */
  end(): void
  /** The client ended too early. */
  fail(cause: unknown): void
}

/**
 * Collects a body up to its limit, from now on for as long as it may take.
 *
 * @param settle called once, with the body or its refusal: 413 beyond the limit, 408 beyond the time, 400 where the client
 *   ends too early
 */
export const collectBody = (
  { limit, timeout }: BodyBounds,
  settle: (refusal: HttpError | null, body: Uint8Array) => void,
): Collecting => {
  const gathered = new Gathered()
  let isSettled = false
  const finish = (refusal: HttpError | null): void => {
    if (isSettled) return
    isSettled = true
    clearTimeout(timer)
    settle(refusal, gathered.whole())
  }
  const late = `The body did not arrive within ${timeout / 1000} seconds.`
  const timer = setTimeout(() => finish(problem('request_timeout', late)), timeout)
  return {
    add: (piece) => {
      if (isSettled) return
      if (gathered.size + piece.byteLength > limit) finish(tooLarge(limit))
      else gathered.add(piece)
    },
    end: () => finish(null),
    fail: (cause) => finish(problem('rejected', 'The body ended before it was complete.', { cause })),
  }
}
