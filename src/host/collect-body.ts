import { type HttpError, problem } from '../error/errors.ts'
import { Gathered } from '../operation/body.ts'
import type { BodyBounds } from '../operation/operation.ts'
import { tooLarge } from '../operation/path.ts'

/**
 * Collects a body within its size and time limits; the time starts now. `settle` is called once, with the body or an error:
 * 413 if it is too large, 408 if it is too slow, 400 if the client ends it too early.
 */
export const collectBody = (
  { limit, timeout }: BodyBounds,
  settle: (refusal: HttpError | null, body: Uint8Array) => void,
) => {
  const gathered = new Gathered()
  let isSettled = false
  const settleOnce = (refusal: HttpError | null): void => {
    if (isSettled) return
    isSettled = true
    clearTimeout(timer)
    settle(refusal, gathered.whole())
  }
  const late = `The body did not arrive within ${timeout / 1000} seconds.`
  const timer = setTimeout(() => settleOnce(problem('request_timeout', late)), timeout)
  return {
    add: (piece: Uint8Array): void => {
      if (isSettled) return
      if (gathered.size + piece.byteLength > limit) settleOnce(tooLarge(limit))
      else gathered.add(piece)
    },
    end: (): void => settleOnce(null),
    fail: (cause: unknown): void =>
      settleOnce(problem('rejected', 'The body ended before it was complete.', { cause })),
  }
}
