import Fastify, { type FastifyReply } from 'fastify'
import { pageOf } from '../page-schema.ts'
import type { Product } from '../products.ts'
import type { Open } from '../serve.ts'
import { openPostgres } from './by-hand-postgres.ts'
import { openSqlite } from './by-hand-sqlite.ts'
import type { Change, Maybe, New } from './statements.ts'

const types = {
  name: { type: 'string', maxLength: 100 },
  category: { type: 'string', maxLength: 20 },
  price: { type: 'integer' },
  stock: { type: 'integer' },
  in_stock: { type: 'boolean' },
} as const
const product = { type: 'object', properties: { id: { type: 'integer' }, ...types } } as const
const page = pageOf(product)
const change = { type: 'object', properties: types, additionalProperties: false } as const
const fresh = { ...change, required: Object.keys(types) } as const
const params = { type: 'object', properties: { id: { type: 'integer' } } } as const
const querystring = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 0, maximum: 1000, default: 100 },
    offset: { type: 'integer', minimum: 0, default: 0 },
    count: { type: 'string', enum: ['exact', 'none'], default: 'exact' },
    category: { type: 'string' },
    in_stock: { type: 'boolean' },
    sort: { type: 'string', enum: ['-price'] },
    after: { type: 'integer' },
  },
  dependencies: { category: ['in_stock', 'sort', 'count'], after: ['count'] },
  additionalProperties: false,
} as const

interface ListQuery {
  readonly limit: number
  readonly offset: number
  readonly count: 'exact' | 'none'
  readonly category?: string
  readonly in_stock?: boolean
  readonly after?: number
}

const then = <T, R>(value: Maybe<T>, map: (value: T) => R): Maybe<R> =>
  value instanceof Promise ? value.then(map) : map(value)

const notFound = { status: 404, title: 'Not found' } as const
const orNotFound =
  (reply: FastifyReply) =>
  (row: Product | undefined): Product | typeof notFound => {
    if (row !== undefined) return row
    reply.code(404).type('application/problem+json')
    return notFound
  }

/**
 * The routes as one writes them by hand: prepared statements of the driver, Fastify's own validation and serialisation,
 * nothing in between.
 */
export const open: Open = async (database, location) => {
  const statements = database === 'sqlite' ? openSqlite(location) : openPostgres(location)
  const app = Fastify({ ajv: { customOptions: { removeAdditional: false } } })
  app.addHook('onClose', async () => {
    await statements.close()
  })

  app.get<{ Querystring: ListQuery }>(
    '/api/products/',
    { schema: { querystring, response: { 200: page } } },
    ({ query: { limit, offset, count, category, in_stock = true, after = 0 } }) => {
      const items =
        category === undefined
          ? statements.list(after, limit, offset)
          : statements.filtered(category, in_stock, limit, offset)
      const without = { count: null, count_exact: false }
      if (count === 'none') return then(items, (rows) => ({ items: rows, ...without }))
      const counted = (rows: readonly Product[], total: number) => ({
        items: rows,
        count: total,
        count_exact: true,
      })
      const total = statements.count()
      if (items instanceof Promise || total instanceof Promise)
        return Promise.all([items, total]).then(([rows, n]) => counted(rows, n))
      return counted(items, total)
    },
  )

  app.get<{ Params: { readonly id: number } }>(
    '/api/products/:id',
    { schema: { params, response: { 200: product } } },
    (request, reply) => then(statements.read(request.params.id), orNotFound(reply)),
  )

  app.post<{ Body: New }>(
    '/api/products/',
    { schema: { body: fresh, response: { 201: product } } },
    (request, reply) =>
      then(statements.create(request.body), (row) => {
        reply.code(201).header('location', `/api/products/${row.id}`)
        return row
      }),
  )

  app.patch<{ Params: { readonly id: number }; Body: Change }>(
    '/api/products/:id',
    { schema: { params, body: change, response: { 200: product } } },
    (request, reply) => then(statements.update(request.params.id, request.body), orNotFound(reply)),
  )

  return { origin: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
}
