// npm run build && node bench/auth.ts [--quick]: what knowing the caller costs a request, by CPU time of the server.
import { parseArgs } from 'node:util'
import { startRedis } from '../test/servers/redis.ts'
import { canPin, measure, median, onCore } from './measure.ts'
import { type FromServer, nextMessage } from './messages.ts'

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const ROUNDS = flags.quick ? 3 : 7
const CONNECTIONS = 16
const WARM_UP_REQUESTS = 20_000
const REQUESTS = flags.quick ? 20_000 : 60_000
/** Microseconds that a token which was seen before may add in stateless mode. */
const TARGET = 15

const ways = ['open', 'stateless', 'stateful, memory', 'stateful, Redis'] as const

const redis = await startRedis()
const load = onCore(1, 'load.ts')
const servers = await Promise.all(
  ways.map(async (way) => {
    const server = onCore(0, 'auth-serve.ts', way, redis.url)
    const { origin = '', token = '' } = await nextMessage<FromServer>(server)
    return { way, server, origin, headers: { authorization: `Bearer ${token || 'none'}` } }
  }),
)
const microseconds = new Map(ways.map((way) => [way, [] as number[]]))

try {
  for (let round = 1; round <= ROUNDS; round++) {
    for (const { way, server, origin, headers } of servers) {
      const paths = ['/notes/1']
      const order = { method: 'GET', paths, headers, origin, connections: CONNECTIONS, seconds: 60 } as const
      const warmUp = { requests: round === 1 ? WARM_UP_REQUESTS : 1000 }
      const measured = await measure(server, load, { ...order, requests: REQUESTS }, warmUp)
      microseconds.get(way)?.push(measured.microseconds)
    }
  }
  const of = (way: (typeof ways)[number]): number => median(microseconds.get(way) ?? [])
  console.log(
    `GET by id, the same token again: medians of ${ROUNDS} interleaved runs of ${REQUESTS} requests, ` +
      `${canPin ? 'server on core 0, load on core 1' : 'processes NOT pinned to cores'}, Node ${process.versions.node}`,
  )
  console.table(
    Object.fromEntries(
      ways.map((way) => [
        way,
        { 'CPU µs': Number(of(way).toFixed(1)), 'more than open': Number((of(way) - of('open')).toFixed(1)) },
      ]),
    ),
  )
  const added = of('stateless') - of('open')
  console.log(`Stateless adds ${added.toFixed(1)} µs; the aim is less than ${TARGET}.`)
} finally {
  for (const child of [load, ...servers.map(({ server }) => server)]) child.disconnect()
  await redis.stop()
}
