/** Something that has to work before requests should come here. */
export interface Check {
  readonly name: string
  /** Throws or rejects where it does not work. */
  readonly run: () => unknown
}

/** What became of a check. The error is for the log alone. */
export type Outcome =
  | { readonly name: string; readonly state: 'ok' | 'timeout' }
  | { readonly name: string; readonly state: 'failed'; readonly error: unknown }

/** A check that never ends may hold a connection of a pool, so it is tried again just so often. */
const MOST_HANGING = 2

/**
 * What hangs for so many times its timeout is taken for ended: nobody knows of a connection whose other end is gone without
 * a word, and a new one may work.
 */
const FORGOTTEN_AFTER = 10

/**
 * Runs all checks at the same time, each for a time at most. Who asks while they run gets the same answer: no number of
 * clients makes more than one question of it.
 *
 * @param timeout in milliseconds
 */
export const probeOf = (checks: readonly Check[], timeout: number): (() => Promise<readonly Outcome[]>) => {
  const bounded = checks.map((check) => boundedCheck(check, timeout))
  let running: Promise<readonly Outcome[]> | undefined
  return () => {
    running ??= Promise.all(bounded.map((run) => run())).finally(() => {
      running = undefined
    })
    return running
  }
}

/** It never rejects. */
const boundedCheck = ({ name, run }: Check, timeout: number): (() => Promise<Outcome>) => {
  let hanging = 0
  return () => {
    if (hanging === MOST_HANGING) return Promise.resolve({ name, state: 'timeout' })
    hanging += 1
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ name, state: 'timeout' }), timeout)
      let isForgotten = false
      const forget = (): void => {
        if (!isForgotten) hanging -= 1
        isForgotten = true
      }
      const oblivion = setTimeout(forget, timeout * FORGOTTEN_AFTER).unref()
      const end = (outcome: Outcome): void => {
        forget()
        clearTimeout(timer)
        clearTimeout(oblivion)
        resolve(outcome)
      }
      startOf(run).then(
        () => end({ name, state: 'ok' }),
        (error: unknown) => end({ name, state: 'failed', error }),
      )
    })
  }
}

/** At once, and what it throws is a rejection too. */
const startOf = async (run: () => unknown): Promise<void> => {
  await run()
}
