import Fastify, { type FastifyInstance } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { ModelRest } from '../../src/entry/fastify.ts'
import { openModels } from './service.ts'

const serve = async (declare: (app: FastifyInstance) => void) => {
  const { models, close } = openModels()
  onTestFinished(close)
  const app = Fastify()
  onTestFinished(() => app.close())
  const auth = { authenticate: () => null }
  const rest = new ModelRest(app, { models, controllers: [], auth } as never)
  declare(app)
  await rest.init()
  await app.ready()
  return { app, document: rest.openapi() }
}

/** The types of Fastify know these keywords only with @fastify/swagger. */
const described = (schema: object) => ({ schema })

const handler = async () => ({ id: 1, name: 'Lamp', more: true })

it('tags and security of own routes are in the document, as far as their schemes are', async () => {
  const { document } = await serve((app) => {
    app.get('/a', described({ tags: ['Reports', 'Product'], security: [{ caller: [] }] }), handler)
    app.get('/b', described({ security: [{ other: [] }] }), handler)
    app.get('/c', described({ security: [] }), handler)
    app.get('/d', described({ security: [{ other: [] }, { caller: [] }] }), handler)
    app.get('/e', described({ security: [{ other: [] }, {}] }), handler)
    app.get('/f', described({ security: [{ caller: [] }, {}] }), handler)
  })
  const shown = (path: string) => document.paths[path]?.get
  expect(shown('/a')).toMatchObject({ tags: ['Reports', 'Product'], security: [{ caller: [] }] })
  expect(shown('/b')).toMatchObject({ tags: ['other'] })
  for (const path of ['/b', '/e']) expect(shown(path)).not.toHaveProperty('security')
  expect(shown('/c')).toMatchObject({ security: [] })
  expect(shown('/d')).toMatchObject({ security: [{ caller: [] }] })
  expect(shown('/f')).toMatchObject({ security: [{ caller: [] }, {}] })
  expect(document.tags.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Reports', 'Product', 'other']),
  )
})

it('responses of own routes may refer to the schemas of the document', async () => {
  const response = { 200: { $ref: 'modelrest:ProductDetail#' }, 409: { $ref: 'modelrest:Problem#' } }
  const { app, document } = await serve((own) => void own.get('/cheapest', { schema: { response } }, handler))
  expect((await app.inject('/cheapest')).json()).toEqual(await handler())
  expect(document.paths['/cheapest']?.get).toMatchObject({
    responses: {
      200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ProductDetail' } } } },
      409: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } },
    },
  })
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['ProductDetail', 'Problem']),
  )
})
