// npm run build && node bench/relations.ts [--rounds 5] [--seconds 2] [--on sqlite]: related records among 100,000 orders and a
// million items, beside the same by hand. The ratios are medians of interleaved rounds, of the CPU time of the server.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { startPostgres } from '../test/servers/postgres.ts'
import { canPin, type Measured, measure, median, onCore, pinTo } from './measure.ts'
import { type FromServer, type Load, nextMessage } from './messages.ts'
import { fillPostgres, fillSqlite, ORDERS } from './relations-databases.ts'

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    on: { type: 'string' },
  },
})
const [rounds, seconds] = [Number(flags.rounds), Number(flags.seconds)]
process.env['NODE_ENV'] = 'production'

const sides = ['ours', 'by-hand'] as const
type Side = (typeof sides)[number]

/** Different pages, so that requests do not share reads. None has an order with many items. */
const starts = Array.from({ length: 200 }, (_, at) => (at * 7919) % (ORDERS - 1000))
const get = (paths: readonly string[]): Load => ({ method: 'GET', paths })
const after = (include: string, path: string): Readonly<Record<Side, Load>> => ({
  ours: get(starts.map((id) => `/api/orders/?id>${id}&limit=20&count=none${include}`)),
  'by-hand': get(starts.map((id) => `/${path}?after=${id}`)),
})
const cities = Array.from({ length: 100 }, (_, at) => `c${at}`)

const kinds: Readonly<Record<string, Readonly<Record<Side, Load>>>> = {
  'page of 20': after('', 'plain'),
  'with a to-one': after('&include=customer', 'to-one'),
  'with a to-many, 5 each': after('&include=items', 'to-many'),
  'with two levels': after('&include=customer,items.product', 'two-levels'),
  'with the count of a to-many': after('&include=items(limit=0;count=exact)', 'counts'),
  'filtered over a to-one': {
    ours: get(cities.map((city) => `/api/orders/?customer.city==${city}&limit=20&count=none`)),
    'by-hand': get(cities.map((city) => `/in-city?city=${city}`)),
  },
  'filtered over a to-many': after('&items.price>900', 'with-item'),
  'sorted over a to-one': {
    ours: get(['/api/orders/?sort=customer.name&limit=20&count=none']),
    'by-hand': get(['/by-customer']),
  },
}

const answer = async (origin: string, { paths }: Load): Promise<unknown> => {
  const response = await fetch(origin + paths[1 % paths.length])
  if (!response.ok) throw new Error(`${response.url}: ${await response.text()}`)
  return response.json()
}

/** The path of a page far into a list of 20 by 20, sorted over a relation. */
const deepPage = async (origin: string, first: string): Promise<string> => {
  const { next } = (await (await fetch(`${origin}${first.replace('limit=20', 'limit=1000')}`)).json()) as {
    readonly next: string
  }
  let cursor = next
  for (let page = 1; page < 60; page += 1) {
    const path = `${first.replace('limit=20', 'limit=1000')}&cursor=${cursor}`
    cursor = ((await (await fetch(origin + path)).json()) as { readonly next: string }).next
  }
  return `${first}&cursor=${cursor}`
}

const compare = async (database: string, location: string): Promise<void> => {
  const load = onCore(1, 'load.ts')
  const start = async (side: Side) => {
    const server = onCore(0, 'relations-serve.ts', side, database, location)
    const { origin = '' } = await nextMessage<FromServer>(server)
    return { side, server, origin }
  }
  const [ours, byHand] = [await start('ours'), await start('by-hand')] as const
  const first = '/cursor/orders/?sort=customer.name&limit=20'
  const deep = await deepPage(ours.origin, first)
  const found = new Map<string, Measured[]>()
  const note = (name: string, measured: Measured): void => {
    found.set(name, [...(found.get(name) ?? []), measured])
  }
  for (let round = 0; round < rounds; round += 1) {
    const warmUp = { requests: round === 0 ? 500 : 20 }
    for (const [name, of] of Object.entries(kinds)) {
      if (round === 0) {
        const answers = [await answer(ours.origin, of.ours), await answer(byHand.origin, of['by-hand'])]
        if (!isDeepStrictEqual(answers[0], answers[1]))
          throw new Error(`${name}: the responses differ.\n${JSON.stringify(answers)}`)
      }
      for (const { side, server, origin } of [ours, byHand])
        note(
          `${side} ${name}`,
          await measure(server, load, { ...of[side], origin, connections: 8, seconds }, warmUp),
        )
    }
    for (const [name, path] of Object.entries({ first, deep })) {
      const order = { ...get([path]), origin: ours.origin, connections: 1, seconds }
      note(name, await measure(ours.server, load, order, { requests: 3 }))
    }
  }
  for (const child of [load, ours.server, byHand.server]) child.disconnect()
  report(database, found)
}

const ratios = (a: readonly Measured[], b: readonly Measured[], of: keyof Measured): string =>
  median(a.map((each, round) => each[of] / (b[round]?.[of] ?? 0))).toFixed(2)

const report = (database: string, found: ReadonlyMap<string, readonly Measured[]>): void => {
  const at = (name: string): readonly Measured[] => found.get(name) ?? []
  const microseconds = (name: string): number => Math.round(median(at(name).map((each) => each.microseconds)))
  console.log(
    `${database}: medians of ${rounds} interleaved rounds of ${seconds} s, ${canPin ? 'server on core 0, load and PostgreSQL on core 1' : 'processes NOT pinned to cores'}`,
  )
  console.table(
    Object.fromEntries(
      Object.keys(kinds).map((name) => [
        name,
        {
          'ours, µs CPU': microseconds(`ours ${name}`),
          'by hand, µs CPU': microseconds(`by-hand ${name}`),
          'CPU, by hand / ours': ratios(at(`by-hand ${name}`), at(`ours ${name}`), 'microseconds'),
          'requests/s, ours / by hand': ratios(at(`ours ${name}`), at(`by-hand ${name}`), 'perSecond'),
          'requests/s, page of 20 / this': ratios(at('ours page of 20'), at(`ours ${name}`), 'perSecond'),
        },
      ]),
    ),
  )
  console.log(
    `Sorted over a to-one, by cursor: page 3001 takes ${ratios(at('first'), at('deep'), 'perSecond')} times as long as the first page.\n`,
  )
}

const onSqlite = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-bench-'))
  try {
    const file = join(folder, 'orders.db')
    fillSqlite(file)
    await compare('sqlite', file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const onPostgres = async (): Promise<void> => {
  const postgres = await startPostgres({ settings: { shared_buffers: '256MB' } })
  pinTo(1, postgres.pid)
  try {
    await fillPostgres(postgres.url)
    await compare('postgres', postgres.url)
  } finally {
    await postgres.stop()
  }
}

for (const [name, run] of Object.entries({ sqlite: onSqlite, postgres: onPostgres }))
  if (flags.on === undefined || flags.on === name) await run()
