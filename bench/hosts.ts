// npm run build && node bench/hosts.ts [--quick] [--hosts fastify,node] [--only get]: each host beside the same routes written
// by hand on it, by CPU time of the server and by requests in a second.
import { parseArgs } from 'node:util'
import { databases } from './databases.ts'
import { dialects, type Kind } from './dialects.ts'
import { canPin, type Measured, measure, median, onCore, turned } from './measure.ts'
import { type FromServer, nextMessage } from './messages.ts'
import { assertSame } from './same.ts'

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    hosts: { type: 'string', default: 'fastify,node,express,hono,fetch,nest-express,nest-fastify' },
    only: { type: 'string', default: '' },
  },
})
const ROUNDS = flags.quick ? 3 : 7
const SECONDS = flags.quick ? 2 : 4
const CONNECTIONS = 32
process.env['NODE_ENV'] = 'production'

const kinds = (['get by id', 'list without count', 'create'] as const).filter((kind) =>
  kind.startsWith(flags.only),
)
const hosts = flags.hosts.split(',')
const sides = ['ours', 'by-hand'] as const
const dialectOf = (side: (typeof sides)[number]) => dialects[side === 'ours' ? 'modelrest' : 'by-hand']

interface Sample extends Measured {
  readonly host: string
  readonly side: string
  readonly kind: Kind
}
const samples: Sample[] = []

const filled = await databases.sqlite()
const load = onCore(1, 'load.ts')
const servers = await Promise.all(
  hosts
    .flatMap((host) => sides.map((side) => ({ host, side })))
    .map(async ({ host, side }) => {
      const server = onCore(0, 'hosts-serve.ts', host, side, await filled.copy(`${host}-${side}`))
      const { origin = '' } = await nextMessage<FromServer>(server)
      const { requests, ...reading } = dialectOf(side)
      const { 'get by id': get = { method: 'GET', paths: [] }, 'list without count': list } = requests
      await assertSame(`${host}, ${side}`, origin, {
        ...reading,
        requests: { 'get by id': get, ...(list && { 'list without count': list }) },
      })
      return { host, side, server, origin }
    }),
)

try {
  for (let round = 0; round < ROUNDS; round += 1)
    for (const kind of kinds)
      for (const { host, side, server, origin } of turned(servers, round)) {
        const asks = dialectOf(side).requests[kind]
        if (asks === undefined) throw new Error(`${side} does not have: ${kind}`)
        const order = { ...asks, origin, connections: CONNECTIONS, seconds: SECONDS }
        const warmUp = { seconds: round === 0 ? SECONDS : 1 }
        samples.push({ host, side, kind, ...(await measure(server, load, order, warmUp)) })
      }
} finally {
  for (const child of [load, ...servers.map(({ server }) => server)]) child.disconnect()
  await filled.close()
}

const of = (host: string, side: string, kind: Kind, value: 'microseconds' | 'perSecond'): number =>
  median(
    samples
      .filter((sample) => sample.host === host && sample.side === side && sample.kind === kind)
      .map((sample) => sample[value]),
  )

console.log(
  `Medians of ${ROUNDS} interleaved rounds of ${SECONDS} s with ${CONNECTIONS} connections, SQLite, ` +
    `${canPin ? 'server on core 0, load on core 1' : 'processes NOT pinned to cores'}, Node ${process.versions.node}`,
)
for (const kind of kinds) {
  const rows = hosts.map((host) => {
    const [ours, byHand] = [of(host, 'ours', kind, 'microseconds'), of(host, 'by-hand', kind, 'microseconds')]
    return [
      host,
      {
        'CPU µs': Number(ours.toFixed(1)),
        'by hand µs': Number(byHand.toFixed(1)),
        // More is better, as with requests in a second.
        'speed to by hand': Number((byHand / ours).toFixed(2)),
        'to our Fastify': Number((of('fastify', 'ours', kind, 'microseconds') / ours).toFixed(2)),
        'requests/s': Math.round(of(host, 'ours', kind, 'perSecond')),
        'by hand': Math.round(of(host, 'by-hand', kind, 'perSecond')),
      },
    ] as const
  })
  console.log(`\n${kind}`)
  console.table(Object.fromEntries(rows))
}
