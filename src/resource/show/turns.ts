import { type Awaitable, isPromise } from '../../model/objects.ts'

/** Runs `act` now, or when it is its turn. */
export type TakeTurn = <T>(act: () => Awaitable<T>) => Awaitable<T>

/** At most `most` run at the same time. After a failure, those that wait never run. */
export const turnsOf = (most: number): TakeTurn => {
  let running = 0
  let hasFailed = false
  const waiting: (() => void)[] = []
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  const fail = (): void => {
    hasFailed = true
    waiting.length = 0
  }
  const run = <T>(act: () => Awaitable<T>): Awaitable<T> => {
    const result = act()
    if (isPromise(result)) result.then(leave, fail)
    else leave()
    return result
  }
  return (act) => {
    if (running >= most || hasFailed)
      return new Promise<void>((resolve) => waiting.push(resolve)).then(() => run(act))
    running += 1
    return run(act)
  }
}
