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
/** Milliseconds after which a measurement is late. */
const LATE = 50
/** A queue with a shorter wait counts as empty, in milliseconds (RFC 8289, 4.2). */
const CALM = 5
/** Milliseconds that a queue is not empty before it may count as overloaded. */
const STANDING = 100
/** An overload ends after so long without a refusal: each turn of the loop begins without one. */
const quietly: Patience = { least: 100, requests: 500 }
/** Milliseconds over which the cost of a request is averaged. */
const SMOOTHING = 100

/** The longest acceptable wait: that of so many requests, and at least so many milliseconds. */
interface Patience {
  readonly least: number
  readonly requests: number
}

/** Before an overload. A thousand connections that each send one request after another must not be one. */
const usual: Patience = { least: 100, requests: 1000 }
/** During an overload, the queue stays short: a long one would delay every request and serve no more of them. */
const strict: Patience = { least: 2, requests: 15 }

/** @param cost the milliseconds that the queue takes for one request */
const limitOf = ({ least, requests }: Patience, cost: number, maxWaiting: number): number =>
  Math.min(maxWaiting, Math.max(least, requests * cost))

/**
 * A gate that closes while the event loop or a queue is overloaded, so that a server responds to the requests that it can
 * bear, and refuses the others at once.
 *
 * A queue is overloaded if it has not been empty for 100 ms, and its wait is longer than usual and not falling. A block,
 * such as a garbage collection, is not an overload: the queue has as much time to recover as the block lasted.
 *
 * @param maxWaiting the longest acceptable wait in milliseconds
 * @param queues where requests wait besides the event loop
 */
export const gateOf = (maxWaiting: number, queues: readonly Queue[]): Gate => {
  const loop = loopOf(maxWaiting)
  const lines = [loop.line, ...queues.map((queue) => lineOf(queue, maxWaiting))]
  let arrived = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let armed = 0
  let measured = 0
  let isExpected = false

  const arm = (now: number): void => {
    arrived = 0
    armed = now
    timer = setTimeout(tick, TICK)
    // The timer must not keep the process alive. Some runtimes return a number.
    if (typeof timer === 'object') timer.unref()
  }
  const measure = (now: number): void => {
    loop.noteDelay(now - armed - TICK)
    for (const line of lines) line.measure(now - measured)
    measured = now
  }
  const expectLate = (): void => {
    isExpected = true
    afterEvents(() => {
      isExpected = false
      if (timer !== undefined) measure(performance.now())
    })
  }
  const tick = (): void => {
    const now = performance.now()
    measure(now)
    if (arrived > 0 || queues.some(({ waited }) => waited() > 0)) arm(now)
    else timer = undefined
  }

  return {
    refusal: () => {
      const now = performance.now()
      if (timer === undefined) {
        for (const line of lines) line.begin()
        measured = now
        arm(now)
      } else if (!isExpected && now - measured >= LATE) expectLate()
      arrived += 1
      const full = firstFull(lines, now)
      if (full === undefined) loop.noteAdmitted()
      return full
    },
  }
}

const firstFull = (lines: readonly Line[], now: number): Line | undefined => {
  for (const line of lines) if (line.refuses(now)) return line
  return undefined
}

/**
 * Calls `run` after the events that the loop knows. If at least 1024 are ready, libuv looks for more of them before it runs
 * timers, up to 48 times: measurements by a timer would miss the overload.
 */
const afterEvents = (run: () => void): void => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    run()
  }
  port2.postMessage(undefined)
}

/** A queue that is measured again and again. */
interface Line extends Pick<Queue, 'name'> {
  /** Forgets what was measured before a pause. */
  begin(): void
  /** @param elapsed the milliseconds since the last measurement */
  measure(elapsed: number): void
  refuses(now: number): boolean
}

/** @param isFull whether an overloaded queue takes no more. @default its wait is longer than the strict limit */
const lineOf = (
  queue: Queue,
  maxWaiting: number,
  isFull = (_now: number, cost: number): boolean => queue.waited() > limitOf(strict, cost, maxWaiting),
): Line => {
  /** The sums of the last measurements. The older a measurement, the less it counts. */
  let sums = { time: 0, passed: 0 }
  let passed = 0
  let waited = 0
  /** How long it has not been empty, and the longest block meanwhile: time in which requests did not run. */
  let standing = { time: 0, block: 0 }
  let isOverloaded = false
  let quiet = 0

  const cost = (): number => sums.time / sums.passed

  const observe = (elapsed: number): void => {
    const before = passed
    passed = queue.passed()
    const own = passed - before
    const work = sums.passed === 0 ? 0 : own * cost()
    const kept = Math.exp(-elapsed / SMOOTHING)
    sums = { time: sums.time * kept + elapsed, passed: sums.passed * kept + own }
    const { time, block } = standing
    standing =
      waited < CALM ? { time: 0, block: 0 } : { time: time + elapsed, block: Math.max(block, elapsed - work) }
  }
  const isStanding = ({ time, block }: typeof standing): boolean => time - block >= Math.max(STANDING, block)

  return {
    name: queue.name,
    begin: () => {
      sums = { time: 0, passed: 0 }
      standing = { time: 0, block: 0 }
      passed = queue.passed()
      waited = 0
      isOverloaded = false
    },
    measure: (elapsed) => {
      const before = waited
      waited = queue.waited()
      observe(elapsed)
      quiet += elapsed
      if (isOverloaded) isOverloaded = quiet < limitOf(quietly, cost(), Number.POSITIVE_INFINITY)
      else if (isStanding(standing) && waited >= before && waited > limitOf(usual, cost(), maxWaiting)) {
        isOverloaded = true
        quiet = 0
      }
    },
    refuses: (now) => {
      if (!isOverloaded || !isFull(now, cost())) return false
      quiet = 0
      return true
    },
  }
}

/** During an overload, at least one of so many milliseconds is for requests that are served. */
const LEAST_SERVED = 4

/**
 * The event loop as a queue: a request waits until all that the loop found before it has run. The lateness of a timer shows
 * how long that takes. During an overload, each turn of the loop admits requests only at its beginning.
 */
const loopOf = (maxWaiting: number) => {
  let delay = 0
  let admitted = 0
  let turn: { readonly since: number; admitted: number; served?: number } | undefined

  const isFull = (now: number): boolean => {
    if (turn === undefined)
      setImmediate(() => {
        turn = undefined
      })
    turn ??= { since: now, admitted: 0 }
    const elapsed = now - turn.since
    if (turn.served !== undefined) {
      if (elapsed <= LEAST_SERVED * turn.served) return true
      turn = { since: now, admitted: 0 }
    } else if (elapsed > limitOf(strict, elapsed / Math.max(1, turn.admitted), maxWaiting)) {
      turn.served = elapsed
      return true
    }
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
