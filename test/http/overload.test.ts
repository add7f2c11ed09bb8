import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:http2'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text as textColumn } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ModelRest as FastifyModelRest } from '../../src/entry/fastify.ts'
import { defineSettings } from '../../src/index.ts'
import { drizzleModels } from '../../src/source/drizzle/index.ts'
import { listen } from '../host/listen.ts'
import { onPostgres } from '../servers/test-database.ts'
import { type App, type Hosting, hosts, onFastify, onFetchBehindNode } from '../stage/apps.ts'
import { cutStage } from './postgres-stage.ts'

const things = sqliteTable('things', { id: integer().primaryKey(), name: textColumn().notNull() })

/** A source whose statements wait for as long as a test plans. */
const plannedSource = () => {
  const client = new Database(':memory:')
  client.exec('create table things (id integer primary key, name text not null)')
  const plan = { waited: 0 }
  const queues = [{ waited: () => plan.waited, passed: () => 0 }]
  return { plan, models: { ...drizzleModels(drizzle({ client }), { things }), queues } }
}

/** Asks until the status changes: an overload begins and ends after some time. */
const until = async (status: number, ask: () => Promise<{ readonly status: number }>): Promise<void> => {
  // Requests without a socket never leave a turn of the event loop to timers.
  while ((await ask()).status !== status) await new Promise(setImmediate)
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(hosts)('an overloaded service on %s', (_name, start) => {
  const begin = async (hosting?: Hosting, settings = {}) => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { plan, models } = plannedSource()
    const app: App = await start(
      { models, health: true, controllers: [], settings: defineSettings(settings) },
      hosting,
    )
    onTestFinished(app.stop)
    return { plan, app, list: () => app.ask('/api/things/') }
  }

  it('refuses requests, says when to retry, and serves all of them afterwards', async () => {
    const { plan, app, list } = await begin()
    plan.waited = 5000
    await until(503, list)
    const refused = await list()
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(await refused.json()).toMatchObject({ code: 'unavailable', instance: '/api/things/' })
    for (const path of ['/api/docs', '/api/openapi.json', '/api/things/1'])
      expect((await app.ask(path)).status).toBe(503)
    plan.waited = 0
    for (let time = 0; time < 100; time += 1) expect((await list()).status).toBe(200)
  })

  it('is alive and ready', async () => {
    const { plan, app, list } = await begin()
    plan.waited = 5000
    await until(503, list)
    for (let time = 0; time < 20; time += 1) {
      expect((await list()).status).toBe(503)
      expect((await app.ask('/api/health/live')).status).toBe(200)
      expect((await app.ask('/api/health/ready')).status).toBe(200)
    }
  })

  it('does not execute a refused write', async () => {
    const { plan, app, list } = await begin()
    plan.waited = 5000
    await until(503, list)
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'lamp' })
    expect((await app.ask('/api/things/', { method: 'POST', headers, body })).status).toBe(503)
    plan.waited = 0
    await until(200, list)
    expect(await (await list()).json()).toMatchObject({ items: [] })
  })

  it('accepts a longer wait if MAX_WAITING allows it, and any with 0', async () => {
    for (const MAX_WAITING of [60_000, 0]) {
      const { plan, list } = await begin({}, { MAX_WAITING })
      plan.waited = 5000
      const end = performance.now() + 300
      while (performance.now() < end) {
        expect((await list()).status).toBe(200)
        await new Promise(setImmediate)
      }
    }
  })
})

it('an overload is one line of the log', async () => {
  const { plan, models } = plannedSource()
  const app = await onFastify({ models, controllers: [] })
  onTestFinished(app.stop)
  const before = app.log.length
  plan.waited = 5000
  await until(503, () => app.ask('/api/things/'))
  for (let time = 0; time < 100; time += 1) await app.ask('/api/things/')
  expect(app.log.slice(before).map(({ level }) => level)).toEqual(['warn'])
})

describe.each([
  ['Fastify', onFastify],
  ['fetch', onFetchBehindNode],
] as const)('a connection to %s', (_name, start) => {
  it('is kept after a refused request with a body', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { plan, models } = plannedSource()
    const app = await start({ models, controllers: [] }, { listening: true })
    onTestFinished(app.stop)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const send = async (method: string, body = '') => {
      const headers = { 'content-type': 'application/json' }
      const sent = request({ port: app.port, path: '/api/things/', method, agent, headers }).end(body)
      const [reply] = (await once(sent, 'response')) as [IncomingMessage]
      await once(reply.resume(), 'end')
      return { status: reply.statusCode ?? 0, isReused: sent.reusedSocket }
    }
    plan.waited = 5000
    await until(503, () => send('GET'))
    const large = JSON.stringify({ name: 'x'.repeat(500_000) })
    for (let time = 0; time < 3; time += 1)
      expect(await send('POST', large)).toEqual({ status: 503, isReused: true })
    plan.waited = 0
    expect(await send('POST', '{"name":"lamp"}')).toEqual({ status: 201, isReused: true })
  })
})

it('over HTTP/2, refuses each request of a connection', async () => {
  const { plan, models } = plannedSource()
  const app = Fastify({ http2: true })
  await new FastifyModelRest(app as never, { models, controllers: [] } as never).init()
  const { port, stop } = await listen(app)
  const session = connect(`http://127.0.0.1:${port}`)
  onTestFinished(async () => {
    session.destroy()
    await stop()
  })
  const send = async (method: string, body = '') => {
    const head = { ':method': method, ':path': '/things/', 'content-type': 'application/json' }
    const stream = session.request(head, { endStream: body === '' })
    if (body !== '') stream.end(body)
    const [headers] = await once(stream, 'response')
    await once(stream.resume(), 'close')
    return { status: Number(headers[':status']), retryAfter: headers['retry-after'] }
  }
  plan.waited = 5000
  await until(503, () => send('GET'))
  const refused = await Promise.all(Array.from({ length: 20 }, () => send('POST', '{"name":"lamp"}')))
  expect(refused).toEqual(refused.map(() => ({ status: 503, retryAfter: '1' })))
  plan.waited = 0
  expect(await send('POST', '{"name":"lamp"}')).toMatchObject({ status: 201 })
})

onPostgres('a pool whose connections are all in use', () => {
  const stage = cutStage('overload', ['first', 'second'])

  it.each([
    ['statements', {}],
    ['transactions', { afterUpdate: () => undefined }],
  ])(
    'refuses requests once others have waited for longer than MAX_WAITING, with %s',
    async (_name, hooks) => {
      const settings = { MAX_WAITING: 200 }
      const { send } = await stage.serve('node-postgres', { max: 1, settings }, hooks)
      await stage.outside.query('begin; update things set times = 7 where id = 1')
      const holding = send('PATCH', '/things/1', { name: 'x' })
      while (!(await stage.isSomebodyWaiting()));
      const waiting: Promise<{ status: number }>[] = []
      let isRefused = false
      while (!isRefused) {
        const asked = send('GET', '/things/1')
        waiting.push(asked)
        const first = await Promise.race([asked, stage.outside.query('select 1')])
        isRefused = 'status' in first && first.status === 503
      }
      await stage.outside.query('commit')
      expect(await holding).toMatchObject({ status: 200 })
      const statuses = (await Promise.all(waiting)).map(({ status }) => status)
      expect(statuses[0]).toBe(200)
      await until(200, () => send('GET', '/things/1'))
    },
  )

  it('refuses nothing because one of its connections does not open, while another one serves requests', async () => {
    const { send } = await stage.serve('node-postgres', {
      max: 2,
      connectWithin: 1000,
      settings: { MAX_WAITING: 100 },
    })
    await stage.outside.query('begin; update things set times = 7 where id = 1')
    const holding = send('PATCH', '/things/1', { name: 'x' })
    while (!(await stage.isSomebodyWaiting()));
    stage.way.plan({ at: (sent) => sent.includes('user\0'), lost: 'both, in silence' })
    const hanging = send('GET', '/things/2')
    while (stage.way.done === 0) await new Promise(setImmediate)
    await stage.outside.query('commit')
    await holding
    const end = performance.now() + 500
    while (performance.now() < end) expect(await send('GET', '/things/1')).toMatchObject({ status: 200 })
    expect(await hanging).toMatchObject({ status: 503 })
  })
})
