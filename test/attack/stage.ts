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
  /** The longest that the event loop was held since `begin`, in milliseconds. */
  readonly delay?: number
  /** Memory that is in use, after a collection. */
  readonly bytes?: number
  readonly operations?: readonly Route[]
}

/** A request with what it took. */
export interface Measured extends Got {
  /** Milliseconds of CPU of the whole process. */
  readonly cpu: number
  /** The longest that the event loop was held, in milliseconds. */
  readonly delay: number
}

export interface Target {
  readonly port: number
  readonly routes: readonly Route[]
  /** `Authorization` of a user. */
  token(): string
  /** Registers another user, where the session of the last one was ended. */
  renew(): Promise<void>
  /** The document that it serves. */
  readonly document: Document
  /** How much slower the machine is at this moment than the one that the bounds were set on; never below 1. */
  slowness(): Promise<number>
  send(request: Sent): Promise<Got>
  measure(request: Sent): Promise<Measured>
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
const USUAL_WORK = 100

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
      const times = [await ask('work'), await ask('work')].map(({ cpu = 0 }) => cpu)
      return Math.max(1, Math.min(...times) / USUAL_WORK)
    },
    measure: async (request: Sent): Promise<Measured> => {
      const before = await ask('begin')
      const got = await send(port, request)
      const after = await ask('end')
      return { ...got, cpu: (after.cpu ?? 0) - (before.cpu ?? 0), delay: after.delay ?? 0 }
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
  let users = 0
  let token = ''
  const renew = async (): Promise<void> => {
    users += 1
    token = await registered(target.send, `mallory-${users}@example.com`)
  }
  await renew()
  return { ...target, routes, document, token: () => token, renew }
}

/** Milliseconds of CPU that a request may take for each megabyte, on the machine that `USUAL_WORK` was measured on. */
const MOST_CPU = 250

/**
 * Measures a request. One that took too long is sent again, and the machine is measured beside it: other work on the same
 * cores makes CPU time longer, and never shorter. The shortest time counts.
 */
export const within = async (
  target: Target,
  make: () => Sent,
): Promise<Measured & { /** Milliseconds of CPU that it may have taken. */ readonly most: number }> => {
  const first = await target.measure(make())
  const megabytes = Math.max(1, first.sent / 1e6)
  let best = { ...first, most: MOST_CPU * megabytes }
  for (let again = 0; again < 3 && best.cpu > best.most; again += 1) {
    const most = MOST_CPU * megabytes * (await target.slowness())
    const { cpu } = await target.measure(make())
    best = { ...best, cpu: Math.min(best.cpu, cpu), most: Math.max(best.most, most) }
  }
  return best
}

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

/** The `Authorization` of a user who has just registered. */
const registered = async (send: (request: Sent) => Promise<Got>, email: string): Promise<string> => {
  const { body } = await send({
    method: 'POST',
    target: '/api/auth/register',
    headers: [['content-type', 'application/json']],
    body: JSON.stringify({ email, password: 'a lamp for every desk' }),
  })
  const { access } = JSON.parse(body) as { readonly access?: string }
  if (access === undefined) throw new Error(`Nobody could register: ${body}`)
  return `Bearer ${access}`
}
