import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { ModelRest, type ModelSource } from 'modelrest/fastify'
import { pageOf } from '../page-schema.ts'
import type { Acts, New, Page, Product } from './shop.ts'

const types = {
  ...{ name: { type: 'string', maxLength: 100 }, category_id: { type: 'integer' } },
  ...{ price: { type: 'integer' }, stock: { type: 'integer' }, in_stock: { type: 'boolean' } },
} as const
const product = { type: 'object', properties: { id: { type: 'integer' }, ...types } } as const
const category = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
} as const
const whole = { type: 'object', properties: { ...product.properties, category } } as const
const change = { type: 'object', properties: types, additionalProperties: false } as const
const fresh = { ...change, required: Object.keys(types) } as const
const params = { type: 'object', properties: { id: { type: 'integer' } } } as const
const querystring = {
  type: 'object',
  properties: {
    ...{ category_id: { type: 'integer' }, in_stock: { type: 'boolean' } },
    ...{ limit: { type: 'integer', minimum: 0, maximum: 1000, default: 100 } },
    ...{ sort: { type: 'string', enum: ['price'] }, order: { type: 'string', enum: ['desc'] } },
    ...{ count: { type: 'string', enum: ['exact', 'none'], default: 'exact' } },
    include: { type: 'string', enum: ['category'] },
  },
  required: ['category_id', 'in_stock', 'sort', 'order'],
  additionalProperties: false,
} as const

interface Asked extends Page {
  readonly count: 'exact' | 'none'
  readonly include?: 'category'
}

const orNotFound = (reply: FastifyReply, row: Product | null): unknown => {
  if (row !== null) return row
  reply.code(404).type('application/problem+json')
  return { status: 404, title: 'Not found' }
}

/** The routes as one writes them by hand on Fastify, with its own validation and serialisation. */
export const byHand = (acts: Acts): FastifyInstance => {
  const app = Fastify({ ajv: { customOptions: { removeAdditional: false } } })
  app.get<{ Querystring: Asked }>(
    '/api/products/',
    { schema: { querystring, response: { 200: pageOf(whole) } } },
    async ({ query }) => {
      if (query.include !== undefined)
        return { items: await acts.withCategory(query), count: null, count_exact: false }
      if (query.count === 'none') return { items: await acts.list(query), count: null, count_exact: false }
      const [items, count] = await acts.counted(query)
      return { items, count, count_exact: true }
    },
  )
  app.get<{ Params: { readonly id: number } }>(
    '/api/products/:id',
    { schema: { params, response: { 200: product } } },
    async ({ params: { id } }, reply) => orNotFound(reply, await acts.read(id)),
  )
  app.post<{ Body: New }>(
    '/api/products/',
    { schema: { body: fresh, response: { 201: product } } },
    async ({ body }, reply) => {
      const row = await acts.create(body)
      reply.code(201).header('location', `/api/products/${row.id}`)
      return row
    },
  )
  app.patch<{ Params: { readonly id: number }; Body: Partial<New> }>(
    '/api/products/:id',
    { schema: { params, body: change, response: { 200: product } } },
    async ({ params: { id }, body }, reply) => orNotFound(reply, await acts.update(id, body)),
  )
  return app
}

/** Ours, with nothing switched off that is on by default. */
export const ours = (models: ModelSource): FastifyInstance => {
  const app = Fastify()
  app.register(async (api) => new ModelRest(api, { models, controllers: [] }).init(), { prefix: '/api' })
  return app
}
