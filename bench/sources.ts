// npm run build && node bench/sources.ts [--quick] [--orms prisma,typeorm] [--on sqlite,postgres] [--only list]: the source of each
// ORM beside the same routes written by hand with that ORM on Fastify, by CPU time of the server and by requests in a second.
import { copyFileSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import pg from 'pg'
import { startPostgres } from '../test/servers/postgres.ts'
import { canPin, type Measured, measure, median, onCore, pinTo, turned } from './measure.ts'
import { type FromServer, nextMessage } from './messages.ts'
import { type Database as DatabaseName, statements } from './sources/shop.ts'
import { assertSame, type Kind, kinds, requests } from './sources-requests.ts'

const all = globSync('*.ts', { cwd: join(import.meta.dirname, 'sources') })
  .map((file) => file.replace('.ts', ''))
  .filter((name) => name !== 'routes' && name !== 'shop')

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    orms: { type: 'string', default: all.join() },
    on: { type: 'string', default: 'sqlite,postgres' },
    only: { type: 'string', default: '' },
  },
})
const ROUNDS = flags.quick ? 3 : 7
const SECONDS = flags.quick ? 1 : 3
const CONNECTIONS = 32
process.env['NODE_ENV'] = 'production'

const orms = flags.orms.split(',')
const sides = ['ours', 'by-hand'] as const
const asked = kinds.filter((kind) => kind.startsWith(flags.only))

/** Where a new copy of the filled tables is. */
type Copy = (name: string) => Promise<string>

const onSqlite = async (run: (copy: Copy) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-bench-'))
  try {
    const client = new Database(join(folder, 'filled.db'))
    for (const statement of statements.sqlite) client.exec(statement)
    client.close()
    await run(async (name) => {
      copyFileSync(join(folder, 'filled.db'), join(folder, `${name}.db`))
      return join(folder, `${name}.db`)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const onPostgres = async (run: (copy: Copy) => Promise<void>): Promise<void> => {
  const server = await startPostgres()
  pinTo(1, server.pid)
  const at = (database: string): string => Object.assign(new URL(server.url), { pathname: database }).href
  const execute = async (url: string, all: readonly string[]): Promise<void> => {
    const client = new pg.Client(url)
    await client.connect()
    for (const statement of all) await client.query(statement)
    await client.end()
  }
  try {
    await execute(server.url, ['create database filled'])
    await execute(at('filled'), statements.postgres)
    await run(async (name) => {
      const database = name.replaceAll('-', '_')
      await execute(server.url, [`create database ${database} template filled`])
      return at(database)
    })
  } finally {
    await server.stop()
  }
}

/** Of one kind of request to one ORM: a value of each side in each round. */
type Samples = Readonly<Record<(typeof sides)[number], Measured[]>>

const compare = async (orm: string, database: DatabaseName, copy: Copy): Promise<void> => {
  const load = onCore(1, 'load.ts')
  const servers = []
  try {
    for (const side of sides) {
      const server = onCore(0, 'sources-serve.ts', orm, side, database, await copy(`${orm}-${side}`))
      const { origin = '' } = await nextMessage<FromServer>(server)
      servers.push({ side, server, origin })
      await assertSame(`${orm} on ${database}, ${side}`, origin)
    }
    const samples = new Map<Kind, Samples>(asked.map((kind) => [kind, { ours: [], 'by-hand': [] }]))
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [kind, found] of samples)
        for (const { side, server, origin } of turned(servers, round)) {
          const order = { ...requests[kind], origin, connections: CONNECTIONS, seconds: SECONDS }
          const warmUp = { seconds: round === 0 ? SECONDS : 1 }
          found[side].push(await measure(server, load, order, warmUp))
        }
    console.log(`\n${orm} on ${database}`)
    console.table(Object.fromEntries([...samples].map(([kind, found]) => [kind, rowOf(found)])))
  } finally {
    for (const child of [load, ...servers.map(({ server }) => server)]) child.disconnect()
  }
}

/** Ratios are medians of the ratios within a round. More is better for ours. */
const rowOf = ({ ours, 'by-hand': byHand }: Samples): object => {
  const middle = (values: readonly Measured[], of: 'microseconds' | 'perSecond'): number =>
    Math.round(median(values.map((value) => value[of])))
  const ratio = (of: (mine: Measured, other: Measured) => number): string =>
    median(ours.map((mine, round) => of(mine, byHand[round] as Measured))).toFixed(2)
  return {
    'ours, µs CPU': middle(ours, 'microseconds'),
    'by hand, µs CPU': middle(byHand, 'microseconds'),
    'CPU, by hand / ours': ratio((mine, other) => other.microseconds / mine.microseconds),
    'ours, requests/s': middle(ours, 'perSecond'),
    'requests/s, ours / by hand': ratio((mine, other) => mine.perSecond / other.perSecond),
  }
}

console.log(
  `Medians of ${ROUNDS} interleaved rounds of ${SECONDS} s with ${CONNECTIONS} connections, ` +
    `${canPin ? 'server on core 0, load and PostgreSQL on core 1' : 'processes NOT pinned to cores'}, Node ${process.versions.node}`,
)
const runs = { sqlite: onSqlite, postgres: onPostgres } as const
for (const [database, run] of Object.entries(runs))
  if (flags.on.split(',').includes(database))
    await run(async (copy) => {
      for (const orm of orms) await compare(orm, database as DatabaseName, copy)
    })
