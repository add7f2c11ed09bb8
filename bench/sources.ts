// npm run build && node bench/sources.ts [--quick] [--orms prisma,typeorm] [--on sqlite,postgres] [--only list]: the source of each
// ORM beside the same routes written by hand with that ORM on Fastify, by CPU time of the server and by requests in a second.
import { parseArgs } from 'node:util'
import { canPin, type Measured, median } from './measure.ts'
import type { Database } from './sources/shop.ts'
import { kinds } from './sources-requests.ts'
import { CONNECTIONS, compareSources, orms, type Samples } from './sources-run.ts'

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    orms: { type: 'string', default: orms.join() },
    on: { type: 'string', default: 'sqlite,postgres' },
    only: { type: 'string', default: '' },
  },
})
const [rounds, seconds] = flags.quick ? [3, 1] : [7, 3]
process.env['NODE_ENV'] = 'production'

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
  `Medians of ${rounds} interleaved rounds of ${seconds} s with ${CONNECTIONS} connections, ` +
    `${canPin ? 'server on core 0, load and PostgreSQL on core 1' : 'processes NOT pinned to cores'}, Node ${process.versions.node}`,
)
const run = {
  ...{ orms: flags.orms.split(','), rounds, seconds },
  kinds: kinds.filter((kind) => kind.startsWith(flags.only)),
}
for (const database of ['sqlite', 'postgres'] satisfies Database[])
  if (flags.on.split(',').includes(database))
    await compareSources(database, run, ({ orm, samples }) => {
      console.log(`\n${orm} on ${database}`)
      console.table(Object.fromEntries([...samples].map(([kind, found]) => [kind, rowOf(found)])))
    })
