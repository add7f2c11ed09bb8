import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import type { ModelRestOptions } from 'modelrest'
import { ModelRest as ExpressModelRest } from 'modelrest/express'
import { modelRest } from 'modelrest/fastify'
import { ModelRest as HonoModelRest } from 'modelrest/hono'
import { ModelRest, nodeApp } from 'modelrest/node'
import { memorySource } from 'modelrest/testing'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'

beforeAll(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterAll(() => {
  vi.restoreAllMocks()
})

type Options = Pick<ModelRestOptions, 'models' | 'controllers' | 'auth'>

/** A server, and how an application closes it. */
interface Closable {
  readonly server: Server
  close(): unknown
}

const closable = (server: Server): Closable => ({ server, close: () => server.close() })

const onNode = async (options: Options): Promise<Closable> => {
  const app = nodeApp()
  await new ModelRest(app, options).init()
  return closable(createServer(app))
}

const onExpress = async (options: Options): Promise<Closable> => {
  const app = express()
  await new ExpressModelRest(app, options).init()
  return closable(createServer(app))
}

const onHono = async (options: Options): Promise<Closable> => {
  const app = new Hono()
  await new HonoModelRest(app, options).init()
  return closable(createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server)
}

const onFastify = async (options: Options): Promise<Closable> => {
  const app = Fastify()
  await app.register(modelRest, options)
  await app.ready()
  return { server: app.server, close: () => app.close() }
}

const models = memorySource([
  { name: 'Task', fields: [{ name: 'id', kind: 'integer', hasDefault: true }], primaryKey: ['id'] },
])

/** Sends a request on a connection of its own, which stays open. */
const get = async (port: number) => {
  const sent = request({ port, path: '/tasks/', agent: new Agent({ keepAlive: true }) }).end()
  onTestFinished(() => void sent.destroy())
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const { socket, statusCode } = response
  return { socket, statusCode, text: String(Buffer.concat(await response.toArray())) }
}

it.each([
  ['nodeApp', onNode],
  ['Express', onExpress],
  ['Hono', onHono],
  ['Fastify', onFastify],
])('%s responds to requests that are under way when the server closes', async (_, start) => {
  const arrived = Promise.withResolvers<void>()
  const waited = Promise.withResolvers<void>()
  let isSlow = false
  const authenticate = async () => {
    if (isSlow) {
      arrived.resolve()
      await waited.promise
    }
    return { id: '1', claims: {} }
  }
  const { server, close } = await start({ models, controllers: [], auth: { authenticate } })
  // Forever: idle connections end because the server closes.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const idle = await get(port)
  isSlow = true
  const running = get(port)
  await arrived.promise
  server.keepAliveTimeout = 1
  const closed = Promise.all([once(server, 'close'), close()])
  await once(idle.socket, 'close')
  await expect(get(port)).rejects.toThrow('ECONNREFUSED')
  waited.resolve()
  const { statusCode, text } = await running
  expect([statusCode, JSON.parse(text)]).toMatchObject([200, { count: 0 }])
  await closed
})
