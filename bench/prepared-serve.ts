// Serves one side of the comparison: node bench/prepared-serve.ts <by-hand|prepared|unprepared> <url>
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, numeric, pgTable, text } from 'drizzle-orm/pg-core'
import Fastify, { type FastifyReply } from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { defineSettings, ModelRest } from 'modelrest/fastify'
import pg from 'pg'
import { answerWithCpu, say } from './messages.ts'
import { pageOf } from './page-schema.ts'

const [side = '', url = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 10 })
pool.on('error', () => undefined)
const app = Fastify()

const products = pgTable('products', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull(),
  price: numeric({ precision: 10, scale: 2 }).notNull(),
  stock: integer().notNull().default(0),
})

const product = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    price: { type: 'string' },
    stock: { type: 'integer' },
  },
} as const

const page = pageOf(product)

const params = { type: 'object', properties: { id: { type: 'integer' } } } as const

const writable = {
  type: 'object',
  properties: { name: { type: 'string' }, price: { type: 'string' }, stock: { type: 'integer' } },
  additionalProperties: false,
} as const

interface Body {
  readonly name?: string
  readonly price?: string
  readonly stock?: number
}

const columns = 'id, name, price, stock'

const sendFirst = (reply: FastifyReply, { rows: [row] }: pg.QueryResult<object>): unknown =>
  row === undefined ? reply.code(404).send({ title: 'Not found' }) : reply.send(row)

/** The routes as one writes them with node-postgres, whose statements have no names. */
const byHand = (): void => {
  app.get<{ Querystring: { limit: number } }>(
    '/products/',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: { limit: { type: 'integer', minimum: 0, maximum: 1000 }, count: { type: 'string' } },
        },
        response: { 200: page },
      },
    },
    async (request) => {
      const text = `select ${columns} from products order by id limit $1`
      const { rows } = await pool.query<object>(text, [request.query.limit])
      return { items: rows, count: null, count_exact: false }
    },
  )
  app.get<{ Params: { id: number } }>(
    '/products/:id',
    { schema: { params, response: { 200: product } } },
    async (request, reply) =>
      sendFirst(
        reply,
        await pool.query(`select ${columns} from products where id = $1`, [request.params.id]),
      ),
  )
  app.post<{ Body: Body }>(
    '/products/',
    { schema: { body: { ...writable, required: ['name', 'price'] }, response: { 201: product } } },
    async ({ body: { name, price, stock = 0 } }, reply) => {
      const text = `insert into products (name, price, stock) values ($1, $2, $3) returning ${columns}`
      return sendFirst(reply.code(201), await pool.query(text, [name, price, stock]))
    },
  )
  app.patch<{ Params: { id: number }; Body: Body }>(
    '/products/:id',
    { schema: { params, body: writable, response: { 200: product } } },
    async ({ params: { id }, body: { name = null, price = null, stock = null } }, reply) => {
      const text = `update products set name = coalesce($1, name), price = coalesce($2, price),
        stock = coalesce($3, stock) where id = $4 returning ${columns}`
      return sendFirst(reply, await pool.query(text, [name, price, stock, id]))
    },
  )
}

if (side === 'by-hand') byHand()
else {
  const options = side === 'unprepared' ? { prepare: false } : {}
  const settings = defineSettings({ SECRET_KEY: 'of the benchmark, and as long as it has to be' })
  const models = drizzleModels(drizzle(pool), { products }, options)
  await new ModelRest(app, { models, settings }).init()
}

answerWithCpu()

say({ origin: await app.listen({ port: 0, host: '127.0.0.1' }) })
