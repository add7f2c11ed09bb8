// npm run build && node bench/relations.ts [--rounds 5] [--seconds 2] [--on sqlite] [--peers zenstack,dataui|none]: related
// records among 100,000 orders and a million items, beside the same by hand and beside the peers that `npm run bench:peers` has
// installed. The ratios are medians of interleaved rounds; those beside the same by hand, of the CPU time of the server too.
import { parseArgs } from 'node:util'
import type { DatabaseName } from './databases.ts'
import { dialects, type OrderSide } from './relations-dialects.ts'
import { report } from './relations-report.ts'
import { compareRelations } from './relations-run.ts'
import { installed, isOwn } from './sides.ts'

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

for (const name of Object.keys(compareRelations) as DatabaseName[]) {
  if (flags.on !== undefined && flags.on !== name) continue
  const found = await compareRelations[name]({ chosen, rounds, seconds })
  report(`${name}: medians of ${rounds} interleaved rounds of ${seconds} s`, found)
}
