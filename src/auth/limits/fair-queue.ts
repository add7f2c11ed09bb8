import { randomInt } from 'node:crypto'
import { problem } from '../../error/errors.ts'

/** How many jobs run at the same time, and how many wait. */
export interface QueueBounds {
  readonly parallel: number
  readonly waiting: number
}

/** The reason for a hash. `application`: the application's own code calls `hashPassword`. */
export type Purpose = 'login' | 'registration' | 'application'

export interface Waiter<OwnPurpose extends string = Purpose> {
  readonly purpose: OwnPurpose
  /** All clients whose address is `undefined` count as one. */
  readonly client?: string | undefined
}

/** @throws HttpError 503 if the queue is full, or later if another client gets the place */
export type InTurn = <T>(waiter: Waiter, work: () => Promise<T>) => Promise<T>

/** The share of a purpose. Each has its own places, so a flood of one does not block the others. */
interface Share {
  /** Its share of the waiting places. */
  readonly places: number
  /** How many of its jobs run per round while jobs of every purpose are waiting. */
  readonly turns: number
  /** Clients and their jobs take turns at random. @default one by one, the oldest job first */
  readonly isMixed?: true
  /** How many jobs of one client run at the same time. @default as many as there is room for */
  readonly atOnce?: number
}

const hashingShares: Readonly<Record<Purpose, Share>> = {
  login: { places: 3 / 4, turns: 3 },
  registration: { places: 1 / 4, turns: 1 },
  application: { places: 1, turns: 2 },
}

/** `refuse` is called instead of `run`: at once if the queue is full, or later if another client gets the place. */
interface Job {
  run(): Promise<void>
  refuse(): void
}

const overloaded = (): Error =>
  problem('unavailable', 'Too many passwords are being hashed at the moment.', {
    // A full queue takes about this long, in seconds.
    headers: { 'Retry-After': '3' },
  })

/** @throws HttpError 503 if the queue is full, or later if another client gets the place */
export const hashingQueue = (bounds: QueueBounds): InTurn => {
  const enter = fairJobs(bounds, hashingShares)
  return (waiter, work) =>
    new Promise((resolve, reject) => {
      const run = () => work().then(resolve, reject)
      enter(waiter, { run, refuse: () => reject(overloaded()) })
    })
}

/**
 * Runs a few jobs in parallel, with a limited number waiting. Purposes take turns by their shares, and the clients of a
 * purpose one by one. If a purpose has no place left, a client with fewer waiting jobs takes the newest place of the client
 * with the most.
 *
 * @param whenAdded is called for each job that waits for it: `begin` lets all jobs run that wait by then. @default jobs begin as soon
 * as there is room
 */
export const fairJobs = <OwnPurpose extends string>(
  { parallel, waiting }: QueueBounds,
  shares: Readonly<Record<OwnPurpose, Share>>,
  whenAdded?: (begin: () => void) => void,
): ((waiter: Waiter<OwnPurpose>, job: Job) => void) => {
  const lanes = Object.entries<Share>(shares).map(([purpose, share]) => ({
    ...{ purpose, turns: share.turns, ...laneOf(Math.ceil(waiting * share.places), share) },
    /** Turns taken, divided by the share: equal in all lanes if each got its share. */
    taken: 0,
  }))
  let running = 0
  let now = 0
  /** How many of the waiting jobs may begin. */
  let open = whenAdded === undefined ? Infinity : 0

  const next = (): (() => Promise<void>) | undefined => {
    if (open === 0) return undefined
    const [first, ...others] = lanes.filter((lane) => lane.hasNext())
    if (first === undefined) return undefined
    const lane = others.reduce((least, other) => (other.taken < least.taken ? other : least), first)
    now = lane.taken
    lane.taken += 1 / lane.turns
    open -= 1
    return lane.take()
  }

  const start = (run: () => Promise<void>): void => {
    running += 1
    void run().then(() => {
      running -= 1
      const following = next()
      if (following !== undefined) start(following)
    })
  }

  const begin = (): void => {
    open = lanes.reduce((sum, lane) => sum + lane.size(), 0)
    while (running < parallel) {
      const run = next()
      if (run === undefined) return
      start(run)
    }
  }

  return ({ purpose, client = '' }, job) => {
    const lane = lanes.find((one) => one.purpose === purpose)
    if (lane === undefined || (whenAdded === undefined && running < parallel)) {
      start(job.run)
      return
    }
    // An empty lane must not save up turns.
    if (lane.isEmpty()) lane.taken = Math.max(lane.taken, now)
    if (lane.add(client, job)) whenAdded?.(begin)
  }
}

const laneOf = (
  places: number,
  { isMixed, atOnce = Number.POSITIVE_INFINITY }: Pick<Share, 'isMixed' | 'atOnce'>,
) => {
  /** By client, in the order of their turns. No list is empty. */
  const jobs = new Map<string, Job[]>()
  /** How many jobs of a client run. None is 0. Empty without a limit. */
  const running = new Map<string, number>()
  let size = 0

  const mayRun = (client: string): boolean => (running.get(client) ?? 0) < atOnce

  const runningOf = (client: string, job: Job) => (): Promise<void> => {
    if (atOnce === Number.POSITIVE_INFINITY) return job.run()
    running.set(client, (running.get(client) ?? 0) + 1)
    return job.run().finally(() => {
      const left = (running.get(client) ?? 1) - 1
      if (left > 0) running.set(client, left)
      else running.delete(client)
    })
  }

  /** Whether it freed a place for this client. */
  const makeRoom = (client: string): boolean => {
    let longest: Job[] = []
    for (const own of jobs.values()) if (own.length > longest.length) longest = own
    if (longest.length <= (jobs.get(client)?.length ?? 0) + 1) return false
    longest.pop()?.refuse()
    size -= 1
    return true
  }

  return {
    isEmpty: () => size === 0,
    size: () => size,
    hasNext: () => (running.size === 0 ? size > 0 : [...jobs.keys()].some(mayRun)),
    /** Runs the oldest job of the next client, or any job of any client. */
    take: (): (() => Promise<void>) | undefined => {
      const free = running.size === 0 ? jobs : new Map([...jobs].filter(([client]) => mayRun(client)))
      const first = isMixed ? [...free].at(randomInt(Math.max(1, free.size))) : free.entries().next().value
      if (first === undefined) return undefined
      const [client, own] = first
      const [job] = own.splice(isMixed ? randomInt(own.length) : 0, 1)
      jobs.delete(client)
      if (own.length > 0) jobs.set(client, own)
      size -= 1
      return job && runningOf(client, job)
    },
    /** If no place is left, refuses this job or another. Returns whether this job waits. */
    add: (client: string, job: Job): boolean => {
      if (size >= places && !makeRoom(client)) {
        job.refuse()
        return false
      }
      const own = jobs.get(client)
      if (own === undefined) jobs.set(client, [job])
      else own.push(job)
      size += 1
      return true
    },
  }
}

/** The default size of Node's thread pool; `UV_THREADPOOL_SIZE` overrides it. */
const USUAL_THREADS = 4

/** At 17 to 30 ms per hash, a full queue takes two to three seconds. */
const WAITING_FOR_EACH = 100

/**
 * Leaves one core for the event loop, and one thread of Node's pool for file access and DNS lookups. On machines with many
 * cores, a larger `UV_THREADPOOL_SIZE` allows more parallel logins.
 */
export const queueBoundsOf = (cores: number, threadPoolSize: string | undefined): QueueBounds => {
  const threads = Number(threadPoolSize) >= 1 ? Number(threadPoolSize) : USUAL_THREADS
  const parallel = Math.max(1, Math.min(cores, Math.trunc(threads)) - 1)
  return { parallel, waiting: parallel * WAITING_FOR_EACH }
}
