// node bench/large-requests.ts [name]: for how long the largest requests hold the event loop, and how much memory they take, with audit. Three runs of each;
// the least of the longest turns counts, because a busy machine adds to the others.
import { startServer } from '../test/attack/body-client.ts'
import { largeReads } from '../test/attack/large-reads.ts'
import { largeWrites } from '../test/attack/large-writes.ts'
import { startPostgres } from '../test/servers/postgres.ts'

const RUNS = 3
const only = process.argv[2] ?? ''
const requests = [
  ...largeWrites.map(([name, method, path, body]) => ({ name, method, path: () => path, body })),
  ...largeReads.map(([name, path]) => ({ name, method: 'GET', path, body: () => undefined })),
]
const postgres = await startPostgres()
const rows: Record<string, object> = {}
for (const { name, method, path, body } of requests) {
  if (!name.includes(only)) continue
  const row: Record<string, unknown> = {}
  for (const [database, url] of [
    ['SQLite', ''],
    ['PostgreSQL', postgres.url],
  ] as const) {
    const server = await startServer('large-server.ts', ['drizzle', url])
    const before = await server.memory()
    const turns: number[] = []
    const statuses = new Set<number>()
    try {
      for (let run = 0; run < RUNS; run += 1) {
        await server.held()
        statuses.add((await server.send(method, path(run), body())).status)
        turns.push(await server.held())
      }
      row[database] = `${[...statuses].join()}: ${Math.round(Math.min(...turns))} ms`
      row[`${database}, MB`] = Math.round(((await server.memory()) - before) / 1e6)
    } catch {
      row[database] = 'The process ended.'
    }
    await server.stop()
  }
  console.error(name, row)
  rows[name] = row
}
console.table(rows)
await postgres.stop()
