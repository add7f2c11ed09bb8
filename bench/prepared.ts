// npm run build && node bench/prepared.ts [rounds] [seconds] [prepared-serve.ts of another checkout]: what prepared statements
// gain on PostgreSQL, beside routes written by hand. The ratios are medians of interleaved rounds.
import type { ChildProcess } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { startPostgres } from '../test/servers/postgres.ts'
import { measure, median, onCore, pinTo } from './measure.ts'
import { type FromServer, type Load, nextMessage } from './messages.ts'

const [rounds = 15, seconds = 1] = process.argv.slice(2, 4).map(Number)
const other = process.argv[4]

const RECORDS = 100_000
const paths = Array.from({ length: 500 }, (_, place) => `/products/${1 + ((place * 7919) % RECORDS)}`)

const loads: Readonly<Record<string, Load>> = {
  'get by id': { method: 'GET', paths },
  'list of 20, count=none': { method: 'GET', paths: ['/products/?limit=20&count=none'] },
  update: { method: 'PATCH', paths, body: { price: '12.50', stock: 7 } },
  create: { method: 'POST', paths: ['/products/'], body: { name: 'Lamp', price: '9.90', stock: 3 } },
}

const database = await startPostgres({ settings: { shared_buffers: '256MB' } })
pinTo(1, database.pid)
const pool = new pg.Pool({ connectionString: database.url, max: 1 })
// The server may end before it has closed its connections.
pool.on('error', () => undefined)
await pool.query(`create table products (id integer primary key generated always as identity, name text not null,
  price numeric(10, 2) not null, stock integer not null default 0);
  insert into products (name, price, stock) select 'Product ' || i, i % 1000, i % 7 from generate_series(1, ${RECORDS}) i`)
await pool.query('vacuum analyze products')

const serve = async (script: string, side: string): Promise<readonly [ChildProcess, string]> => {
  const server = onCore(0, script, side, database.url)
  const { origin = '' } = await nextMessage<FromServer>(server)
  return [server, origin]
}

const sides = new Map([
  ['by hand', await serve('prepared-serve.ts', 'by-hand')],
  ['prepare: false', await serve('prepared-serve.ts', 'unprepared')],
  ['prepared', await serve('prepared-serve.ts', 'prepared')],
])
if (other !== undefined) sides.set('other', await serve(pathToFileURL(other).href, 'prepared'))
const load = onCore(1, 'load.ts')

const rows: Record<string, Record<string, string>> = {}
for (const [name, one] of Object.entries(loads)) {
  const perSecond = new Map([...sides.keys()].map((side) => [side, [] as number[]]))
  for (let round = 0; round < rounds; round += 1)
    for (const [side, [server, origin]] of sides) {
      const order = { ...one, origin, connections: 8, seconds }
      const { perSecond: rate } = await measure(server, load, order, { requests: round === 0 ? 2000 : 200 })
      perSecond.get(side)?.push(rate)
    }
  const ratio = (a: string, b: string): string => {
    const over = perSecond.get(b) ?? []
    return median((perSecond.get(a) ?? []).map((rate, round) => rate / (over[round] ?? 0))).toFixed(2)
  }
  const row: Record<string, string> = { 'prepared / prepare: false': ratio('prepared', 'prepare: false') }
  for (const side of sides.keys()) {
    row[`${side}, requests/s`] = median(perSecond.get(side) ?? []).toFixed(0)
    if (side !== 'by hand') row[`${side} / by hand`] = ratio(side, 'by hand')
  }
  rows[name] = row
}
console.table(rows)

for (const [server] of sides.values()) server.disconnect()
load.disconnect()
await pool.end()
await database.stop()
