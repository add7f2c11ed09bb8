import { setTimeout as pause } from 'node:timers/promises'

/** What a request was answered with. */
export interface Answered {
  readonly status: number
  /** The code of a problem. */
  readonly code?: unknown
  readonly retry?: unknown
}

/** The requests of a mixed load. Each write stores a text that no other stores. */
export interface Requests {
  readonly reads: readonly (() => Promise<Answered>)[]
  readonly writes: readonly ((text: string) => Promise<Answered>)[]
}

/** What was found out under load. */
export interface Load {
  /** What was said to be stored. */
  readonly stored: ReadonlySet<string>
  /** What was said not to be stored. */
  readonly denied: ReadonlySet<string>
  /** What nobody knows of. */
  readonly unknown: ReadonlySet<string>
  /** How often there was each `status code`. */
  readonly answers: ReadonlyMap<string, number>
  /** Refusals that do not say when to try again. */
  readonly withoutRetry: number
  /** The most milliseconds that an answer took. */
  readonly slowest: number
  /** How many clients have had a write acknowledged since the last call of `forget`. */
  readonly served: number
  forget(): void
  /** Waits until something holds after an answer. @throws after 30 seconds */
  until(what: string, holds: () => boolean): Promise<void>
  stop(): Promise<void>
}

/** Keeps clients busy, each with one request at a time, until it is stopped. */
export const underLoad = (clients: number, { reads, writes }: Requests): Load => {
  const [stored, denied, unknown] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const answers = new Map<string, number>()
  const waiting = new Set<() => void>()
  const served = new Set<number>()
  const found = { slowest: 0, withoutRetry: 0 }
  let isStopped = false

  const note = ({ status, code, retry }: Answered, began: number): void => {
    found.slowest = Math.max(found.slowest, performance.now() - began)
    const answer = status < 400 ? String(status) : `${status} ${code}`
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
    if (status >= 400 && !/^\d+$/.test(String(retry))) found.withoutRetry += 1
  }
  const asks = async (request: () => Promise<Answered>): Promise<Answered> => {
    const began = performance.now()
    const answered = await request()
    note(answered, began)
    for (const look of waiting) look()
    // Who is refused does not ask as fast as it can.
    if (answered.status >= 400) await pause(20)
    return answered
  }
  const writeOnce = async (
    client: number,
    text: string,
    write: Requests['writes'][number],
  ): Promise<void> => {
    const { status, code } = await asks(() => write(text))
    if (status < 300) served.add(client)
    const kind = status < 300 ? stored : code === 'outcome_unknown' ? unknown : denied
    kind.add(text)
  }
  const client = async (number: number): Promise<void> => {
    for (let turn = 0; !isStopped; turn += 1) {
      for (const [place, write] of writes.entries())
        if (!isStopped) await writeOnce(number, `w${number}-${turn}-${place}`, write)
      for (const read of reads) if (!isStopped) await asks(read)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))

  return {
    ...{ stored, denied, unknown, answers },
    get withoutRetry() {
      return found.withoutRetry
    },
    get slowest() {
      return found.slowest
    },
    get served() {
      return served.size
    },
    forget: () => served.clear(),
    until: (what, holds) =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          waiting.delete(look)
          clearTimeout(timer)
        }
        const look = (): void => {
          if (!holds()) return
          settle()
          resolve()
        }
        const timer = setTimeout(() => {
          settle()
          reject(new Error(`${what}: not within 30 s. ${JSON.stringify([...answers])}`))
        }, 30_000)
        waiting.add(look)
        running.catch(reject)
      }),
    stop: async () => {
      isStopped = true
      await running
    },
  }
}
