import type { Awaitable } from './source.ts'

export type Share<T> = (key: string, run: () => Awaitable<T>) => Promise<T>

interface Runs<T> {
  readonly running: Promise<T>
  /** Starts when the running one has ended. */
  next?: Promise<T>
}

/**
 * Lets concurrent callers with the same key share runs: for each key, one run is active, and at most one waits for its end.
 *
 * A call never joins a run that started before it, so its result is never older than the call. An error reaches all callers
 * of the run, and the next run starts again. Nothing is stored after the last run has ended.
 */
export const sharing = <T>(): Share<T> => {
  const byKey = new Map<string, Runs<T>>()

  const begin = (key: string, run: () => Awaitable<T>): Promise<T> => {
    // Turns a synchronous throw into a rejection.
    const running = (async () => await run())()
    const runs: Runs<T> = { running }
    byKey.set(key, runs)
    const ended = () => {
      if (runs.next === undefined) byKey.delete(key)
    }
    running.then(ended, ended)
    return running
  }

  return (key, run) => {
    const runs = byKey.get(key)
    if (runs === undefined) return begin(key, run)
    const goOn = () => begin(key, run)
    runs.next ??= runs.running.then(goOn, goOn)
    return runs.next
  }
}
