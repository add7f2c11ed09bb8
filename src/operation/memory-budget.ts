import { type HttpError, problem } from '../error/errors.ts'
import type { Awaitable } from '../model/objects.ts'
import { JSON_FACTOR } from '../source/sizing.ts'

/** What one request holds of a budget. */
export interface Lease {
  readonly held: number
  /**
   * Holds so many bytes more. Waits until there is room, if requests may wait. A request that has ended holds nothing.
   *
   * @throws HttpError 503 `unavailable` if it waited too long, too many wait, or requests must not wait
   */
  take(bytes: number): Awaitable<void>
  /** Gives bytes back before the request ends. */
  give(bytes: number): void
}

/** A request, such as its call. */
export interface Requester {
  /** Set by `end`. A member, because most requests hold nothing, and each should not cost an entry elsewhere. */
  hasEnded?: boolean
}

/** The bytes that all requests together may hold in memory. */
export interface MemoryBudget {
  readonly size: number
  readonly used: number
  /** What the request holds, made when it is first asked for. */
  of(request: Requester): Lease
  /** Whether the request holds something that `end` must give back. */
  holds(request: Requester): boolean
  /** Gives back all that the request holds, and lets it hold no more. */
  end(request: Requester): void
}

/** How requests wait for a budget. */
interface Waiting {
  /** False: a request that does not fit is refused at once, because a synchronous one cannot wait. @default true */
  readonly waits?: boolean
  /** In milliseconds. @default 5000 */
  readonly patience?: number
  /** How many may wait at the same time. @default 1000 */
  readonly most?: number
}

/** Bytes that no lease counts, so that ordinary requests cost nothing. */
export const UNCOUNTED: number = 64 * 1024

/** Created once, because the stack of an error costs more than the rest of a refusal. */
const noMemory: HttpError = problem('unavailable', 'The service has too many large requests at the moment.', {
  headers: { 'retry-after': '1' },
})

interface Holder extends Lease {
  held: number
  /** Those that came first are served first. */
  readonly place: number
  /** How many of its statements wait. */
  waiting: number
}

interface MemoryWaiter {
  readonly holder: Holder
  readonly bytes: number
  readonly settle: (refusal?: HttpError) => void
}

/**
 * Requests get bytes in the order in which they first asked for some. A single request gets as many as it needs, so that none
 * waits for itself. If all that hold bytes wait for more, the youngest of them is refused.
 */
export const memoryBudget = (
  size: number,
  { waits = true, patience = 5000, most = 1000 }: Waiting = {},
): MemoryBudget => {
  const holders = new WeakMap<Requester, Holder>()
  /** Those that hold bytes. */
  const holding = new Set<Holder>()
  /** By their places. */
  const queue: MemoryWaiter[] = []
  let used = 0
  let places = 0

  const fits = ({ held }: Holder, bytes: number): boolean => used === held || used + bytes <= size

  const hold = (holder: Holder, bytes: number): void => {
    used += bytes
    holder.held += bytes
    if (holder.held > 0) holding.add(holder)
    else holding.delete(holder)
  }

  const leave = (waiter: MemoryWaiter, refusal?: HttpError): void => {
    queue.splice(queue.indexOf(waiter), 1)
    waiter.holder.waiting -= 1
    waiter.settle(refusal)
  }

  const isStuck = (): boolean => [...holding].every(({ waiting }) => waiting > 0)

  /** The oldest one, or if it would wait for ever, one that lets others end. */
  const nextServed = (): MemoryWaiter | undefined => {
    const [first] = queue
    if (first === undefined || fits(first.holder, first.bytes)) return first
    return isStuck() ? queue.find(({ holder, bytes }) => holder.held > 0 && fits(holder, bytes)) : undefined
  }

  const serve = (): void => {
    for (let next = nextServed(); next !== undefined; next = nextServed()) {
      hold(next.holder, next.bytes)
      leave(next)
    }
    const [first] = queue
    if (first === undefined || !isStuck()) return
    const youngest = queue.findLast(({ holder }) => holder.held > 0 && holder !== first.holder)
    if (youngest !== undefined) leave(youngest, noMemory)
  }

  const wait = (holder: Holder, bytes: number): Promise<void> => {
    if (!waits || queue.length >= most) throw noMemory
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: MemoryWaiter = {
      ...{ holder, bytes },
      settle: (refusal) => {
        clearTimeout(timer)
        if (refusal === undefined) resolve()
        else reject(refusal)
      },
    }
    const timer = setTimeout(() => {
      leave(waiter, noMemory)
      serve()
    }, patience)
    holder.waiting += 1
    const at = queue.findIndex((other) => other.holder.place > holder.place)
    queue.splice(at === -1 ? queue.length : at, 0, waiter)
    serve()
    return promise
  }

  const newHolder = (request: Requester): Holder => {
    const holder: Holder = {
      ...{ held: 0, place: places++, waiting: 0 },
      take: (bytes) => {
        if (request.hasEnded === true || bytes <= 0) return undefined
        const isNext = queue.every((other) => other.holder.place > holder.place)
        if (!isNext || !fits(holder, bytes)) return wait(holder, bytes)
        return hold(holder, bytes)
      },
      give: (bytes) => {
        const given = Math.min(bytes, holder.held)
        if (given <= 0) return
        hold(holder, -given)
        serve()
      },
    }
    return holder
  }

  return {
    size,
    get used() {
      return used
    },
    of: (request) => {
      const known = holders.get(request)
      if (known !== undefined) return known
      const holder = newHolder(request)
      holders.set(request, holder)
      return holder
    },
    holds: (request) => (holders.get(request)?.held ?? 0) > 0,
    end: (request) => {
      request.hasEnded = true
      const holder = holders.get(request)
      if (holder === undefined) return
      for (const waiter of queue.filter((other) => other.holder === holder)) leave(waiter, noMemory)
      holder.give(holder.held)
      serve()
    },
  }
}

/** Holds what JSON of so many bytes takes when it is decoded, unless it is small. @throws HttpError 503 */
export const holdJson = (budget: MemoryBudget, request: Requester, bytes: number): Awaitable<void> =>
  JSON_FACTOR * bytes > UNCOUNTED ? budget.of(request).take(JSON_FACTOR * bytes) : undefined
