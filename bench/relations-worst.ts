// npm run build && node bench/relations-worst.ts [--on sqlite] [--rounds 3]: what the costliest conditions through relations take
// among 100,000 orders and a million items, beside a plain list.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defineSettings, fetchApp, ModelRest, type ModelSource } from 'modelrest/fetch'
import { startPostgres } from '../test/servers/postgres.ts'
import { median } from './measure.ts'
import { fillPostgres, fillSqlite, modelsOf } from './relations-databases.ts'

const { values: flags } = parseArgs({
  options: { on: { type: 'string' }, rounds: { type: 'string', default: '3' }, only: { type: 'string' } },
})

const several = (count: number, part: (at: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, at) => part(at))
const any = (parts: readonly string[]): string => `q=${encodeURIComponent(`(${parts.join('|')})`)}`
/** Another condition beside each alternative keeps it from sharing a subquery with the others. */
const apart = (at: number): string => `&id>-${at + 1}`
const far = 'items.product.items.order.items.product.items'
const back = 'order.items.product.items.order.items'

interface Worst {
  readonly path: string
  /** @default that of the settings */
  readonly maxToMany?: number
  readonly paginationType?: 'cursor'
}

const queries: Readonly<Record<string, Worst>> = {
  'plain list': { path: 'orders/?' },
  'one condition': { path: 'orders/?items.price>500' },
  '24 alternatives that share': { path: `orders/?${any(several(24, (at) => `items.price>${at}`))}` },
  '24 alternatives, each alone': {
    path: `orders/?${any(several(24, (at) => `items.price>${at}${apart(at)}`))}`,
    maxToMany: 24,
  },
  '4 alternatives, each alone': {
    path: `orders/?${any(several(4, (at) => `items.price>${at}${apart(at)}`))}`,
  },
  '4 conditions': { path: `orders/?${several(4, (at) => `items.price>${at}`).join('&')}` },
  '4 conditions, none, as an aggregate': {
    path: `orders/aggregate?${any(several(4, (at) => `!(items.price>${at})${apart(at)}`))}`,
  },
  '4 conditions, by cursor': {
    path: `orders/?${several(4, (at) => `items.price>${at}`).join('&')}&sort=status`,
    paginationType: 'cursor',
  },
  '4 paths of 7 relations that share': { path: `orders/?${any(several(4, (at) => `${far}.price>${at}`))}` },
  '4 paths of 7 relations, each alone': {
    path: `orders/?${any(several(4, (at) => `${far}.price>${at}${apart(at)}`))}`,
    maxToMany: 16,
  },
  '1 path of 7 relations': { path: `orders/?${far}.price>1` },
  'a path of 6 relations from items': { path: `items/?${back}.price>1` },
  '24 to-one conditions that share': {
    path: `items/?${any(several(24, (at) => `order.status==s${at}`))}`,
  },
  '16 to-one conditions, each alone': {
    path: `items/?${any(several(16, (at) => `order.status==s${at}${apart(at)}`))}`,
  },
  '12 to-one paths of 2, each alone': {
    path: `items/?${any(several(12, (at) => `order.customer.name==s${at}${apart(at)}`))}`,
  },
  '48 own conditions': { path: `items/?${any(several(48, (at) => `price==-${at + 1}`))}` },
  'sorted over a to-one': { path: 'items/?sort=order.customer.name' },
  'sorted over 8 to-one fields': {
    path: `items/?${['order.status', 'order.id', 'order.customer_id', 'product.name', 'order.customer.name', 'order.customer.city', 'product.id', 'order.customer.id'].map((name) => `sort=${name}`).join('&')}`,
  },
  'included 10 times with options': {
    path: `customers/?limit=100&include=${encodeURIComponent(`orders(limit=9;count=exact;q=items.price>1),orders.items(limit=9;count=exact;q=order.items.price>2&order.items.price>1&order.items.price>3)`)}`,
  },
}

type Ask = (path: string) => Promise<number>

const served = async (models: ModelSource, worst: Worst): Promise<Ask> => {
  const { paginationType = 'limit-offset', maxToMany } = worst
  const app = fetchApp()
  const settings = defineSettings({
    SECRET_KEY: 'of the benchmark, and as long as it has to be',
    ...(maxToMany !== undefined && { QUERY_MAX_TO_MANY: maxToMany, QUERY_MAX_CONDITIONS: 500 }),
  })
  await new ModelRest(app, { models, settings, paginationType }).init()
  return async (path) => {
    const start = performance.now()
    const reply = await app.fetch(new Request(`http://localhost/${path}`))
    const text = await reply.text()
    if (reply.status !== 200) throw new Error(`${path} was answered with ${reply.status}: ${text}`)
    return performance.now() - start
  }
}

const measured = async (database: string, models: ModelSource): Promise<void> => {
  const rows: Record<string, object> = {}
  for (const [name, worst] of Object.entries(queries)) {
    if (flags.only !== undefined && !name.includes(flags.only)) continue
    const ask = await served(models, worst)
    const times: number[] = []
    const before = process.cpuUsage()
    for (let round = 0; round < Number(flags.rounds); round += 1) times.push(await ask(worst.path))
    const { user, system } = process.cpuUsage(before)
    const cpu = Math.round((user + system) / 1000 / Number(flags.rounds))
    rows[name] = { bytes: worst.path.length, ms: Math.round(median(times)), 'ms of CPU, this process': cpu }
    console.error(`${database}, ${name}: ${Math.round(median(times))} ms, ${cpu} ms of CPU`)
  }
  console.log(`${database}: medians of ${flags.rounds}, exact counts, Node ${process.versions.node}`)
  console.table(rows)
}

const onSqlite = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-bench-'))
  try {
    const file = join(folder, 'orders.db')
    fillSqlite(file)
    await measured('SQLite', modelsOf('sqlite', file))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const onPostgres = async (): Promise<void> => {
  const postgres = await startPostgres({ settings: { shared_buffers: '256MB' } })
  try {
    await fillPostgres(postgres.url)
    await measured('PostgreSQL', modelsOf('postgres', postgres.url))
  } finally {
    await postgres.stop()
  }
}

for (const [name, run] of Object.entries({ sqlite: onSqlite, postgres: onPostgres }))
  if (flags.on === undefined || flags.on === name) await run()
process.exit()
