import { problem } from '../error/errors.ts'

export interface QueueBounds {
  readonly parallel: number
  /** Three quarters of them logins, one quarter registrations. */
  readonly waiting: number
}

/** What a hash is for. `application`: the application's own code asks for it. */
export type Purpose = 'login' | 'registration' | 'application'

export interface Waiter {
  readonly purpose: Purpose
  /** `undefined`: all clients that are not known count as one. */
  readonly client?: string | undefined
}

/** @throws HttpError 503 if too many wait, also later: the place may be given to another client */
export type InTurn = <T>(waiter: Waiter, work: () => Promise<T>) => Promise<T>

/**
 * Each purpose has places of its own, so that a flood of one takes none from the others: the part of the waiting places that
 * its works can take, and how many turns they get while works of every purpose wait.
 */
const purposeShares: Readonly<Record<Purpose, { readonly places: number; readonly turns: number }>> = {
  login: { places: 3 / 4, turns: 3 },
  registration: { places: 1 / 4, turns: 1 },
  application: { places: 1, turns: 2 },
}

interface Job {
  run(): Promise<void>
  refuse(): void
}

const overloaded = (): Error =>
  problem('unavailable', 'Too many passwords are being checked at the moment.', {
    // About how long a full queue takes, in seconds.
    headers: { 'Retry-After': '3' },
  })

/**
 * Runs a few works at once and lets a bounded number wait. Turns go around: among purposes by their shares, and among the
 * clients of a purpose one each. Where a purpose has no place left, the client with the most waiting works gives up its
 * youngest for a client that has fewer.
 */
export const fairQueue = ({ parallel, waiting }: QueueBounds): InTurn => {
  const lanes = Object.entries(purposeShares).map(([purpose, { places, turns }]) => ({
    ...{ purpose, turns, ...laneOf(Math.ceil(waiting * places)) },
    /** Turns taken, counted so that those of all lanes are equal where each got its share. */
    taken: 0,
  }))
  let running = 0
  let now = 0

  const next = (): Job | undefined => {
    const [first, ...others] = lanes.filter((lane) => !lane.isEmpty())
    if (first === undefined) return undefined
    const lane = others.reduce((least, other) => (other.taken < least.taken ? other : least), first)
    now = lane.taken
    lane.taken += 1 / lane.turns
    return lane.take()
  }

  const start = (job: Job): void => {
    running += 1
    void job.run().then(() => {
      running -= 1
      const following = next()
      if (following !== undefined) start(following)
    })
  }

  const enter = ({ purpose, client = '' }: Waiter, job: Job): void => {
    const lane = lanes.find((one) => one.purpose === purpose)
    if (lane === undefined || running < parallel) {
      start(job)
      return
    }
    // A lane that was empty did not save turns for later.
    if (lane.isEmpty()) lane.taken = Math.max(lane.taken, now)
    lane.add(client, job)
  }

  return (waiter, work) =>
    new Promise((resolve, reject) => {
      const run = () => work().then(resolve, reject)
      enter(waiter, { run, refuse: () => reject(overloaded()) })
    })
}

const laneOf = (places: number) => {
  /** By client, in the order of their turns. None of the lists is empty. */
  const jobs = new Map<string, Job[]>()
  let size = 0

  /** Whether a place was made for one more of this client. */
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
    /** The oldest job of the client whose turn it is. */
    take: (): Job | undefined => {
      const [first] = jobs
      if (first === undefined) return undefined
      const [client, own] = first
      const job = own.shift()
      jobs.delete(client)
      if (own.length > 0) jobs.set(client, own)
      size -= 1
      return job
    },
    /** Refuses one job, this or another, if there is no place left. */
    add: (client: string, job: Job): void => {
      if (size >= places && !makeRoom(client)) {
        job.refuse()
        return
      }
      const own = jobs.get(client)
      if (own === undefined) jobs.set(client, [job])
      else own.push(job)
      size += 1
    },
  }
}

/** Of Node's thread pool, unless `UV_THREADPOOL_SIZE` says otherwise. */
const USUAL_THREADS = 4

/** With 17 to 30 ms for a hash, a wait of two to three seconds. */
const WAITING_FOR_EACH = 100

/**
 * One core is left to the event loop. One thread of Node's pool is left to files and name lookups, which would wait behind
 * the hashes otherwise: on machines with many cores, raise `UV_THREADPOOL_SIZE` for more logins at once.
 */
export const queueBoundsOf = (cores: number, threadPoolSize: string | undefined): QueueBounds => {
  const threads = Number(threadPoolSize) >= 1 ? Number(threadPoolSize) : USUAL_THREADS
  const parallel = Math.max(1, Math.min(cores, Math.trunc(threads)) - 1)
  return { parallel, waiting: parallel * WAITING_FOR_EACH }
}
