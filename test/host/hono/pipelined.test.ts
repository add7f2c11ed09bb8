import { Hono } from 'hono'
import { ModelRest } from 'modelrest/hono'
import { memorySource } from 'modelrest/testing'
import { expect, it, onTestFinished } from 'vitest'
import { exchange } from '../../../src/testing/host/http-client.ts'
import { listenHono } from './listen.ts'

const models = memorySource([
  { name: 'Task', fields: [{ name: 'id', kind: 'integer', hasDefault: true }], primaryKey: ['id'] },
])

/** Counts how many requests run at the same time, and how many have begun. */
const counting = async () => {
  const app = new Hono()
  const count = { begun: 0, under: 0, most: 0, waiting: 0 }
  app.use(async (_context, next) => {
    count.waiting += 1
    await next()
    count.waiting -= 1
  })
  const authenticate = async () => {
    count.begun += 1
    count.under += 1
    count.most = Math.max(count.most, count.under)
    await new Promise((resolve) => setImmediate(resolve))
    count.under -= 1
    return { id: '1', claims: {} }
  }
  await new ModelRest(app, { models, controllers: [], auth: { authenticate } }).init()
  const { port, stop } = await listenHono(app)
  onTestFinished(stop)
  return { count, port }
}

const get = 'GET /tasks/ HTTP/1.1\r\nHost: x\r\n\r\n'
const responsesIn = (received: string): number => received.split('HTTP/1.1 200').length - 1

it('serves requests that come on one connection before their responses one after another', async () => {
  const { count, port } = await counting()
  const received = await exchange(port, get.repeat(30), (text) => responsesIn(text) === 30)
  expect([responsesIn(received), count.most]).toEqual([30, 1])
})

it('closes the connection if there are hundreds of them, and middleware goes on', async () => {
  const { count, port } = await counting()
  await exchange(port, get.repeat(1000), () => false).catch(() => undefined)
  expect(count.begun).toBeLessThan(200)
  expect((await fetch(`http://127.0.0.1:${port}/tasks/`)).status).toBe(200)
  expect(count.waiting).toBe(0)
})
