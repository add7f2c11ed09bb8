// npm run bench [-- --quick]: the Product routes of the example beside the same routes written by hand.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../examples/shop/db.ts'
import { canPin, type Measured, measure, median, onCore } from './measure.ts'
import { type FromServer, type Load, nextMessage } from './messages.ts'
import { routes } from './routes.ts'
import { assertSame } from './same.ts'

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
})
const ROUNDS = 3
const ROWS = 100_000
const CONNECTIONS = 32
const seconds = flags.quick ? 2 : 8
/** Enough for the compiler to be done with what is hot; time would be less of it on a slower machine. */
const WARM_UP_REQUESTS = 20_000

const sides = ['ours', 'by-hand'] as const
type Side = (typeof sides)[number]

const folder = mkdtempSync(join(tmpdir(), 'modelrest-bench-'))
const seeded = join(folder, 'seeded.db')
await (await openDatabase(seeded, ROWS, [])).close()

const measured = new Map<string, Record<Side, Measured[]>>()
const chosen: readonly (readonly [string, Load])[] = Object.entries(routes).filter(
  ([name]) => flags.only === undefined || name.startsWith(flags.only),
)

const round = async (number: number): Promise<void> => {
  const load = onCore(1, 'load.ts')
  const start = async (side: Side) => {
    const file = join(folder, `${side}-${number}.db`)
    copyFileSync(seeded, file)
    const server = onCore(0, 'serve.ts', side, file)
    const { origin = '' } = await nextMessage<FromServer>(server)
    return { side, server, origin }
  }
  const servers = [await start('ours'), await start('by-hand')] as const
  for (const [name, route] of chosen) {
    await assertSame(name, route, [servers[0].origin, servers[1].origin])
    const results = measured.get(name) ?? { ours: [], 'by-hand': [] }
    measured.set(name, results)
    for (const { side, server, origin } of servers) {
      const order = { ...route, origin, connections: CONNECTIONS, seconds }
      results[side].push(await measure(server, load, order, { requests: WARM_UP_REQUESTS }))
    }
  }
  for (const child of [load, ...servers.map(({ server }) => server)]) child.disconnect()
}

try {
  console.log(
    `${ROWS} rows, ${CONNECTIONS} connections, medians of ${ROUNDS} interleaved runs of ${seconds} s, ` +
      `${canPin ? 'server on core 0, load on core 1' : 'processes NOT pinned to cores'}, Node ${process.versions.node}`,
  )
  for (let number = 1; number <= ROUNDS; number++) await round(number)
  console.table(
    Object.fromEntries(
      [...measured].map(([name, results]) => {
        const of = (side: Side, what: keyof Measured) => median(results[side].map((one) => one[what]))
        return [
          name,
          {
            'ours/s': Math.round(of('ours', 'perSecond')),
            'by hand/s': Math.round(of('by-hand', 'perSecond')),
            ratio: Number((of('ours', 'perSecond') / of('by-hand', 'perSecond')).toFixed(2)),
            'ours CPU µs': Math.round(of('ours', 'microseconds')),
            'by hand CPU µs': Math.round(of('by-hand', 'microseconds')),
            'ratio by CPU': Number((of('by-hand', 'microseconds') / of('ours', 'microseconds')).toFixed(2)),
            'load core used': `${Math.round(100 * Math.max(of('ours', 'loadCpu'), of('by-hand', 'loadCpu')))} %`,
          },
        ]
      }),
    ),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
