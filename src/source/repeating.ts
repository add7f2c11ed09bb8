import { layeredSource } from './layer.ts'
import { type ModelSource, SourceError } from './source.ts'
import { attemptingStore, type WrapMethod } from './wrapped.ts'

/** Milliseconds, at most, before the first retry. Each further retry waits up to twice as long. */
const FIRST_PAUSE = 20

/**
 * How often, at most, a read whose connection broke is retried. A pool may lend a broken connection again until its socket
 * tells that it has closed. More would multiply the wait for a server that falls silent.
 */
const LOST_READ_RETRIES = 2

/** Whether nothing was saved and a retry may succeed. */
export const isContended = (error: unknown): boolean =>
  error instanceof SourceError && error.kind === 'contended'

const isLost = (error: unknown): boolean => error instanceof SourceError && error.kind === 'lost'

/** A random part keeps requests that conflicted from retrying at the same time. */
export const pauseBefore = (repeats: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, FIRST_PAUSE * 2 ** repeats * (0.5 + Math.random() / 2))
  })

/**
 * A single statement is its own transaction: after a conflict, it is safe to repeat it. A read changes nothing: if its
 * connection broke, it is retried on another connection.
 */
const repeated =
  (retries: number): WrapMethod =>
  (method, kind) =>
  async (...args) => {
    const reads = kind !== 'write'
    let lost = 0
    for (let repeats = 0; ; ) {
      try {
        return await method(...args)
      } catch (error) {
        if (!isContended(error)) {
          if (!reads || !isLost(error)) throw error
          if (lost >= Math.min(retries, LOST_READ_RETRIES))
            throw new SourceError('unavailable', { cause: error })
          await pauseBefore(lost)
          lost += 1
          continue
        }
        if (repeats >= retries) throw error
      }
      await pauseBefore(repeats)
      repeats += 1
      lost = 0
    }
  }

/**
 * A source that retries single statements if that is safe: after a conflict, and reads whose connection broke. It does not
 * retry a write whose connection broke, which may have been saved, nor transactions, whose work may have other effects.
 * A synchronous source cannot wait, so it is returned unchanged.
 */
export const repeatingSource = <Types>(source: ModelSource<Types>, retries: number): ModelSource<Types> => {
  if (source.capabilities.synchronous === true) return source
  const attempt = repeated(retries)
  return layeredSource(source, () => ({ outside: (store) => attemptingStore(store, attempt) }))
}
