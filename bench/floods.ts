// npm run build && node bench/floods.ts: who is still served while registrations or logins flood the service.
import { fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { FromFloodedServer } from './floods-serve.ts'
import { nextMessage } from './messages.ts'

const CONNECTIONS = 140
const SECONDS = 8
/** Milliseconds between two questions of the probe and of the known user. */
const PACE = 20
/** Milliseconds within which a service that is alive should say so. */
const TARGET = 100

const server = fork(fileURLToPath(new URL('floods-serve.ts', import.meta.url)))
const { origin = '' } = await nextMessage<FromFloodedServer>(server)

interface Client {
  readonly agent: Agent
  /** An address of this machine's own network, so that clients differ. */
  readonly localAddress: string
}

const clientAt = (localAddress: string): Client => ({
  localAddress,
  agent: new Agent({ keepAlive: true, maxSockets: CONNECTIONS }),
})

const ask = (
  { agent, localAddress }: Client,
  method: string,
  path: string,
  body?: object,
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(origin + path, { method, agent, localAddress, headers }, (reply) => {
      reply.resume().once('end', () => resolve(reply.statusCode))
    })
    sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const told = async (): Promise<FromFloodedServer> => {
  const message = nextMessage<FromFloodedServer>(server)
  server.send('tell')
  return await message
}

const password = 'correct horse battery staple'
let made = 0
const floods: Readonly<Record<string, (client: Client) => Promise<number | undefined>>> = {
  none: async () => {
    await pause(PACE)
    return undefined
  },
  registrations: (client) => {
    made += 1
    return ask(client, 'POST', '/auth/register', { email: `user${made}@example.com`, password })
  },
  logins: (client) => {
    made += 1
    return ask(client, 'POST', '/auth/login', { email: `nobody${made}@example.com`, password })
  },
  'passwords that no user has': (client) => {
    made += 1
    const tooLong = 'a'.repeat(1025)
    return ask(client, 'POST', '/auth/login', { email: `nobody${made}@example.com`, password: tooLong })
  },
}

const percentile = (values: readonly number[], share: number): string =>
  ([...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN).toFixed(1)

const count = (statuses: readonly (number | undefined)[], status: number): number =>
  statuses.filter((one) => one === status).length

/** One kind of flood for some seconds, from three addresses, with a known user and a probe at others. */
const measured = async (flood: (client: Client) => Promise<number | undefined>) => {
  const { users: usersBefore = 0 } = await told()
  let isRunning = true
  // Node accepts a connection at each turn of its loop: theirs are open before those of the flood.
  const [observer, user] = [clientAt('127.0.2.1'), clientAt('127.0.3.1')]
  for (const client of [observer, user]) await ask(client, 'GET', '/health/live')
  const flooding: (number | undefined)[] = []
  const attackers = ['127.0.1.1', '127.0.1.2', '127.0.1.3'].map(clientAt)
  const attack = async (client: Client): Promise<void> => {
    while (isRunning) flooding.push(await flood(client))
  }
  const probe: number[] = []
  const watching = async (client: Client): Promise<void> => {
    while (isRunning) {
      const start = performance.now()
      await ask(client, 'GET', '/health/live')
      probe.push(performance.now() - start)
      await pause(PACE)
    }
  }
  const logins: (number | undefined)[] = []
  const waits: number[] = []
  const known = async (client: Client): Promise<void> => {
    while (isRunning) {
      const start = performance.now()
      logins.push(await ask(client, 'POST', '/auth/login', { email: 'known@example.com', password }))
      waits.push(performance.now() - start)
      await pause(PACE)
    }
  }
  const all = [
    ...attackers.flatMap((client) =>
      Array.from({ length: Math.ceil(CONNECTIONS / attackers.length) }, () => attack(client)),
    ),
    watching(observer),
    known(user),
  ]
  await pause(SECONDS * 1000)
  isRunning = false
  await Promise.all(all)
  const { heldMilliseconds = 0, cpuMilliseconds = 0, logBytes = 0, users = 0 } = await told()
  const requests = flooding.filter((status) => status !== undefined).length + probe.length + logins.length
  return {
    'flood a second': Math.round(flooding.length / SECONDS),
    'of them 503': count(flooding, 503),
    'new users': users - usersBefore,
    'known user: 200': count(logins, 200),
    'known user: 503': count(logins, 503),
    'login p50, ms': percentile(waits, 0.5),
    '/health/live p50, ms': percentile(probe, 0.5),
    'p99, ms': percentile(probe, 0.99),
    'longest, ms': percentile(probe, 1 - Number.EPSILON),
    'event loop held, ms': heldMilliseconds.toFixed(1),
    // What a turn of the event loop takes if every connection has a request in it, and the machine nothing else to do.
    'CPU of a full turn, ms': ((cpuMilliseconds / requests) * CONNECTIONS).toFixed(1),
    'log, bytes': logBytes,
  }
}

try {
  const table: Record<string, object> = {}
  for (const [name, flood] of Object.entries(floods)) table[name] = await measured(flood)
  console.log(
    `${CONNECTIONS} connections from 3 addresses for ${SECONDS} s each, limits per address off, ${availableParallelism()} cores, Node ${process.versions.node}`,
  )
  console.table(table)
  console.log(`/health/live should answer within ${TARGET} ms.`)
} finally {
  server.disconnect()
}
