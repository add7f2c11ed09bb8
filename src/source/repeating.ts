import { onceFor } from '../model/objects.ts'
import { type Awaitable, type ModelSource, type RecordStore, SourceError } from './source.ts'
import { wrappedSource, wrappedStore } from './wrapped.ts'

/** Milliseconds, at most, before the first retry. Each further retry waits up to twice as long. */
const FIRST_PAUSE = 20

/** Whether nothing was saved and a retry may succeed. */
export const isContended = (error: unknown): boolean =>
  error instanceof SourceError && error.kind === 'contended'

const isLost = (error: unknown): boolean => error instanceof SourceError && error.kind === 'lost'

/** A random part keeps requests that conflicted from retrying at the same time. */
export const pauseBefore = (repeats: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, FIRST_PAUSE * 2 ** repeats * (0.5 + Math.random() / 2))
  })

type Act<Args extends unknown[], T> = (...args: Args) => Awaitable<T>

const repeatingStore = (store: RecordStore, retries: number): RecordStore => {
  /**
   * A single statement is its own transaction: after a conflict, it is safe to repeat it. A read changes nothing: if its
   * connection broke, it is retried once on another connection.
   */
  const repeated =
    <Args extends unknown[], T>(act: Act<Args, T>, reads: boolean): Act<Args, T> =>
    async (...args) => {
      let again = reads && retries > 0
      for (let repeats = 0; ; ) {
        try {
          return await act(...args)
        } catch (error) {
          if (!isContended(error)) {
            if (!reads || !isLost(error)) throw error
            if (!again) throw new SourceError('unavailable', { cause: error })
            again = false
            // A pool may lend the broken connection again until its socket tells that it has closed.
            await pauseBefore(0)
            continue
          }
          if (repeats >= retries) throw error
        }
        await pauseBefore(repeats)
        repeats += 1
        again = reads
      }
    }
  const write = <Args extends unknown[], T>(act: Act<Args, T>) => repeated(act, false)
  const read = <Args extends unknown[], T>(act: Act<Args, T>) => repeated(act, true)

  return wrappedStore(store, {
    ...{ list: read, count: read, read, related: read, countRelated: read, aggregate: read },
    ...{ create: write, update: write, remove: write, take: write },
  })
}

/**
 * A source that retries single statements if that is safe: after a conflict, and reads whose connection broke. It does not
 * retry a write whose connection broke, which may have been saved, nor transactions, whose work may have other effects.
 * A synchronous source cannot wait, so it is returned unchanged.
 */
export const repeatingSource = <Types>(source: ModelSource<Types>, retries: number): ModelSource<Types> => {
  if (source.capabilities.synchronous === true) return source
  const repeating = onceFor((store: RecordStore) => repeatingStore(store, retries))
  return wrappedSource(
    source,
    { store: (model, ...use) => repeating(source.store(model, ...use)) },
    (observed) => repeatingSource(observed, retries),
  )
}
