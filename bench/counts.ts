// npm run build && node bench/counts.ts [--quick] [--only exact] [--on sqlite]: lists with their count, beside the same by hand, on PostgreSQL and SQLite.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { startPostgres } from '../test/servers/postgres.ts'
import { fillPostgres, fillSqlite } from './counts-databases.ts'
import { canPin, measure, median, onCore, pinTo } from './measure.ts'
import { type FromServer, type Load, nextMessage } from './messages.ts'

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, on: { type: 'string' } },
})
const ROUNDS = 3
const ROWS = 100_000
const CONNECTIONS = 32
/** Long enough for many rounds of 32 slow counts. */
const seconds = flags.quick ? 4 : 12
const warmUp = { seconds: 2 }

const sides = ['ours', 'by-hand'] as const
type Side = (typeof sides)[number]

const filters = Array.from({ length: CONNECTIONS }, (_, n) => `q=name%3D${10 + n}`)
const lists = (queries: readonly string[], count: string): Load => ({
  method: 'GET',
  paths: queries.map((query) => `/api/products/?limit=20${query}${count}`),
})
const urls = { 'one URL': [''], '32 filters': filters.map((filter) => `&${filter}`) }
/** By hand there is no estimate: what it has is the exact count. */
const counts = {
  exact: ['', ''],
  estimated: ['&count=estimated', ''],
  none: ['&count=none', '&count=none'],
} as const

interface Kind {
  readonly name: string
  readonly of: Readonly<Record<Side, Load>>
}

const kinds: readonly Kind[] = Object.entries(counts)
  .flatMap(([count, [ours, byHand]]) =>
    Object.entries(urls).map(([name, queries]) => ({
      name: `${count}, ${name}`,
      of: { ours: lists(queries, ours), 'by-hand': lists(queries, byHand) },
    })),
  )
  .filter(({ name }) => flags.only === undefined || name.startsWith(flags.only))

const answer = async (origin: string, { method, paths }: Load) => {
  const response = await fetch(origin + (paths[0] ?? '/'), { method })
  return {
    status: response.status,
    type: response.headers.get('content-type')?.split(';')[0],
    text: await response.text(),
  }
}

/** @throws Error where the two servers do not answer alike, to the byte of the body. */
const assertSame = async (name: string, load: Load, [a, b]: readonly [string, string]): Promise<void> => {
  const answers = [await answer(a, load), await answer(b, load)] as const
  if (isDeepStrictEqual(answers[0], answers[1]) && answers[0].status < 300) return
  throw new Error(`${name}: the answers differ.\n${JSON.stringify(answers, null, 2)}`)
}

const compare = async (database: string, location: string): Promise<void> => {
  const found = new Map(kinds.map(({ name }) => [name, { ours: [] as number[], 'by-hand': [] as number[] }]))
  for (let round = 0; round < ROUNDS; round += 1) {
    const load = onCore(1, 'load.ts')
    const start = async (side: Side) => {
      const server = onCore(0, 'counts-serve.ts', side, database, location)
      const { origin = '' } = await nextMessage<FromServer>(server)
      return { side, server, origin }
    }
    const servers = [await start('ours'), await start('by-hand')] as const
    for (const { name, of } of kinds) {
      if (of.ours.paths[0] === of['by-hand'].paths[0])
        await assertSame(name, of.ours, [servers[0].origin, servers[1].origin])
      for (const { side, server, origin } of servers) {
        const order = { ...of[side], origin, connections: CONNECTIONS, seconds, onePathEach: true }
        found.get(name)?.[side].push((await measure(server, load, order, warmUp)).perSecond)
      }
    }
    for (const child of [load, ...servers.map(({ server }) => server)]) child.disconnect()
  }
  console.log(
    `${database}: a list of 20 among ${ROWS} rows, ${CONNECTIONS} connections, requests/s, medians of ${ROUNDS} interleaved runs of ${seconds} s, ${canPin ? 'server on core 0, load and PostgreSQL on core 1' : 'processes NOT pinned to cores'}`,
  )
  console.table(
    Object.fromEntries(
      [...found].map(([name, { ours, 'by-hand': byHand }]) => [
        name,
        {
          'ours/s': Math.round(median(ours)),
          'by hand/s': Math.round(median(byHand)),
          ratio: Number((median(ours) / median(byHand)).toFixed(2)),
        },
      ]),
    ),
  )
}

const onPostgres = async (): Promise<void> => {
  const postgres = await startPostgres()
  pinTo(1, postgres.pid)
  try {
    await fillPostgres(postgres.url, ROWS)
    await compare('postgres', postgres.url)
  } finally {
    await postgres.stop()
  }
}

const onSqlite = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-bench-'))
  try {
    const file = join(folder, 'products.db')
    fillSqlite(file, ROWS)
    await compare('sqlite', file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const databases = { postgres: onPostgres, sqlite: onSqlite }
for (const [name, run] of Object.entries(databases)) {
  if (flags.on === undefined || flags.on === name) await run()
}
