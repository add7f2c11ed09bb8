import Database from 'better-sqlite3'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'

interface Stored {
  readonly id: number
  readonly name: string
  readonly price: number
  readonly in_stock: number
}

interface Body {
  readonly name?: string
  readonly price?: string
  readonly in_stock?: boolean
}

const product = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    price: { type: 'string' },
    in_stock: { type: 'boolean' },
  },
} as const

const page = {
  type: 'object',
  properties: {
    items: { type: 'array', items: product },
    count: { type: 'integer', nullable: true },
    count_exact: { type: 'boolean' },
  },
} as const

const writable = {
  name: { type: 'string', maxLength: 100 },
  price: { type: 'string', pattern: '^-?\\d{1,8}(\\.\\d{1,2})?$' },
  in_stock: { type: 'boolean' },
} as const

const body = { type: 'object', properties: writable, additionalProperties: false } as const
const idParameter = { type: 'object', properties: { id: { type: 'integer' } } } as const
const listQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 0, maximum: 1000, default: 100 },
    offset: { type: 'integer', minimum: 0, default: 0 },
    count: { type: 'string', enum: ['exact', 'none'], default: 'exact' },
  },
  additionalProperties: false,
} as const

interface ListQuery {
  readonly limit: number
  readonly offset: number
  readonly count: 'exact' | 'none'
}

const shown = ({ id, name, price, in_stock }: Stored) => ({
  id,
  name,
  price: (price / 100).toFixed(2),
  in_stock: in_stock === 1,
})

const cents = (price: string): number => Math.round(Number(price) * 100)
const orNull = <T, R>(value: T | undefined, map: (value: T) => R): R | null =>
  value === undefined ? null : map(value)

const notFound = (reply: FastifyReply): unknown =>
  reply.code(404).type('application/problem+json').send({ status: 404, title: 'Not found' })

/**
 * The Product routes of the shop as one writes them by hand: prepared statements of better-sqlite3, Fastify's own
 * validation and serialisation, nothing in between.
 */
export const buildByHand = (file: string): FastifyInstance => {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.pragma('foreign_keys = ON')
  const columns = 'id, name, price, in_stock'
  const list = db.prepare<[number, number], Stored>(
    `select ${columns} from products order by id limit ? offset ?`,
  )
  const count = db.prepare<[], number>('select count(*) from products').pluck()
  const read = db.prepare<[number], Stored>(`select ${columns} from products where id = ?`)
  const create = db.prepare<[string, number, number], Stored>(
    `insert into products (name, price, in_stock) values (?, ?, ?) returning ${columns}`,
  )
  const update = db.prepare<[string | null, number | null, number | null, number], Stored>(
    `update products set name = coalesce(?, name), price = coalesce(?, price), in_stock = coalesce(?, in_stock)
     where id = ? returning ${columns}`,
  )

  const app = Fastify({ logger: false, ajv: { customOptions: { removeAdditional: false } } })
  app.addHook('onClose', async () => {
    db.close()
  })

  app.get<{ Querystring: ListQuery }>(
    '/api/products/',
    { schema: { querystring: listQuery, response: { 200: page } } },
    (request, reply) => {
      const { limit, offset, count: asked } = request.query
      const items = list.all(limit, offset).map(shown)
      const total = asked === 'none' ? null : (count.get() ?? 0)
      reply.send({ items, count: total, count_exact: total !== null })
    },
  )

  app.get<{ Params: { readonly id: number } }>(
    '/api/products/:id',
    { schema: { params: idParameter, response: { 200: product } } },
    (request, reply) => {
      const row = read.get(request.params.id)
      if (row === undefined) notFound(reply)
      else reply.send(shown(row))
    },
  )

  app.post<{ Body: Required<Pick<Body, 'name' | 'price'>> & Body }>(
    '/api/products/',
    { schema: { body: { ...body, required: ['name', 'price'] }, response: { 201: product } } },
    (request, reply) => {
      const { name, price, in_stock = true } = request.body
      const row = create.get(name, cents(price), in_stock ? 1 : 0)
      if (row === undefined) throw new Error('The insert returned nothing.')
      reply.code(201).header('location', `/api/products/${row.id}`).send(shown(row))
    },
  )

  app.patch<{ Params: { readonly id: number }; Body: Body }>(
    '/api/products/:id',
    { schema: { params: idParameter, body, response: { 200: product } } },
    (request, reply) => {
      const { name, price, in_stock } = request.body
      const row = update.get(
        name ?? null,
        orNull(price, cents),
        orNull(in_stock, (value) => (value ? 1 : 0)),
        request.params.id,
      )
      if (row === undefined) notFound(reply)
      else reply.send(shown(row))
    },
  )

  return app
}
