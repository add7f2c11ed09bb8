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
  /** The name of the queue that is too long, if the request must be refused. Call it once for each request. */
  readonly refusal: () => string | undefined
}

/** Milliseconds between two measurements. They are made only while requests arrive or wait. */
const TICK = 10
/** Milliseconds without requests after which the measurements start anew. An overload has shorter breaks. */
const PAUSE = 1000
/** Milliseconds after which a measurement is late. */
const LATE = 50

/**
 * A gate that closes while the event loop or a queue is overloaded, so that a server responds to the requests that it can
 * bear, and refuses the others at once.
 *
 * @param maxWaiting the longest acceptable wait in milliseconds
 * @param queues where requests wait besides the event loop
 */
export const gateOf = (maxWaiting: number, queues: readonly Queue[]): Gate => {
  const wariness: Wariness = { until: 0 }
  const loop = loopOf(maxWaiting)
  /** New ones after a pause, because what was measured before it no longer counts. */
  let meters: readonly Meter[] = []
  let arrived = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let armed = 0
  let measured = Number.NEGATIVE_INFINITY
  let isExpected = false

  const begin = (now: number): void => {
    const paused = now - measured
    loop.noteDelay(0)
    if (paused < PAUSE) for (const meter of meters) meter.measure(now, paused)
    else meters = [loop.meter(wariness), ...queues.map((queue) => meterOf(queue, maxWaiting, wariness))]
    measured = now
    arm(now)
  }
  const arm = (now: number): void => {
    arrived = 0
    armed = now
    timer = setTimeout(tick, TICK)
    // The timer must not keep the process alive. Some runtimes return a number.
    if (typeof timer === 'object') timer.unref()
  }
  const tick = (): void => {
    const now = performance.now()
    measure(now)
    if (arrived > 0 || queues.some(({ waited }) => waited() > 0)) arm(now)
    else timer = undefined
  }
  const measure = (now: number): void => {
    loop.noteDelay(now - armed - TICK)
    for (const meter of meters) meter.measure(now, now - measured)
    measured = now
  }
  const expectLate = (): void => {
    isExpected = true
    afterEvents(() => {
      isExpected = false
      if (timer !== undefined) measure(performance.now())
    })
  }

  return {
    refusal: () => {
      const now = performance.now()
      if (timer === undefined) begin(now)
      else if (!isExpected && now - measured >= LATE) expectLate()
      arrived += 1
      let full: string | undefined
      // Each is asked, because a refusal keeps up the overload of its queue.
      for (const meter of meters) if (meter.refuses(now)) full ??= meter.name
      if (full === undefined) loop.noteAdmitted()
      return full
    },
  }
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

/** During an overload, at least one of so many milliseconds is for requests that are served. */
const LEAST_SERVED = 4

/**
 * The event loop as a queue: a request waits until all that the loop found before it has run. The lateness of a timer shows
 * how long that takes. During an overload, each turn of the loop admits requests only at its beginning.
 */
const loopOf = (maxWaiting: number) => {
  let delay = 0
  let admitted = 0
  /** The time for which requests were admitted is `served`, once it is over. */
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
    } else if (elapsed > strictLimit(elapsed / Math.max(1, turn.admitted), maxWaiting)) {
      turn.served = elapsed
      return true
    }
    turn.admitted += 1
    return false
  }

  const queue: Queue = { name: 'the event loop', waited: () => delay, passed: () => admitted }
  return {
    meter: (wariness: Wariness) => meterOf(queue, maxWaiting, wariness, isFull),
    noteDelay: (milliseconds: number): void => {
      delay = Math.max(0, milliseconds)
    },
    noteAdmitted: (): void => {
      admitted += 1
    },
  }
}

/** The longest acceptable wait: that of so many requests, and at least so many milliseconds. */
interface Patience {
  readonly least: number
  readonly requests: number
}

/** When an overload begins. */
interface Onset extends Patience {
  /** Milliseconds that a queue is not empty before it may count as overloaded. Usually the interval of RFC 8289. */
  readonly standing: number
}

/** Before an overload. A thousand connections that each send one request after another must not be one. */
const usual: Onset = { least: 100, requests: 1000, standing: 100 }
/** Soon after an overload, which has probably not ended: a load just above what the server bears has short breaks. */
const wary: Onset = { least: 20, requests: 100, standing: 20 }
/** Milliseconds after a refusal in which the gate is wary. */
const SOON = 30_000
/** Until when the gate is wary, from `performance.now()`. */
interface Wariness {
  until: number
}

/** During an overload, the queue stays short: a long one would delay every request and serve no more of them. */
const strict: Patience = { least: 2, requests: 15 }
/** An overload ends after so long without a refusal: each turn of the loop begins without one. */
const quietly: Patience = { least: 100, requests: 500 }
/**
 * Milliseconds after which an overload ends, and begins again if it is still one. Clients that repeat refused requests at
 * once would keep up one that the server could bear.
 */
const LONGEST = 300_000
/** A queue with a shorter wait counts as empty, in milliseconds (RFC 8289, 4.2). */
const CALM = 5
/** Milliseconds over which the cost of a request is averaged. */
const SMOOTHING = 100

const waitOf = ({ least, requests }: Patience, cost: number): number => Math.max(least, requests * cost)

/**
 * The longest wait during an overload, in milliseconds.
 *
 * @param cost the milliseconds that the queue takes for one request
 */
const strictLimit = (cost: number, maxWaiting: number): number => Math.min(maxWaiting, waitOf(strict, cost))

/** Measures a queue again and again while requests arrive or wait. */
interface Meter extends Pick<Queue, 'name'> {
  /** @param elapsed the milliseconds since the last measurement */
  measure(now: number, elapsed: number): void
  /** Whether the queue is overloaded and takes no more. Call it once for each request. */
  refuses(now: number): boolean
}

/**
 * A queue is overloaded if it has not been empty for 100 ms, and its wait is longer than usual and not falling. A block,
 * such as a garbage collection, is not an overload: the queue has as much time to recover as the block lasted.
 *
 * @param isFull whether an overloaded queue takes no more. @default its wait is longer than the strict limit
 */
const meterOf = (
  queue: Queue,
  maxWaiting: number,
  wariness: Wariness,
  isFull = (_now: number, cost: number): boolean => queue.waited() > strictLimit(cost, maxWaiting),
): Meter => {
  let waited = 0
  let passed = queue.passed()
  let clock = 0
  /** How many had left the queue at which time, since its first waiter arrived. */
  const history = [{ clock, passed }]
  /** The sums of the last measurements. The older a measurement, the less it counts. */
  let sums = { time: 0, passed: 0 }
  /** How long it has not been empty, and the longest block meanwhile: time in which requests did not run. */
  let standing = { time: 0, block: 0 }
  /** How long the overload has lasted, and how long without a refusal. */
  let overload: { lasted: number; quiet: number } | undefined

  const cost = (): number => sums.time / sums.passed

  const observe = (elapsed: number): void => {
    const before = passed
    passed = queue.passed()
    const own = passed - before
    clock += elapsed
    if (own > 0) history.push({ clock, passed })
    const arrived = clock - Math.min(waited, maxWaiting)
    while ((history[1]?.clock ?? Number.POSITIVE_INFINITY) <= arrived) history.shift()
    const work = sums.passed === 0 ? 0 : own * cost()
    const kept = Math.exp(-elapsed / SMOOTHING)
    sums = { time: sums.time * kept + elapsed, passed: sums.passed * kept + own }
    const { time, block } = standing
    standing =
      waited < CALM ? { time: 0, block: 0 } : { time: time + elapsed, block: Math.max(block, elapsed - work) }
  }

  const begins = (now: number, before: number): boolean => {
    const { time, block } = standing
    const { least, requests, standing: interval } = now < wariness.until ? wary : usual
    const isStanding = time - block >= Math.max(interval, block)
    // Not the cost: after a stall, the queue is as long in milliseconds, but it moves again.
    const ahead = passed - (history[0]?.passed ?? 0)
    const isLong = waited > maxWaiting || (waited > least && ahead > requests)
    return isStanding && waited >= before && isLong
  }

  return {
    name: queue.name,
    measure: (now, elapsed) => {
      const before = waited
      waited = queue.waited()
      observe(elapsed)
      if (overload === undefined) {
        if (begins(now, before)) overload = { lasted: 0, quiet: 0 }
        return
      }
      overload.lasted += elapsed
      overload.quiet += elapsed
      const isTooLong = overload.lasted >= LONGEST
      if (isTooLong) wariness.until = 0
      if (isTooLong || overload.quiet >= waitOf(quietly, cost())) overload = undefined
    },
    refuses: (now) => {
      if (overload === undefined || !isFull(now, cost())) return false
      overload.quiet = 0
      wariness.until = now + SOON
      return true
    },
  }
}
