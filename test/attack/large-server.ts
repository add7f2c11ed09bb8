// Serves records with large texts and JSON, which anybody may read and write: fork(large-server.ts, [ORM, PostgreSQL's URL or '' for SQLite, paginationType]).
// It sends its port, and for each message what it has used, and for how many milliseconds its event loop was held at most.

import { onFetchBehindNode } from '../stage/apps.ts'
import { type LargeSource, openLarge } from './large-tables.ts'
import { peakMemory } from './peak-memory.ts'

const [, , orm = 'drizzle', url = '', paginationType = 'limit-offset'] = process.argv
const shown = { public: true } as const
const { port, stop } = await onFetchBehindNode(
  {
    models: await openLarge(orm as LargeSource, url),
    audit: true,
    paginationType,
    modelConfig: {
      ...{ Item: { ...shown, bulk: true }, Text: shown, Note: shown, Cell: shown, Large: shown, Area: shown },
      Parent: { ...shown, write: ['items'] },
    },
    // How long a transaction takes depends on the machine.
    settings: { WRITE_MAX_CHILDREN: 1000, TRANSACTION_TIMEOUT: 100 },
  } as never,
  { base: '', listening: true, logger: 'error' },
)
let held = 0
let last = performance.now()
setInterval(() => {
  const now = performance.now()
  held = Math.max(held, now - last - 1)
  last = now
}, 1)
process.on('message', (asked) => {
  // The timer may be late as well.
  held = Math.max(held, performance.now() - last - 1)
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system, memory: peakMemory(), held })
  if (asked === 'held') held = 0
})
process.on('disconnect', () => void stop().then(() => process.exit(0)))
process.send?.(port)
