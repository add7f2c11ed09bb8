// npm run bench [-- --quick]: the Product routes of the example beside the same routes written by hand.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openDatabase } from '../examples/shop/db.ts'
import { type FromLoad, type FromServer, type Load, nextMessage, type ToLoad } from './messages.ts'
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

interface Measured {
  readonly perSecond: number
  /** CPU time of the server for one request. It hardly depends on what else the machine does. */
  readonly microseconds: number
  /** How much of its core the load generator used. Near 1, it is the load that was measured. */
  readonly loadCpu: number
}

const canPin = (() => {
  try {
    execFileSync('taskset', ['-c', '1', 'true'], { stdio: 'ignore' })
    return cpus().length > 1
  } catch {
    return false
  }
})()

/** A process on a core of its own. */
const onCore = (core: number, script: string, ...args: string[]): ChildProcess => {
  const command = [process.execPath, fileURLToPath(new URL(script, import.meta.url)), ...args]
  const [file = '', ...rest] = canPin ? ['taskset', '-c', String(core), ...command] : command
  return spawn(file, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

const ask = <T>(child: ChildProcess, message: object): Promise<T> => {
  const answer = nextMessage<T>(child)
  child.send(message)
  return answer
}

const cpuOf = async (server: ChildProcess): Promise<number> =>
  (await ask<FromServer>(server, {})).cpuMicroseconds ?? 0

const measure = async (server: ChildProcess, load: ChildProcess, order: ToLoad): Promise<Measured> => {
  await ask<FromLoad>(load, { ...order, requests: WARM_UP_REQUESTS })
  const before = await cpuOf(server)
  const result = await ask<FromLoad>(load, order)
  const used = (await cpuOf(server)) - before
  if (result.failures > 0)
    throw new Error(`${order.method} ${order.paths[0]}: ${result.failures} requests failed.`)
  return {
    perSecond: result.requests / result.seconds,
    microseconds: used / result.requests,
    loadCpu: result.cpuMicroseconds / 1e6 / result.seconds,
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const folder = mkdtempSync(join(tmpdir(), 'modelrest-bench-'))
const seeded = join(folder, 'seeded.db')
openDatabase(seeded, ROWS).$client.close()

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
      results[side].push(await measure(server, load, order))
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
