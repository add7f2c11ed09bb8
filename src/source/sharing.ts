import type { Awaitable } from './source.ts'

/** How many runs of a group may be under way before further callers wait and gather. */
export interface Pace {
  readonly atOnce: () => number
  /** @param milliseconds how long a run took that did not fail */
  readonly ended: (milliseconds: number) => void
  /** In milliseconds. Callers do not wait longer for a run, whose connection may be broken. */
  readonly patience?: number
}

/** For runs that are expensive: more of them at the same time would slow each other down. */
export const oneAtATime: Pace = Object.freeze({ atOnce: () => 1, ended: () => undefined, patience: 5000 })

/** In milliseconds. A longer round trip allows more runs, so that a distant database is kept busy. */
const ROUND_TRIP_OF_ONE = 1
const MOST_RUNS = 8
/** The fastest run shows the round trip, because slower ones also waited for the database. It expires slowly. */
const EXPIRING = 1.001

export const paceByRoundTrip = (): Pace => {
  let fastest = Number.POSITIVE_INFINITY
  return Object.freeze<Pace>({
    atOnce: () => Math.min(MOST_RUNS, 1 + Math.floor(fastest / ROUND_TRIP_OF_ONE)),
    ended: (milliseconds) => {
      fastest = Math.min(milliseconds, fastest * EXPIRING)
    },
    patience: 250,
  })
}

/** @returns a result for each item, in their order */
type Run<Item, Result> = (items: readonly Item[]) => PromiseLike<readonly Awaitable<Result>[]>

export type Gather<Item, Result> = (group: string, item: Item, run: Run<Item, Result>) => Promise<Result>

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Awaitable<Result>) => void
  readonly reject: (error: unknown) => void
}

interface Group<Item, Result> {
  underWay: number
  readonly waiting: Waiting<Item, Result>[]
  /** Starts the next run. */
  next?: (() => void) | undefined
}

/**
 * Lets concurrent callers of the same group share runs: while runs are under way, callers gather for the next one.
 *
 * A call never joins a run that started before it, so its result is never older than the call. If a run throws, all its
 * callers get the error. Nothing is stored after the last run of a group has ended.
 *
 * @param most the largest number of items in a run
 */
export const gathering = <Item, Result>(
  pace: Pace = oneAtATime,
  most: number = Number.POSITIVE_INFINITY,
): Gather<Item, Result> => {
  const groups = new Map<string, Group<Item, Result>>()

  const counted = (key: string, group: Group<Item, Result>): (() => void) => {
    let isCounted = true
    group.underWay += 1
    return () => {
      if (!isCounted) return
      isCounted = false
      group.underWay -= 1
      const { next } = group
      if (next === undefined) {
        if (group.underWay === 0) groups.delete(key)
      } else if (group.underWay < pace.atOnce()) {
        group.next = undefined
        next()
      }
    }
  }

  const start = async (key: string, group: Group<Item, Result>, run: Run<Item, Result>): Promise<void> => {
    const callers = group.waiting.splice(0, most)
    if (callers.length === 0) return
    group.next = group.waiting.length === 0 ? undefined : inContext(() => void start(key, group, run))
    const uncount = counted(key, group)
    const late = pace.patience === undefined ? undefined : setTimeout(uncount, pace.patience)
    const began = performance.now()
    try {
      const results = await run(callers.map(({ item }) => item))
      callers.forEach(({ resolve }, at) => {
        resolve(results[at] as Awaitable<Result>)
      })
      pace.ended(performance.now() - began)
    } catch (error) {
      for (const { reject } of callers) reject(error)
    }
    clearTimeout(late)
    uncount()
  }

  return (key, item, run) =>
    new Promise((resolve, reject) => {
      const group = groups.get(key) ?? { underWay: 0, waiting: [] }
      groups.set(key, group)
      group.waiting.push({ item, resolve, reject })
      if (group.underWay < pace.atOnce()) void start(key, group, run)
      else group.next ??= inContext(() => void start(key, group, run))
    })
}

/** A function that calls `act` in the asynchronous context of now, so that a trace shows a run in a request that waits. */
const inContext = (act: () => void): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  void promise.then(act)
  return resolve
}

export type Share<T> = (key: string, run: () => Awaitable<T>) => Promise<T>

/** `gathering` for callers who want the same: one run for all of them. */
export const sharing = <T>(pace?: Pace): Share<T> => {
  const gather = gathering<undefined, T>(pace)
  return (key, run) =>
    gather(key, undefined, async (callers) => {
      const result = await run()
      return callers.map(() => result)
    })
}

/** The text with the values, which no other values have. `undefined`: a value is an object, so callers cannot share. */
export const sharingKey = (text: string, values: readonly unknown[]): string | undefined => {
  let key = text
  for (const value of values) {
    if (typeof value === 'object' && value !== null) return undefined
    const shown = String(value)
    key += `;${typeof value}${shown.length}:${shown}`
  }
  return key
}
