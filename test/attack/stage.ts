import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Opening, Route } from './stage-shop.ts'
import { type Got, type Sent, send } from './stage-wire.ts'

/** What the process is started with. */
export interface Start extends Opening {
  readonly application: 'shop' | 'workshop'
}

/** What is asked of the process, besides requests. */
export interface Ask {
  readonly id: number
  readonly kind: 'begin' | 'end' | 'work' | 'memory' | 'operations'
}

export interface Answer {
  readonly base?: string
  /** Milliseconds of CPU: so far, or of the piece of work. */
  readonly cpu?: number
  /** Milliseconds of CPU of the piece of work of SQLite. */
  readonly scan?: number
  /** The longest that the event loop was held since `begin`, in milliseconds of the CPU. */
  readonly held?: number
  /** Memory that is in use, after a collection. */
  readonly bytes?: number
  readonly operations?: readonly Route[]
}

/** A request with what it took. */
export interface Measured extends Got {
  /** Milliseconds of CPU of the whole process. */
  readonly cpu: number
  /** The longest that the event loop was held, in milliseconds of the CPU: so long nobody else was served. */
  readonly held: number
}

export interface Target {
  readonly port: number
  readonly routes: readonly Route[]
  /** `Authorization` of a user. */
  token(): string
  /** Logs in again, where the session was ended. */
  renew(): Promise<void>
  /** The document that it serves. */
  readonly document: Document
  /** How much slower the machine is at this moment than the one that the bounds were set on; never below 1. */
  slowness(): Promise<number>
  send(request: Sent): Promise<Got>
  measure(request: Sent): Promise<Measured>
  /** How long the event loop was held at most while something went on, in milliseconds of the CPU. */
  heldBy(attack: () => Promise<unknown>): Promise<number>
  /** Bytes in use, after a collection. */
  memory(): Promise<number>
  /** Everything that it wrote to its log. */
  log(): string
  /** `undefined`: it lives. Else what ended it. */
  ended(): string | undefined
  stop(): Promise<void>
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
}

/** What the piece of work of `stage-server.ts` takes on the machine that the bounds were set on, in milliseconds of CPU. */
const USUAL_WORK = 40

/** The same for its piece of work of SQLite. */
const USUAL_SCAN = 20

/** Milliseconds that a start may take on a machine that has much else to do: 10,000 records are stored. */
export const MOST_START = 180_000

/** Starts an application in a process with a heap of 256 MB. */
export const startTarget = async (application: Start['application'], products = 10_000): Promise<Target> => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-attack-'))
  const start: Start = { application, products, folder }
  const child = fork(fileURLToPath(new URL('stage-server.ts', import.meta.url)), [JSON.stringify(start)], {
    execArgv: ['--max-old-space-size=256', '--expose-gc'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const killIt = (): void => void child.kill('SIGKILL')
  process.once('exit', killIt)
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => {
      log += bytes.toString()
    })
  let end: string | undefined
  const closed = new Promise<void>((resolve) => {
    child.once('close', (code, signal) => {
      end = `It ended with ${signal ?? code}: ${log.slice(-2000)}`
      process.off('exit', killIt)
      rmSync(folder, { recursive: true, force: true })
      resolve()
    })
  })
  const ask = asking(child, () => end)
  const { base } = await ask.first
  const port = Number(new URL(base ?? '').port)
  const target = {
    port,
    send: (request: Sent) => send(port, request),
    log: () => log,
    ended: () => end,
    slowness: async () => {
      const times = [await ask('work'), await ask('work')]
      const slower = (took: (answer: Answer) => number | undefined, usual: number): number =>
        Math.min(...times.map((answer) => took(answer) ?? 0)) / usual
      return Math.max(
        1,
        slower(({ cpu }) => cpu, USUAL_WORK),
        slower(({ scan }) => scan, USUAL_SCAN),
      )
    },
    measure: async (request: Sent): Promise<Measured> => {
      const before = await ask('begin')
      const got = await send(port, request)
      const after = await ask('end')
      return { ...got, cpu: (after.cpu ?? 0) - (before.cpu ?? 0), held: after.held ?? 0 }
    },
    heldBy: async (attack: () => Promise<unknown>) => {
      await ask('begin')
      await attack()
      return (await ask('end')).held ?? 0
    },
    memory: async () => (await ask('memory')).bytes ?? 0,
    stop: () => {
      child.kill('SIGKILL')
      return closed
    },
  }
  const { operations: routes = [] } = await ask('operations')
  const document = JSON.parse(
    (await target.send({ method: 'GET', target: '/api/openapi.json' })).body,
  ) as Document
  let token = ''
  const renew = async (): Promise<void> => {
    token = await sessionOf(target.send)
  }
  await renew()
  return { ...target, routes, document, token: () => token, renew }
}

/** Milliseconds of CPU that a request may take for each megabyte, on the machine that `USUAL_WORK` was measured on. */
const MOST_CPU = 250

/** Work of others on the same cores makes CPU time longer: caches are shared, and often the two halves of a core. */
const TOLERANCE = 1.5

/** What was measured, and how much of it is too much at the moment. */
export interface Bounded<T> {
  readonly measured: T
  readonly most: number
}

/**
 * Measures until it is within the bound, at most four times. CPU time is made longer by other work, and never shorter: the
 * shortest counts. How slow the machine is at the moment is only asked where that matters.
 */
export const shortest = async <T>(
  target: Pick<Target, 'slowness'>,
  measure: () => Promise<T>,
  costOf: (measured: T) => number,
  bound: (measured: T) => number,
): Promise<Bounded<T>> => {
  let measured = await measure()
  let most = bound(measured)
  for (let again = 0; again < 3 && costOf(measured) > most; again += 1) {
    most = Math.max(most, bound(measured) * TOLERANCE * (await target.slowness()))
    const other = await measure()
    if (costOf(other) < costOf(measured)) measured = other
  }
  return { measured, most }
}

/** Measures a request, and how many milliseconds of CPU it may take: 250 for each megabyte that is sent, and at least as many. */
export const within = (target: Target, make: () => Sent): Promise<Bounded<Measured>> =>
  shortest(
    target,
    () => target.measure(make()),
    ({ cpu }) => cpu,
    ({ sent }) => MOST_CPU * Math.max(1, sent / 1e6),
  )

/** Milliseconds that a test with so many requests may take. */
export const allowance = (requests: number): number => 60_000 + requests * 500

type Asking = ((kind: Ask['kind']) => Promise<Answer>) & { readonly first: Promise<Answer> }

const asking = (child: ChildProcess, ended: () => string | undefined): Asking => {
  const waiting = new Map<number, (answer: Answer | undefined) => void>()
  let last = 0
  child.on('message', ({ id, ...answer }: Answer & { readonly id: number }) => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
  // It may end while it is asked.
  child.on('error', () => undefined)
  child.once('close', () => {
    for (const answer of waiting.values()) answer(undefined)
  })
  const answerTo = (id: number): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.set(id, (answer) =>
        answer === undefined ? reject(new Error(ended() ?? 'It ended.')) : resolve(answer),
      )
    })
  const ask = (kind: Ask['kind']): Promise<Answer> => {
    if (ended() !== undefined) return Promise.reject(new Error(ended()))
    last += 1
    const answer = answerTo(last)
    child.send({ id: last, kind })
    return answer
  }
  return Object.assign(ask, { first: answerTo(0) })
}

/** The `Authorization` of a user who is there, or else registers. */
const sessionOf = async (send: (request: Sent) => Promise<Got>): Promise<string> => {
  const given = JSON.stringify({ email: 'mallory@example.com', password: 'a lamp for every desk' })
  const post = (target: string): Promise<Got> =>
    send({ method: 'POST', target, headers: [['content-type', 'application/json']], body: given })
  const known = await post('/api/auth/login')
  const { body } = known.status === 200 ? known : await post('/api/auth/register')
  const { access } = JSON.parse(body) as { readonly access?: string }
  if (access === undefined) throw new Error(`There is no session to be had: ${body}`)
  return `Bearer ${access}`
}
