// node bench/worst-queries.ts [name]: what the worst query of each kind costs, read alone and served, beside a plain list.
import { defineSettings, fetchApp, ModelRest, type PaginationType } from '../src/entry/fetch.ts'
import type { Model } from '../src/model/model.ts'
import { listQueryOf, parseListRequest } from '../src/query/list-query.ts'
import type { ListRules } from '../src/query/settings.ts'
import { type Opened, openPostgres, openSqlite, ROWS } from './worst-queries/databases.ts'
import { type Input, inputs } from './worst-queries/inputs.ts'

const BYTES = 8192
/** Reading is timed with so much more, too, to see how it grows. */
const GROWTH = 16
const only = process.argv[2] ?? ''
const chosen = inputs.filter(({ name }) => name.includes(only))
const plain: Input = { name: 'plain list', query: (_bytes, salt) => `offset=${salt % 100}` }
let salt = 0
const nextSalt = (): number => {
  salt += 1
  return salt
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

const rulesOf = (model: Model, paging: PaginationType, more: number): ListRules => ({
  model,
  paging: [paging],
  perPage: 20,
  maxLimit: 1000,
  secret: 'of the benchmark',
  maxQueryBytes: BYTES * more,
  maxConditions: 50 * more,
  maxContains: 10 * more,
  maxToMany: 4 * more,
  maxSorts: 8 * more,
  maxDepth: 10,
  countBound: 10_000,
  includePerRecord: 20,
  includeMaxPerRecord: 100,
  includeMaxDepth: 3,
  includeMaxRelations: 10,
  includeMaxRecords: 10_000,
  modelOf: () => model,
  relationsOf: () => new Map(),
  ...{ relatedSort: true, dateParts: true, countsDistinct: true, having: true },
})

/** Milliseconds that reading takes at least, with `more` times the bytes. */
const reading = ({ query, cursor = false }: Input, model: Model, more: number): number => {
  const rules = rulesOf(model, cursor ? 'cursor' : 'limit-offset', more)
  const times: number[] = []
  for (let run = 0; run < 40; run += 1) {
    const raw = query(BYTES * more, nextSalt())
    const start = performance.now()
    try {
      listQueryOf(parseListRequest(raw, rules), rules)
    } catch {}
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}

type Ask = (query: string) => Promise<number>

const served = async (paginationType: PaginationType, { source }: Opened): Promise<Ask> => {
  const app = fetchApp()
  const settings = defineSettings({
    SECRET_KEY: 'of the benchmark, and as long as it has to be',
    NINJA_PAGINATION_PER_PAGE: 20,
  })
  await new ModelRest(app, { models: source, paginationType, settings }).init()
  return async (query) => {
    const reply = await app.fetch(new Request(`http://localhost/records/?${query}`))
    await reply.text()
    return reply.status
  }
}

/** Milliseconds of a whole request. */
const serving = async ({ name, query, status = 200 }: Input, ask: Ask): Promise<number> => {
  const times: number[] = []
  for (let run = 0; run < 3; run += 1) {
    const raw = query(BYTES, nextSalt())
    if (Buffer.byteLength(raw) > BYTES) throw new Error(`${name} has ${Buffer.byteLength(raw)} bytes.`)
    const start = performance.now()
    const replied = await ask(raw)
    times.push(performance.now() - start)
    if (replied !== status) throw new Error(`${name} was answered with ${replied}: ${raw.slice(0, 200)}`)
  }
  return median(times)
}

const databases = { SQLite: await openSqlite(), PostgreSQL: await openPostgres() }
const asks = await Promise.all(
  Object.values(databases).map(async (opened) => ({
    byOffset: await served('limit-offset', opened),
    byCursor: await served('cursor', opened),
  })),
)
const model = databases.SQLite.source.models[0]
if (model === undefined) throw new Error('There is no model.')

const rows: Record<string, object> = {}
for (const input of [plain, plain, ...chosen]) {
  const once = reading(input, model, 1)
  const more = reading(input, model, GROWTH)
  const costs: number[] = []
  for (const { byOffset, byCursor } of asks) {
    costs.push(await serving(input, input.cursor === true ? byCursor : byOffset))
  }
  console.error(`${input.name}: ${costs.map((cost) => cost.toFixed(1)).join(' and ')} ms`)
  rows[input.name] = {
    'read, ms': Number(once.toFixed(3)),
    [`${GROWTH} times the bytes`]: Number((more / once).toFixed(1)),
    'SQLite, ms': Number(costs[0]?.toFixed(1)),
    'PostgreSQL, ms': Number(costs[1]?.toFixed(1)),
  }
}
console.log(
  `${ROWS} records, pages of 20 with exact count, ${BYTES} bytes of query, medians, reading alone the least; Node ${process.versions.node}`,
)
console.table(rows)
for (const { close } of Object.values(databases)) await close()
