/** A queue in which requests wait. */
export interface Queue {
  /** What they wait for, for the log: `a connection to the database`. */
  readonly name: string
  /** The milliseconds that its first waiter has waited. 0: it is empty. */
  readonly waited: () => number
  /** How many have left it so far. */
  readonly passed: () => number
}

/** Decides at the beginning of each request whether it is served. */
export interface Gate {
  /** The queue that is too long, if the request must be refused. Call it once for each request. */
  readonly refusal: () => Pick<Queue, 'name'> | undefined
}

/** Milliseconds between two measurements. They are made only while requests arrive or wait. */
const TICK = 10
/** A queue with a shorter wait counts as empty, in milliseconds (RFC 8289, 4.2). */
const CALM = 5
/** The milliseconds and the measurements in which a queue must not be empty before it counts as overloaded. */
const STANDING = { time: 100, ticks: 3 } as const
/** Milliseconds without a refusal that end the overload. */
const QUIET = 100
/** Milliseconds over which the cost of a request is averaged. */
const SMOOTHING = 100

/** The longest acceptable wait: that of so many requests, and at least so many milliseconds. */
interface Patience {
  readonly least: number
  readonly requests: number
}

/** Before an overload. Several hundred connections that each send one request after another must not be one. */
const usual: Patience = { least: 50, requests: 500 }
/** During an overload, the queue stays short: a long one would delay every request and serve no more of them. */
const strict: Patience = { least: CALM, requests: 20 }

/** @param cost the milliseconds that the queue takes for one request */
const limitOf = ({ least, requests }: Patience, cost: number, maxWaiting: number): number =>
  Math.min(maxWaiting, Math.max(least, requests * cost))

/**
 * A gate that closes while the event loop or a queue is overloaded, so that a server responds to the requests that it can
 * bear, and refuses the others at once.
 *
 * A queue is overloaded if it was not empty for 100 ms, its wait is longer than usual, and does not get shorter. One long
 * block, such as a garbage collection, is therefore not an overload.
 *
 * @param maxWaiting the longest acceptable wait in milliseconds
 * @param queues where requests wait besides the event loop
 */
export const gateOf = (maxWaiting: number, queues: readonly Queue[]): Gate => {
  const loop = loopOf(maxWaiting)
  const lines = [loop.line, ...queues.map((queue) => lineOf(queue, maxWaiting))]
  let arrived = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let since = 0

  const arm = (): void => {
    arrived = 0
    since = performance.now()
    timer = setTimeout(tick, TICK)
    // The timer must not keep the process alive. Some runtimes return a number.
    if (typeof timer === 'object') timer.unref()
  }
  const tick = (): void => {
    const elapsed = performance.now() - since
    loop.noteDelay(elapsed - TICK)
    for (const line of lines) line.measure(elapsed)
    if (arrived > 0 || queues.some(({ waited }) => waited() > 0)) arm()
    else timer = undefined
  }

  return {
    refusal: () => {
      if (timer === undefined) {
        for (const line of lines) line.begin()
        arm()
      }
      arrived += 1
      const full = lines.find((line) => line.refuses())
      if (full === undefined) loop.noteAdmitted()
      return full
    },
  }
}

/** A queue that is measured again and again. */
interface Line extends Pick<Queue, 'name'> {
  /** Forgets what was measured before a pause. */
  begin(): void
  measure(elapsed: number): void
  refuses(): boolean
}

/** @param isFull whether an overloaded queue takes no more. @default its wait is longer than the strict limit */
const lineOf = (
  queue: Queue,
  maxWaiting: number,
  isFull: (cost: number) => boolean = (cost) => queue.waited() > limitOf(strict, cost, maxWaiting),
): Line => {
  /** The sums of the last measurements. The older a measurement, the less it counts. */
  let sums = { time: 0, passed: 0 }
  let passed = 0
  let waited = 0
  let standing = { time: 0, ticks: 0 }
  let isOverloaded = false
  let quiet = 0

  const cost = (): number => sums.time / sums.passed

  const average = (elapsed: number): void => {
    const kept = Math.exp(-elapsed / SMOOTHING)
    const before = passed
    passed = queue.passed()
    sums = { time: sums.time * kept + elapsed, passed: sums.passed * kept + passed - before }
  }

  return {
    name: queue.name,
    begin: () => {
      sums = { time: 0, passed: 0 }
      standing = { time: 0, ticks: 0 }
      passed = queue.passed()
      waited = 0
      isOverloaded = false
    },
    measure: (elapsed) => {
      average(elapsed)
      const before = waited
      waited = queue.waited()
      standing =
        waited < CALM ? { time: 0, ticks: 0 } : { time: standing.time + elapsed, ticks: standing.ticks + 1 }
      quiet += elapsed
      if (isOverloaded) isOverloaded = quiet < QUIET
      else if (standing.ticks >= STANDING.ticks && standing.time >= STANDING.time) {
        isOverloaded = waited >= before && waited > limitOf(usual, cost(), maxWaiting)
        quiet = 0
      }
    },
    refuses: () => {
      if (!isOverloaded || !isFull(cost())) return false
      quiet = 0
      return true
    },
  }
}

/**
 * The event loop as a queue: a request waits until all that the loop found before it has run. The lateness of a timer shows
 * how long that takes. During an overload, each turn of the loop admits requests only in its beginning.
 */
const loopOf = (maxWaiting: number) => {
  let delay = 0
  let admitted = 0
  let turn: { readonly since: number; admitted: number } | undefined

  const isFull = (): boolean => {
    const now = performance.now()
    if (turn === undefined) {
      turn = { since: now, admitted: 0 }
      setImmediate(() => {
        turn = undefined
      })
    }
    const elapsed = now - turn.since
    if (elapsed > limitOf(strict, elapsed / Math.max(1, turn.admitted), maxWaiting)) return true
    turn.admitted += 1
    return false
  }

  const queue: Queue = { name: 'the event loop', waited: () => delay, passed: () => admitted }
  return {
    line: lineOf(queue, maxWaiting, isFull),
    noteDelay: (milliseconds: number): void => {
      delay = Math.max(0, milliseconds)
    },
    noteAdmitted: (): void => {
      admitted += 1
    },
  }
}
