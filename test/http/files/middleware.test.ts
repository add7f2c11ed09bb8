import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  defineSettings,
  ModelRest as FastifyModelRest,
  filesOf,
  readForm,
} from '../../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../../src/entry/fetch.ts'
import { send } from '../../../src/testing/host/http-client.ts'
import { listen } from '../../host/listen.ts'
import { contentType } from '../../upload/encode.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'
import { samples } from '../../upload/samples.ts'
import { startError } from '../start-error.ts'
import { document, filePart, form, sqliteWorld, textPart, type World } from './writing-stage.ts'

const settings = defineSettings({ MIDDLEWARE: ['ProcessPutPatchMiddleware'] })
const headers = { 'content-type': contentType }
const bytesOf = (asked: { readonly body?: unknown }): Uint8Array => asked.body as Uint8Array

describe('the setting MIDDLEWARE', () => {
  let world: World
  beforeAll(async () => {
    world = await sqliteWorld()
  })
  afterAll(() => world.close())
  const options = (more: object) => ({
    ...{ models: world.models, controllers: [], storage: memoryStorage() },
    ...more,
  })

  test.each([{ isAsync: true }, { isAsync: false }])(
    'lets own routes of Fastify read forms by PUT and PATCH beside ours, %j',
    async (mode) => {
      await world.empty()
      const app = Fastify()
      await new FastifyModelRest(app, options({ ...mode, settings })).init()
      app.put('/own/:id', { preParsing: readForm }, async ({ method, body }) => ({ method, body }))
      app.patch('/own/:id', { preParsing: readForm }, (request, reply) => {
        const files = filesOf(request).map(({ name, type, size }) => ({ name, type, size }))
        reply.send({ method: request.method, files })
      })
      const { port, stop } = await listen(app)
      const own = bytesOf(form([textPart('title', 'First'), filePart('any', samples.pdf, 'a.pdf')]))
      expect((await send(port, 'PUT', '/own/1', { body: own, headers })).json).toEqual({
        method: 'PUT',
        body: { title: 'First' },
      })
      expect((await send(port, 'PATCH', '/own/1', { body: own, headers })).json).toEqual({
        method: 'PATCH',
        files: [{ name: 'a.pdf', type: 'application/pdf', size: samples.pdf.length }],
      })
      const made = await send(port, 'POST', '/documents/', { body: bytesOf(document('One')), headers })
      const change = bytesOf(form([textPart('title', 'Two'), filePart('cover', samples.png)]))
      const changed = await send(port, 'PATCH', '/documents/1', { body: change, headers })
      expect([made.status, changed.status, changed.json['title']]).toEqual([201, 200, 'Two'])
      await stop()
    },
  )

  test('is not needed by own routes that stand beside fetch: a Request reads its form by itself', async () => {
    await world.empty()
    const app = fetchApp()
    await new FetchModelRest(app, options({ settings })).init()
    const own = async (request: Request) => [request.method, (await request.formData()).get('title')]
    const serve = (request: Request) =>
      new URL(request.url).pathname === '/own'
        ? own(request)
        : app.fetch(request).then(({ status }) => status)
    const asked = (method: string, path: string, body: Uint8Array) =>
      serve(new Request(`http://localhost${path}`, { method, headers, body: new Uint8Array(body) }))
    const body = bytesOf(document('First'))
    expect(await asked('PUT', '/own', body)).toEqual(['PUT', 'First'])
    expect(await asked('PATCH', '/own', body)).toEqual(['PATCH', 'First'])
    expect(await asked('POST', '/documents/', body)).toBe(201)
  })

  test('leaves own routes as they are where it is not given', async () => {
    const app = Fastify()
    await new FastifyModelRest(app, options({})).init()
    app.put('/own', async () => 'read')
    const { port, stop } = await listen(app)
    expect((await send(port, 'PUT', '/own', { body: 'x', headers })).status).toBe(415)
    await stop()
  })

  test('takes no other name', () => {
    expect(() => defineSettings({ MIDDLEWARE: ['PutPatch'] as never })).toThrow(
      startError('MIDDLEWARE', 'ProcessPutPatchMiddleware'),
    )
  })
})
