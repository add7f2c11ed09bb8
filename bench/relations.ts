// npm run build && node bench/relations.ts [--rounds 5] [--seconds 2] [--on sqlite] [--peers zenstack,dataui|none]: related
// records among 100,000 orders and a million items, beside the same by hand and beside the peers that `npm run bench:peers` has
// installed. The ratios are medians of interleaved rounds; those beside the same by hand, of the CPU time of the server too.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/servers/postgres.ts'
import type { DatabaseName } from './databases.ts'
import { get } from './dialects.ts'
import { type Measured, measure, onCore, pinTo, turned } from './measure.ts'
import { type FromServer, nextMessage } from './messages.ts'
import { fillPostgres, fillSqlite } from './relations-databases.ts'
import { dialects, type Kind, kinds, type OrderSide } from './relations-dialects.ts'
import { report } from './relations-report.ts'
import { assertSame } from './relations-same.ts'
import { installed, isOwn, moduleOf, sides } from './sides.ts'

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    on: { type: 'string' },
    peers: { type: 'string' },
  },
})
const [rounds, seconds] = [Number(flags.rounds), Number(flags.seconds)]
process.env['NODE_ENV'] = 'production'

const names = Object.keys(dialects) as OrderSide[]
const asked = flags.peers?.split(',') ?? names
const chosen = installed(
  names.filter((side) => isOwn(side) || asked.includes(side)),
  'orders',
)

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

const compare = async (database: DatabaseName, location: string): Promise<void> => {
  const load = onCore(1, 'load.ts')
  const start = async (side: OrderSide) => {
    const server = onCore(0, 'serve.ts', moduleOf(side, 'orders'), database, location)
    const { origin = '' } = await nextMessage<FromServer>(server)
    return { side, server, origin }
  }
  const ours = await start('modelrest')
  const servers = [ours]
  for (const side of chosen) {
    if (side === 'modelrest' || !sides[side].databases.includes(database)) continue
    const other = await start(side)
    await assertSame(ours.origin, side, other.origin)
    servers.push(other)
  }
  const first = '/cursor/orders/?sort=customer.name&limit=20'
  const deep = await deepPage(ours.origin, first)
  const found = new Map<string, Measured[]>()
  const note = (name: string, measured: Measured): void => {
    found.set(name, [...(found.get(name) ?? []), measured])
  }
  for (let round = 0; round < rounds; round += 1) {
    const warmUp = { requests: round === 0 ? 500 : 20 }
    for (const kind of kinds) {
      for (const { side, server, origin } of turned(servers, round)) {
        const asks = dialects[side].requests[kind]
        if (asks === undefined) continue
        const order = { ...asks, origin, connections: 8, seconds }
        note(`${side} ${kind}`, await measure(server, load, order, warmUp))
      }
    }
    for (const [name, path] of Object.entries({ first, deep })) {
      const order = { ...get(path), origin: ours.origin, connections: 1, seconds }
      note(name, await measure(ours.server, load, order, { requests: 3 }))
    }
  }
  for (const { server } of [{ server: load }, ...servers]) server.disconnect()
  const at = (name: string): readonly Measured[] => found.get(name) ?? []
  report(
    `${database}: medians of ${rounds} interleaved rounds of ${seconds} s`,
    { of: (side: OrderSide, kind: Kind) => at(`${side} ${kind}`), first: at('first'), deep: at('deep') },
    servers.map(({ side }) => side),
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
