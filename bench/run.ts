// npm run bench [-- --seconds 8 --rounds 5 --on sqlite --only get --sides modelrest,by-hand]: modelrest beside hand-written
// routes, and beside the peers that `npm run bench:peers` has installed. A run of everything writes
// docs/benchmarks.md, which a loaded machine is refused.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { assertQuiet, told, usedPart } from './besides.ts'
import { chart } from './chart.ts'
import { type DatabaseName, databases, type Filled } from './databases.ts'
import { dialects, type Kind, kinds, type Side } from './dialects.ts'
import { canPin, measure, memoryOf, onCore, turned } from './measure.ts'
import { type FromServer, nextMessage } from './messages.ts'
import { type OrderSide, dialects as orderDialects } from './relations-dialects.ts'
import { compareRelations, type Found } from './relations-run.ts'
import { report, type Setup } from './report.ts'
import { type AtRest, cell, type Sample } from './results.ts'
import { assertSame } from './same.ts'
import { installed, moduleOf, sides } from './sides.ts'
import { kinds as ormKinds } from './sources-requests.ts'
import { compareSources, type OrmFound, orms } from './sources-run.ts'

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '5' },
    on: { type: 'string' },
    only: { type: 'string' },
    sides: { type: 'string' },
  },
})
const seconds = Number(flags.seconds)
const rounds = Number(flags.rounds)
const CONNECTIONS = 32
/** Enough for the compiler to be done with what is hot. */
const warmUp = { seconds: Math.max(1, seconds / 2) }
process.env['NODE_ENV'] = 'production'

const names = Object.keys(sides) as Side[]
const asked = flags.sides?.split(',') ?? names
const chosen = installed(
  names.filter((side) => asked.includes(side)),
  'products',
)
const isWhole = flags.on === undefined && flags.only === undefined && chosen.length === names.length
const used = await usedPart()
console.log(told(used))
if (isWhole) assertQuiet(used)

/** What is slow comes when the code that it shares is compiled, and what makes the table larger comes last. */
const ordered: readonly Kind[] = [
  'list without count',
  'filtered and sorted list',
  'get by id',
  'list with exact count',
  'update',
  'create',
]

const isAsked = (kind: Kind): boolean => kind.startsWith(flags.only ?? '')

const samples: Sample[] = []
const atRest: AtRest[] = []

const start = async (database: DatabaseName, side: Side, filled: Filled) => {
  const server = onCore(0, 'serve.ts', moduleOf(side, 'products'), database, await filled.copy(side))
  const { origin = '' } = await nextMessage<FromServer>(server)
  await assertSame(sides[side].title, origin, dialects[side])
  return { side, server, origin }
}

const round = async (database: DatabaseName, filled: Filled, number: number): Promise<void> => {
  const load = onCore(1, 'load.ts')
  const here = chosen.filter((side) => sides[side].databases.includes(database))
  const servers: Awaited<ReturnType<typeof start>>[] = []
  for (const side of turned(here, number)) servers.push(await start(database, side, filled))
  for (const kind of ordered.filter(isAsked)) {
    for (const { side, server, origin } of servers) {
      const asks = dialects[side].requests[kind]
      if (asks === undefined) continue
      const order = { ...asks, origin, connections: CONNECTIONS, seconds }
      samples.push({ database, side, kind, ...(await measure(server, load, order, warmUp)) })
    }
  }
  for (const { side, server } of servers) {
    atRest.push({ database, side, rss: await memoryOf(server) })
    server.disconnect()
  }
  load.disconnect()
}

const print = (database: DatabaseName): void => {
  const rows = kinds.filter(isAsked).map((kind) => {
    const shown = chosen.map((side) => {
      const found = cell({ samples, atRest }, { database, side, kind }, 'perSecond')
      return [sides[side].title, found === undefined ? '–' : Math.round(found.median)] as const
    })
    return [kind, Object.fromEntries(shown)] as const
  })
  console.log(`\n${database}: requests/s, medians of ${rounds} rounds`)
  console.table(Object.fromEntries(rows))
}

const versions: Partial<Record<DatabaseName, string>> = {}
for (const [name, prepare] of Object.entries(databases)) {
  const database = name as DatabaseName
  if (flags.on !== undefined && flags.on !== database) continue
  const filled = await prepare()
  versions[database] = filled.version
  try {
    for (let number = 0; number < rounds; number += 1) {
      console.log(`${database}, round ${number + 1} of ${rounds}: ${new Date().toISOString()}`)
      await round(database, filled, number)
    }
  } finally {
    await filled.close()
  }
  print(database)
}

if (isWhole) {
  const setup: Setup = { sides: chosen, seconds, rounds, connections: CONNECTIONS, canPin, versions }
  const more = { relations: [] as Found[], sources: [] as OrmFound[] }
  const orders = Object.keys(orderDialects) as OrderSide[]
  for (const database of Object.keys(databases) as DatabaseName[]) {
    console.log(`${database}, included records and ORMs: ${new Date().toISOString()}`)
    const measured = { rounds, seconds }
    more.relations.push(
      await compareRelations[database]({ chosen: installed(orders, 'orders'), ...measured }),
    )
    more.sources.push(...(await compareSources(database, { orms, kinds: ormKinds, ...measured })))
  }
  writeFileSync('docs/benchmarks.md', report({ samples, atRest }, setup, more))
  writeFileSync('docs/pictures/benchmarks.svg', chart({ samples, atRest }, chosen))
}
