// npm run build && node bench/logins.ts: how long an open route of the application takes while 20 users log in.
import { fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { median } from './measure.ts'
import { type FromServer, nextMessage } from './messages.ts'

const LOGINS = 20
const ROUNDS = 15
const REQUESTS = 500
/** Milliseconds between requests: it is waiting that is measured, not what the machine can do at most. */
const PACE = 2
const TARGET = 3

// Not pinned to a core: one of its threads hashes while another answers.
const server = fork(fileURLToPath(new URL('logins-serve.ts', import.meta.url)), [String(LOGINS)])
const { origin = '' } = await nextMessage<FromServer>(server)
const agent = new Agent({ keepAlive: true })

const ask = (method: string, path: string, body?: object): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const sent = request(
      origin + path,
      { method, agent, ...(body === undefined ? {} : { headers }) },
      (reply) => {
        reply.resume().once('end', () => {
          if (reply.statusCode === 200) resolve()
          else reject(new Error(`${method} ${path} answered ${reply.statusCode}.`))
        })
      },
    )
    sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })

const logIn = (user: number): Promise<void> =>
  ask('POST', '/auth/login', {
    email: `user${user}@example.com`,
    password: 'correct horse battery staple',
  })

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The time of each request to the open route, the shortest first. */
const times = async (): Promise<readonly number[]> => {
  const found: number[] = []
  while (found.length < REQUESTS) {
    const start = performance.now()
    await ask('GET', '/open')
    found.push(performance.now() - start)
    await pause(PACE)
  }
  return found.sort((a, b) => a - b)
}

/** `LOGINS` are under way at any time while `act` runs. */
const whileLoggingIn = async <T>(act: () => Promise<T>): Promise<{ result: T; perSecond: number }> => {
  let running = true
  let done = 0
  const each = async (user: number) => {
    while (running) {
      await logIn(user)
      done += 1
    }
  }
  const start = performance.now()
  const all = Array.from({ length: LOGINS }, (_, user) => each(user))
  const result = await act()
  const perSecond = (done * 1000) / (performance.now() - start)
  running = false
  await Promise.all(all)
  return { result, perSecond }
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN

try {
  await times()
  await whileLoggingIn(times)
  const rounds: { idle: readonly number[]; busy: readonly number[]; perSecond: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const idle = await times()
    const { result: busy, perSecond } = await whileLoggingIn(times)
    rounds.push({ idle, busy, perSecond })
  }
  const row = (share: number) => {
    const idle = rounds.map((round) => percentile(round.idle, share))
    const busy = rounds.map((round) => percentile(round.busy, share))
    return {
      'idle, ms': median(idle).toFixed(2),
      'busy, ms': median(busy).toFixed(2),
      ratio: (median(busy) / median(idle)).toFixed(2),
      // What else runs on the machine adds to some rounds: these have the least of it.
      'ratio of the quietest rounds': (Math.min(...busy) / Math.min(...idle)).toFixed(2),
    }
  }
  console.log(
    `${REQUESTS} requests to an open route, one every ${PACE} ms, while ${LOGINS} logins are under way; medians of ${ROUNDS} ` +
      `rounds, ${availableParallelism()} cores, Node ${process.versions.node}`,
  )
  console.table({ p50: row(0.5), p99: row(0.99) })
  console.log(
    `${Math.round(median(rounds.map(({ perSecond }) => perSecond)))} logins a second. The ratio of p99 should be below ${TARGET}.`,
  )
} finally {
  agent.destroy()
  server.disconnect()
}
