// npm run build && node bench/overload.ts [--quick] [--only sqlite|postgres]: response times at half and at twice the load
// that the service bears, with and without MAX_WAITING.
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/servers/postgres.ts'
import { fillPostgres, fillSqlite } from './counts-databases.ts'
import { canPin, median, onCore, pinTo } from './measure.ts'
import { type FromOpenLoad, type FromServer, nextMessage, type ToOpenLoad } from './messages.ts'

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
})
const ROUNDS = flags.quick ? 1 : 3
const SECONDS = flags.quick ? 5 : 10
const WARM_UP = 3
const ROWS = 10_000
const CONNECTIONS = 2000
const CLOSED_LOOP_CONNECTIONS = 64

/** Different pages: equal ones share statements, so the more of them wait, the more the server bears. */
const ids = Array.from({ length: 4000 }, (_, index) => 1 + ((index * 7919) % (ROWS - 100)))
/** Requests that take longer than the process that sends them. */
const paths = ids.map((id) => `/products/?limit=100&offset=${id}&count=none`)

const sides = { without: 0, with: 1000 } as const
type Side = keyof typeof sides
const levels = { half: 0.5, twice: 2 } as const
type Level = keyof typeof levels

interface Result extends FromOpenLoad {
  /** The most memory of the server, in MB. */
  readonly memory: number
}

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const ask = async (load: ChildProcess, order: ToOpenLoad): Promise<FromOpenLoad> => {
  const answer = nextMessage<FromOpenLoad>(load)
  load.send(order)
  return await answer
}

const measureAt = async (load: ChildProcess, server: ChildProcess, order: ToOpenLoad): Promise<Result> => {
  let memory = 0
  const sampling = setInterval(() => {
    memory = Math.max(memory, memoryOf(server.pid ?? 0))
  }, 100)
  const result = await ask(load, order)
  clearInterval(sampling)
  return { ...result, memory }
}

/** The best of some seconds, because other processes of the machine can only lower it. */
const mostBorne = async (load: ChildProcess, order: ToOpenLoad): Promise<number> => {
  const rates: number[] = []
  await ask(load, { ...order, warmUp: 5 })
  for (let second = 0; second < 8; second += 1) rates.push((await ask(load, order)).perSecond)
  return Math.max(...rates)
}

const withServer = async <T>(
  database: string,
  side: Side,
  use: (server: ChildProcess, port: number) => Promise<T>,
): Promise<T> => {
  const server = onCore(0, 'overload-serve.ts', database, String(sides[side]))
  const { origin = '' } = await nextMessage<FromServer>(server)
  try {
    return await use(server, Number(new URL(origin).port))
  } finally {
    server.disconnect()
  }
}

const measureDatabase = async (name: string, database: string): Promise<void> => {
  const results = { without: { half: [], twice: [] }, with: { half: [], twice: [] } } as Record<
    Side,
    Record<Level, Result[]>
  >
  const borne: number[] = []
  const load = onCore(1, 'open-load.ts')
  for (let round = 0; round < ROUNDS; round += 1) {
    const common = { paths, warmUp: WARM_UP, seconds: SECONDS }
    const perSecond = await withServer(database, 'without', (_server, port) =>
      mostBorne(load, { ...common, port, connections: CLOSED_LOOP_CONNECTIONS, warmUp: 0, seconds: 1 }),
    )
    borne.push(perSecond)
    for (const side of ['without', 'with'] as const)
      for (const level of ['half', 'twice'] as const)
        await withServer(database, side, async (server, port) => {
          const order = { ...common, port, connections: CONNECTIONS }
          // The compiler is done with what is hot.
          await ask(load, { ...order, connections: CLOSED_LOOP_CONNECTIONS, warmUp: 0, seconds: 2 })
          results[side][level].push(
            await measureAt(load, server, { ...order, rate: perSecond * levels[level] }),
          )
        })
  }
  load.disconnect()
  const table: Record<string, object> = {}
  for (const side of ['without', 'with'] as const)
    for (const level of ['half', 'twice'] as const) {
      const of = (what: keyof Result) => median(results[side][level].map((one) => one[what]))
      const p99OfHalf = median(results[side].half.map((one) => one.p99))
      const answered = of('served') + of('refused') + of('others') + of('unanswered')
      table[`${side} MAX_WAITING, ${level}`] = {
        'served/s': Math.round(of('served') / SECONDS),
        '503': `${((100 * of('refused')) / answered).toFixed(1)} %`,
        unanswered: of('unanswered'),
        'p50, ms': Number(of('p50').toFixed(1)),
        'p99, ms': Number(of('p99').toFixed(1)),
        'longest, ms': Math.round(of('max')),
        'p99 / p99 at half': Number((of('p99') / p99OfHalf).toFixed(1)),
        'p99 with 503, ms': Number(of('p99OfAll').toFixed(1)),
        'memory, MB': Math.round(of('memory')),
      }
    }
  console.log(
    `${name}: ${borne.map(Math.round).join(', ')} requests/s from ${CLOSED_LOOP_CONNECTIONS} connections`,
  )
  console.table(table)
}

console.log(
  `${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${SECONDS} s, ` +
    `${canPin ? 'server on core 0, load on core 1' : 'processes NOT pinned to cores'}, Node ${process.versions.node}`,
)
if (flags.only !== 'postgres') {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-bench-'))
  try {
    const file = join(folder, 'overload.db')
    fillSqlite(file, ROWS)
    await measureDatabase('SQLite', file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
if (flags.only !== 'sqlite') {
  const postgres = await startPostgres()
  try {
    pinTo(1, postgres.pid)
    await fillPostgres(postgres.url, ROWS)
    await measureDatabase('PostgreSQL', postgres.url)
  } finally {
    await postgres.stop()
  }
}
