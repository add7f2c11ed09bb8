import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { resolveSettings } from '../../../src/app/options.ts'
import { filesOf, readForm } from '../../../src/entry/fastify.ts'
import { fastifyHost } from '../../../src/host/fastify/index.ts'
import { serveWith } from '../../../src/host/serve.ts'
import { pullBody, runAsync } from '../../../src/operation/steps.ts'
import { leave, send } from '../../../src/testing/host/http-client.ts'
import { operation } from '../../../src/testing/host/operations.ts'
import type { FormFile } from '../../../src/upload/form.ts'
import { naming } from '../../naming.ts'
import { contentType, encode } from '../../upload/encode.ts'
import { samples } from '../../upload/samples.ts'
import { listen } from '../listen.ts'

const form = encode([
  { name: 'title', content: Buffer.from('First') },
  { name: 'tag', content: Buffer.from('a') },
  { name: 'tag', content: Buffer.from('b') },
  { name: 'cover', content: samples.png, fileName: '../cover.png', type: 'text/html' },
])

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const bounds = (settings = {}) => resolveSettings(settings)

/** The first line of the response to a request that is not complete. */
const firstLine = async (port: number, sent: Uint8Array): Promise<string | undefined> => {
  const socket = connect(port, '127.0.0.1')
  socket.write(sent)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return chunk.toString('latin1').split('\r\n')[0]
}

/** What a handler sees. */
const told = async (request: FastifyRequest) => ({
  method: request.method,
  body: request.body,
  files: await Promise.all(
    filesOf(request).map(async (file) => ({
      ...{ field: file.field, name: file.name, type: file.type, size: file.size },
      bytes: (await text(file.stream().setEncoding('latin1'))).length,
    })),
  ),
})

const serving = async (routes: (app: FastifyInstance) => unknown, settings = {}) => {
  const app = Fastify()
  await fastifyHost.attach(app).readForms(bounds(settings))
  await routes(app)
  const { port, stop } = await listen(app)
  stops.push(stop)
  return { app, port }
}

const sendForm = (port: number, method: string, path = '/own', body: Uint8Array = form) =>
  send(port, method, path, { body, headers: { 'content-type': contentType } })

const stateOf = (file: FormFile | undefined): string => {
  try {
    return file === undefined ? 'never there' : String(file.stream().destroy().destroyed)
  } catch (error) {
    return String((error as Error).message)
  }
}

const seen = {
  body: { title: 'First', tag: ['a', 'b'] },
  files: [
    {
      ...{ field: 'cover', name: 'cover.png', type: 'image/png' },
      ...{ size: samples.png.length, bytes: samples.png.length },
    },
  ],
}

describe('a form to a route of the application', () => {
  it.each(['PUT', 'PATCH', 'POST'])('by %s is read, and its handler sees the method', async (method) => {
    const { port } = await serving((app) =>
      app.route({ method, url: '/own', preParsing: readForm, handler: told }),
    )
    const reply = await sendForm(port, method)
    expect([reply.status, reply.json]).toEqual([200, { method, ...seen }])
  })

  it('is read for a synchronous handler as well', async () => {
    const { port } = await serving((app) =>
      app.put('/own', { preParsing: readForm }, (request, reply) => {
        reply.send({ method: request.method, body: request.body, files: filesOf(request).length })
      }),
    )
    expect((await sendForm(port, 'PUT')).json).toEqual({ method: 'PUT', body: seen.body, files: 1 })
  })

  it('is read for routes of plugins that come later', async () => {
    const { port } = await serving((app) =>
      app.register(async (inner) => void inner.patch('/own', { preParsing: readForm }, told), {
        prefix: '/inner',
      }),
    )
    expect((await sendForm(port, 'PATCH', '/inner/own')).json).toEqual({ method: 'PATCH', ...seen })
  })

  it('has files that are gone once it is answered, and leaves none', async () => {
    let kept: FormFile | undefined
    const { port } = await serving((app) =>
      app.put('/own', { preParsing: readForm }, async (request) => {
        kept = filesOf(request)[0]
        return { left: (await readdir(tmpdir())).filter((name) => name.startsWith('modelrest-form-')) }
      }),
    )
    expect((await sendForm(port, 'PUT')).json).toEqual({ left: [] })
    await expect.poll(() => stateOf(kept)).toMatch(naming('cover'))
  })

  it('fails as the application answers failures, with its own method', async () => {
    const methods: string[] = []
    const { port } = await serving(
      (app) => {
        app.setErrorHandler((error: Error, request, reply) => {
          methods.push(request.method)
          reply
            .code((error as { status?: number }).status ?? 500)
            .send({ own: (error as { code?: string }).code })
        })
        app.put('/own', { preParsing: readForm }, told)
        app.patch('/own', { preParsing: readForm }, told)
      },
      { UPLOAD_FILE_LIMIT: 10 },
    )
    const broken = await sendForm(port, 'PUT', '/own', form.subarray(0, 100))
    expect([broken.status, broken.json['own']]).toEqual([400, 'malformed_multipart'])
    const large = await sendForm(port, 'PATCH', '/own', Buffer.concat([form, Buffer.alloc(5_000_000)]))
    expect([large.status, methods]).toEqual([413, ['PUT', 'PATCH']])
  })

  it('whose client has gone leaves the server as it was', async () => {
    const { port } = await serving((app) => app.put('/own', { preParsing: readForm }, told))
    const head = `PUT /own HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\nContent-Length: ${form.length}\r\n\r\n`
    await leave(port, head + form.subarray(0, 200).toString('latin1'))
    expect((await sendForm(port, 'PUT')).status).toBe(200)
  })

  it('is left to operations of ours, under its own method', async () => {
    const app = Fastify()
    const host = fastifyHost.attach(app)
    await host.readForms(bounds())
    const schema = { name: 'Any', schema: {} }
    const body = { mediaTypes: [], required: true, schema, limit: 10_000, timeout: 30_000 }
    const put = operation(
      'PUT',
      '/items/{id}',
      function* (call) {
        const { length } = yield* pullBody()
        return { status: 200, headers: {}, body: JSON.stringify([call.method, length]) }
      },
      { body },
    )
    await host.mount([put], serveWith(runAsync))
    const { port, stop } = await listen(app)
    stops.push(stop)
    expect((await sendForm(port, 'PUT', '/items/7')).text).toBe(`["PUT",${form.length}]`)
    expect((await sendForm(port, 'PUT', '/items/7/')).text).toBe(`["PUT",${form.length}]`)
    const refused = await sendForm(port, 'PATCH', '/items/7')
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'PUT'])
  })

  it.each(['PUT', 'PATCH', 'POST'])(
    'by %s is a 415 and not read for a route that does not ask for it',
    async (method) => {
      let calls = 0
      const { port } = await serving((app) =>
        app.route({ method, url: '/own', handler: async () => (calls += 1) }),
      )
      // The form never ends: whoever reads it waits for ever.
      const head = `${method} /own HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\nContent-Length: 100000000\r\n\r\n`
      const first = await firstLine(port, Buffer.concat([Buffer.from(head), form.subarray(0, 200)]))
      expect([first, calls]).toEqual(['HTTP/1.1 415 Unsupported Media Type', 0])
    },
  )

  it('is a 404 where the application has no route', async () => {
    const { port } = await serving((app) => app.put('/own', { preParsing: readForm }, told))
    expect((await sendForm(port, 'POST', '/nothing')).status).toBe(404)
    expect((await sendForm(port, 'POST', '/own')).status).toBe(404)
  })

  it('is not read for a caller whom onRequest refuses', async () => {
    const { port } = await serving((app) => {
      app.addHook('onRequest', async (_request, reply) => reply.code(401).send({}))
      app.put('/own', { preParsing: readForm }, told)
    })
    const head = `PUT /own HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\nContent-Length: 100000000\r\n\r\n`
    expect(await firstLine(port, Buffer.from(head))).toBe('HTTP/1.1 401 Unauthorized')
  })

  it('other bodies are none of its business', async () => {
    const { port } = await serving((app) => app.put('/own', { preParsing: readForm }, told))
    const headers = { 'content-type': 'application/json' }
    const reply = await send(port, 'PUT', '/own', { body: '{"a":1}', headers })
    expect(reply.json).toEqual({ method: 'PUT', body: { a: 1 }, files: [] })
  })
})

describe('an application that reads forms by itself', () => {
  it.each(['before', 'after'])('reads them as those of POST, declared %s', async (when) => {
    const methods: string[] = []
    const own = (app: FastifyInstance) =>
      app.addContentTypeParser('multipart/form-data', (request, payload, done) => {
        methods.push(request.method)
        payload.resume().on('end', () => done(null, 'own'))
      })
    const app = Fastify()
    if (when === 'before') own(app)
    await fastifyHost.attach(app).readForms(bounds())
    if (when === 'after') own(app)
    app.put('/own', told)
    const { port, stop } = await listen(app)
    stops.push(stop)
    expect((await sendForm(port, 'PUT')).json).toEqual({ method: 'PUT', body: 'own', files: [] })
    expect(methods).toEqual(['POST'])
  })

  it('gets the method back where its own reading fails', async () => {
    const methods: string[] = []
    const { port } = await serving((app) => {
      app.addContentTypeParser('multipart/form-data', async () => {
        throw new Error('No.')
      })
      app.setErrorHandler((_error, request, reply) => {
        methods.push(request.method)
        reply.code(400).send({})
      })
      app.patch('/own', told)
    })
    expect([(await sendForm(port, 'PATCH')).status, methods]).toEqual([400, ['PATCH']])
  })

  it('may do so with @fastify/multipart', async () => {
    const { port } = await serving(async (app) => {
      await app.register(multipart)
      app.put('/own', async (request) => {
        const file = await request.file()
        return { method: request.method, size: (await file?.toBuffer())?.length }
      })
    })
    expect((await sendForm(port, 'PUT')).json).toEqual({ method: 'PUT', size: samples.png.length })
  })
})
