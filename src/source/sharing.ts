import type { Awaitable } from './source.ts'

export type Share<T> = (key: string, run: () => Awaitable<T>) => Promise<T>

interface Runs<T> {
  readonly running: Promise<T>
  /** Begins when the running one has ended. */
  next?: Promise<T>
}

/**
 * Lets many who ask for the same share a few runs: for each key one runs, and one waits for its end.
 *
 * No caller joins a run that began before the call, so that the result is as new as the question. An error reaches all who
 * share the run, and the next run is tried afresh. Nothing is kept once the last run has ended.
 */
export const sharing = <T>(): Share<T> => {
  const byKey = new Map<string, Runs<T>>()

  const begin = (key: string, run: () => Awaitable<T>): Promise<T> => {
    // What it throws at once is a rejection too.
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
