// npm run build && node bench/shared.ts [--on postgres|mysql] [--connections 1,8,32,256] [--rounds 3] [--seconds 2]: what
// concurrent reads gain that share statements, beside the same without it and routes written by hand. MySQL is MariaDB
// unless MYSQL_SERVER names a server of MySQL. The figures are medians of interleaved rounds.
import type { ChildProcess } from 'node:child_process'
import { parseArgs } from 'node:util'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { startMariaDb } from '../test/servers/mariadb.ts'
import { startMySql } from '../test/servers/mysql.ts'
import { startPostgres } from '../test/servers/postgres.ts'
import { type Measured, measure, median, onCore, pinTo } from './measure.ts'
import { type FromServer, nextMessage } from './messages.ts'

const { values: flags } = parseArgs({
  options: {
    on: { type: 'string' },
    connections: { type: 'string', default: '1,8,32,256' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
  },
})
const rounds = Number(flags.rounds)
const seconds = Number(flags.seconds)

const RECORDS = 100_000
const places = Array.from({ length: 1000 }, (_, place) => 1 + ((place * 7919) % RECORDS))
const loads: Readonly<Record<string, readonly string[]>> = {
  'get, one URL': ['/products/4711'],
  'get, 1,000 ids': places.map((id) => `/products/${id}`),
  'list of 20, one URL': ['/products/?limit=20&count=none'],
  'list of 20, 1,000 pages': places.map((id) => `/products/?limit=20&count=none&offset=${id % 5000}`),
}

interface Started {
  readonly url: string
  readonly stop: () => Promise<void>
}

const fill = (
  text: string,
): string => `create table products (id integer primary key, name varchar(100) not null,
  category varchar(20) not null, stock integer not null);
  insert into products ${text}; analyze ${text.includes('generate_series') ? '' : 'table '}products`

const databases: Readonly<Record<string, () => Promise<Started>>> = {
  postgres: async () => {
    const server = await startPostgres({ settings: { shared_buffers: '256MB' } })
    pinTo(1, server.pid)
    const client = new pg.Client(server.url)
    await client.connect()
    await client.query(
      fill(`select i, 'Product ' || i, 'c' || (i % 50), i % 77 from generate_series(1, ${RECORDS}) i`),
    )
    await client.end()
    return server
  },
  mysql: async () => {
    const start = process.env['MYSQL_SERVER'] === undefined ? startMariaDb : startMySql
    const server = await start({ settings: { 'cte-max-recursion-depth': String(RECORDS) } }).catch(() =>
      start(),
    )
    pinTo(1, server.pid)
    const client = await mysql.createConnection({ uri: server.url, multipleStatements: true })
    await client.query('create database products; use products')
    await client.query(
      fill(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${RECORDS})
        select i, concat('Product ', i), concat('c', i % 50), i % 77 from n`),
    )
    await client.end()
    return { ...server, url: `${server.url}products`, stop: server.stop }
  },
}

const serve = async (
  side: string,
  database: string,
  url: string,
): Promise<readonly [ChildProcess, string]> => {
  const server = onCore(0, 'shared-serve.ts', side, database, url)
  const { origin = '' } = await nextMessage<FromServer>(server)
  return [server, origin]
}

const shown = (samples: readonly Measured[]): string => {
  const of = (value: (sample: Measured) => number) => median(samples.map(value))
  return `${of(({ perSecond }) => perSecond).toFixed(0)}/s p50 ${of(({ p50 }) => p50)} p99 ${of(({ p99 }) => p99)} ms, ${of(({ microseconds }) => microseconds).toFixed(0)} µs`
}

for (const [database, start] of Object.entries(databases)) {
  if (flags.on !== undefined && flags.on !== database) continue
  const { url, stop } = await start()
  const sides = new Map<string, Awaited<ReturnType<typeof serve>>>()
  for (const side of ['by-hand', 'alone', 'shared']) sides.set(side, await serve(side, database, url))
  const load = onCore(1, 'load.ts')
  for (const connections of flags.connections.split(',').map(Number)) {
    const rows: Record<string, Record<string, string>> = {}
    for (const [name, paths] of Object.entries(loads)) {
      const samples = new Map([...sides.keys()].map((side) => [side, [] as Measured[]]))
      for (let round = 0; round < rounds; round += 1)
        for (const [side, [server, origin]] of sides) {
          const order = { method: 'GET' as const, paths, origin, connections, seconds }
          samples.get(side)?.push(await measure(server, load, order, { requests: 50 * connections }))
        }
      rows[name] = Object.fromEntries([...samples].map(([side, each]) => [side, shown(each)]))
    }
    console.log(`\n${database}, ${connections} connections`)
    console.table(rows)
  }
  for (const [server] of sides.values()) server.disconnect()
  load.disconnect()
  await stop()
}
