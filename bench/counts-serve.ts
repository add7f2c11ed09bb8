// Serves one side of the comparison: node bench/counts-serve.ts <ours|by-hand> <postgres|sqlite> <database>
import { count, ilike, like, type SQL } from 'drizzle-orm'
import Fastify, { type FastifyInstance } from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { ModelRest, type ModelSource } from 'modelrest/fastify'
import { openPostgres, openSqlite, tables } from './counts-databases.ts'
import { answerWithCpu, say } from './messages.ts'

interface ListQuery {
  readonly limit: number
  /** `name=<text>` or nothing. */
  readonly q?: string
}

const querystring = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 0, maximum: 1000 },
    q: { type: 'string' },
    count: { type: 'string' },
  },
  required: ['limit'],
  additionalProperties: false,
} as const

const page = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          name: { type: 'string' },
          stock: { type: 'integer' },
          in_stock: { type: 'boolean' },
        },
      },
    },
    count: { type: ['integer', 'null'] },
    count_exact: { type: 'boolean' },
  },
} as const

const pattern = (q: string): string => `%${q.slice('name='.length)}%`

/** A page and its count, as one writes them with drizzle: two statements, begun together. */
const lists = {
  postgres: (url: string) => {
    const db = openPostgres(url)
    const table = tables.postgres
    const where = (q: string | undefined): SQL | undefined =>
      q === undefined ? undefined : ilike(table.name, pattern(q))
    return {
      page: (limit: number, q?: string) =>
        db.select().from(table).where(where(q)).orderBy(table.id).limit(limit),
      count: (q?: string) => db.select({ count: count() }).from(table).where(where(q)),
    }
  },
  sqlite: (file: string) => {
    const db = openSqlite(file)
    const table = tables.sqlite
    const where = (q: string | undefined): SQL | undefined =>
      q === undefined ? undefined : like(table.name, pattern(q))
    return {
      page: async (limit: number, q?: string) =>
        db.select().from(table).where(where(q)).orderBy(table.id).limit(limit).all(),
      count: async (q?: string) => db.select({ count: count() }).from(table).where(where(q)).all(),
    }
  },
} as const

type Kind = keyof typeof lists

const byHand = (kind: Kind, database: string): FastifyInstance => {
  const app = Fastify()
  const list = lists[kind](database)
  app.get<{ Querystring: ListQuery & { count?: string } }>(
    '/api/products/',
    { schema: { querystring, response: { 200: page } } },
    async ({ query: { limit, q, count: asked } }) => {
      if (asked === 'none') return { items: await list.page(limit, q), count: null, count_exact: false }
      const [items, [counted]] = await Promise.all([list.page(limit, q), list.count(q)])
      return { items, count: counted?.count ?? 0, count_exact: true }
    },
  )
  return app
}

const ours = (kind: Kind, database: string): FastifyInstance => {
  const models: ModelSource =
    kind === 'postgres'
      ? drizzleModels(openPostgres(database), { products: tables.postgres })
      : drizzleModels(openSqlite(database), { products: tables.sqlite })
  const app = Fastify()
  app.register(async (api) => new ModelRest(api, { models }).init(), { prefix: '/api' })
  return app
}

const [side = '', kind = '', database = ''] = process.argv.slice(2)
const app = (side === 'ours' ? ours : byHand)(kind === 'postgres' ? 'postgres' : 'sqlite', database)

answerWithCpu()

say({ origin: await app.listen({ port: 0, host: '127.0.0.1' }) })
