import type { Log } from './log.ts'
import type { Observation } from './observer.ts'

/** An observation that can always be relied on. */
export interface Watch<Ended> {
  run<T>(work: () => T): T
  end(ended: Ended): void
}

/** Begins to watch. `undefined`: nobody wants to. */
export type Watcher<Begun, Ended> = (begun: Begun) => Watch<Ended> | undefined

/** Makes what an observer gives safe to call: what it throws breaks nothing of what it watches. */
export type Guard = <Begun, Ended>(
  begin: (begun: Begun) => Observation<Ended> | undefined,
) => Watcher<Begun, Ended>

/** The guard of one observer. The log is told of the first thing that it throws: the next ones would be the same. */
export const guardWith = (log: Log): Guard => {
  let isTold = false
  const tell = (error: unknown): void => {
    if (isTold) return
    isTold = true
    log.error('The observer failed. What else it throws is not logged', error)
  }
  /** A rejection that nobody waits for would end the process. */
  const attempt = <T>(act: () => T): T | undefined => {
    try {
      const given: unknown = act()
      if (given instanceof Promise) given.catch(tell)
      return given as T
    } catch (error) {
      tell(error)
      return undefined
    }
  }
  return (begin) => (begun) => {
    const observation = attempt(() => begin(begun))
    if (observation === undefined || observation === null) return undefined
    return {
      run: (work) => doneOnce(observation, work, tell),
      end: (ended) => {
        attempt(() => observation.end?.(ended))
      },
    }
  }
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown }

const outcomeOf = <T>(work: () => T): Outcome<T> => {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}

/** The work is done once, whether the observer does it, forgets it or fails, and what it gives is what is given. */
const doneOnce = <T>(observation: Observation<never>, work: () => T, tell: (error: unknown) => void): T => {
  if (observation.run === undefined) return work()
  let outcome: Outcome<T> | undefined
  const once = (): T => {
    outcome ??= outcomeOf(work)
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
  try {
    observation.run(once)
  } catch (error) {
    if (outcome === undefined || !('error' in outcome) || outcome.error !== error) tell(error)
  }
  return once()
}
