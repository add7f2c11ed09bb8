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
const oneAtATime: Pace = Object.freeze({ atOnce: () => 1, ended: () => undefined, patience: 5000 })

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

type Gather<Item, Result> = (group: string, item: Item, run: Run<Item, Result>) => Promise<Result>

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Awaitable<Result>) => void
  readonly reject: (error: unknown) => void
}

/** A run that is under way, and when it began. */
interface UnderWay {
  readonly began: number
}

interface Group<Item, Result> {
  /** The oldest is the first. Without those that took longer than callers wait. */
  readonly runs: UnderWay[]
  readonly waiting: Waiting<Item, Result>[]
  /** Starts the next run. */
  next?: (() => void) | undefined
  /** Runs while callers wait. */
  timer?: ReturnType<typeof setTimeout> | undefined
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
  type Ours = Group<Item, Result>
  const groups = new Map<string, Ours>()

  const remove = (key: string, group: Ours, run: UnderWay): void => {
    const at = group.runs.indexOf(run)
    if (at === -1) return
    group.runs.splice(at, 1)
    const { next } = group
    if (next === undefined) {
      if (group.runs.length === 0) groups.delete(key)
    } else if (group.runs.length < pace.atOnce()) {
      setNext(key, group, undefined)
      next()
    }
  }

  const setNext = (key: string, group: Ours, next: Ours['next']): void => {
    group.next = next
    if (next === undefined) {
      clearTimeout(group.timer)
      group.timer = undefined
    } else if (group.timer === undefined) limitWait(key, group)
  }

  const { patience = Number.POSITIVE_INFINITY } = pace
  const restOf = ({ began }: UnderWay): number => patience - (performance.now() - began)

  /** Not a timer for each run, because most of them end before anyone waits. */
  const limitWait = (key: string, group: Ours): void => {
    const [oldest] = group.runs
    group.timer = undefined
    if (oldest === undefined || patience === Number.POSITIVE_INFINITY) return
    group.timer = setTimeout(
      () => {
        remove(key, group, oldest)
        if (group.next !== undefined) limitWait(key, group)
      },
      Math.max(0, restOf(oldest)),
    )
  }

  /** Whether another run may begin now. */
  const hasRoom = ({ runs }: Ours): boolean => {
    if (runs.length < pace.atOnce()) return true
    if (runs.every((run) => restOf(run) > 0)) return false
    runs.splice(0, runs.length, ...runs.filter((run) => restOf(run) > 0))
    return runs.length < pace.atOnce()
  }

  const underWay = async <T>(key: string, group: Ours, run: () => PromiseLike<T>): Promise<T> => {
    const mine: UnderWay = { began: performance.now() }
    group.runs.push(mine)
    try {
      const result = await run()
      pace.ended(performance.now() - mine.began)
      return result
    } finally {
      remove(key, group, mine)
    }
  }

  const start = async (key: string, group: Ours, run: Run<Item, Result>): Promise<void> => {
    const callers = group.waiting.splice(0, most)
    if (callers.length === 0) return
    const isMore = group.waiting.length > 0
    setNext(key, group, isMore ? inContext(() => void start(key, group, run)) : undefined)
    try {
      const results = await underWay(key, group, () => run(callers.map(({ item }) => item)))
      callers.forEach(({ resolve }, at) => {
        resolve(results[at] as Awaitable<Result>)
      })
    } catch (error) {
      for (const { reject } of callers) reject(error)
    }
  }

  const alone = async (key: string, group: Ours, item: Item, run: Run<Item, Result>): Promise<Result> => {
    const [result] = await underWay(key, group, () => run([item]))
    return result as Awaitable<Result>
  }

  return (key, item, run) => {
    const group: Ours = groups.get(key) ?? { runs: [], waiting: [], next: undefined, timer: undefined }
    const isFree = hasRoom(group)
    if (isFree && group.waiting.length === 0) {
      groups.set(key, group)
      return alone(key, group, item, run)
    }
    return new Promise((resolve, reject) => {
      group.waiting.push({ item, resolve, reject })
      if (isFree) void start(key, group, run)
      else if (group.next === undefined)
        setNext(
          key,
          group,
          inContext(() => void start(key, group, run)),
        )
    })
  }
}

/** A function that calls `act` in the asynchronous context of now, so that a trace shows a run in a request that waits. */
const inContext = (act: () => void): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  void promise.then(act)
  return resolve
}

export type ShareRead<T> = (key: string, run: () => Awaitable<T>) => Promise<T>

/** `gathering` for callers who want the same: one run for all of them. */
export const sharing = <T>(pace?: Pace): ShareRead<T> => {
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
