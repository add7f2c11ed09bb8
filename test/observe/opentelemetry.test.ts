import type { PGlite } from '@electric-sql/pglite'
import {
  type Context,
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { drizzle } from 'drizzle-orm/pglite'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { ModelRest as FastifyModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import { openTelemetryObserver } from '../../src/entry/opentelemetry.ts'
import { StartError } from '../../src/error/errors.ts'
import { createPg, pgLibrary } from '../contract/library.ts'
import { naming } from '../naming.ts'
import { startPglite } from '../stage/pglite.ts'

const spans = new InMemorySpanExporter()
const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 })
const meters = new MeterProvider({ readers: [reader] })
const tracer = tracers.getTracer('modelrest')
const meter = meters.getMeter('modelrest')

/** W3C's header, as far as a test sends one. */
const w3c: TextMapPropagator = {
  inject: () => undefined,
  fields: () => ['traceparent'],
  extract: (into: Context, carrier, { get }) => {
    const [, traceId, spanId] = String(get(carrier, 'traceparent')).split('-')
    if (traceId === undefined || spanId === undefined) return into
    return trace.setSpanContext(into, { traceId, spanId, traceFlags: 1, isRemote: true })
  },
}
const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

const TIME = 120_000

interface Served {
  send(path: string, init?: RequestInit): Promise<Response>
  stop(): Promise<void>
}

let pglite: PGlite
const models = () => drizzleModels(drizzle(pglite), pgLibrary)
const observer = () => openTelemetryObserver({ tracer, meter })

const hosts: Readonly<Record<string, () => Promise<Served>>> = {
  fastify: async () => {
    const app = Fastify()
    await app.register(
      async (api) => new FastifyModelRest(api, { models: models(), observer: observer() }).init(),
      {
        prefix: '/api',
      },
    )
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    return { send: (path, init) => fetch(origin + path, init), stop: () => app.close() }
  },
  fetch: async () => {
    const app = fetchApp({ base: '/api' })
    await new FetchModelRest(app, { models: models(), observer: observer() }).init()
    return {
      send: (path, init) => app.fetch(new Request(`http://localhost${path}`, init)),
      stop: async () => undefined,
    }
  },
}

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})

const finished = (): readonly ReadableSpan[] => spans.getFinishedSpans()
const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId

beforeAll(async () => {
  pglite = await startPglite()
  for (const statement of createPg) await pglite.exec(statement)
}, TIME)
afterAll(async () => {
  await Promise.all([tracers.shutdown(), meters.shutdown()])
  await pglite.close()
})
afterEach(() => spans.reset())

describe.each(Object.entries(hosts))('traces on %s', (_, start) => {
  const served = async (use: (send: Served['send']) => Promise<void>): Promise<void> => {
    const { send, stop } = await start()
    await use(send)
    await stop()
  }

  describe.each([
    ['with a context manager', true],
    ['without a context manager', false],
  ])('%s', (_name, isManaged) => {
    beforeAll(() => {
      if (isManaged) context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    })
    afterAll(() => context.disable())

    it(
      'have a span for each operation, and those of its statements in it, also with many at a time',
      () =>
        served(async (send) => {
          const replies = await Promise.all(
            Array.from({ length: 40 }, (_each, at) =>
              at % 2 === 0
                ? send(`/api/authors/?name=by-${at}`)
                : send('/api/authors/', json({ name: `author ${_} ${isManaged} ${at}` })),
            ),
          )
          expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 201]))
          const operations = finished().filter(({ kind }) => kind === SpanKind.SERVER)
          const statements = finished().filter(({ kind }) => kind === SpanKind.CLIENT)
          expect(operations).toHaveLength(40)
          expect(new Set(operations.map(({ name }) => name))).toEqual(
            new Set(['GET /api/authors/', 'POST /api/authors/']),
          )
          const traces = new Set(operations.map((span) => span.spanContext().traceId))
          expect(traces.size).toBe(40)
          for (const operation of operations) {
            const own = statements.filter((span) => parentOf(span) === operation.spanContext().spanId)
            const verb = operation.name.startsWith('GET') ? 'select' : 'insert'
            expect(own.map(({ name }) => name)).toEqual(own.map(() => `${verb} authors`))
            expect(own.length).toBeGreaterThan(0)
            for (const span of own) expect(span.spanContext().traceId).toBe(operation.spanContext().traceId)
          }
          expect(
            statements.every((span) => operations.some((one) => one.spanContext().spanId === parentOf(span))),
          ).toBe(true)
        }),
      TIME,
    )
  })

  it('say what the semantic conventions ask for, and no value', () =>
    served(async (send) => {
      const name = `value-of-${_}`
      expect((await send('/api/authors/?name=value-of-nobody')).status).toBe(200)
      expect((await send('/api/authors/', json({ name, email: `${name}@x.test` }))).status).toBe(201)
      const [select, list, insert, create] = finished()
      expect(select).toMatchObject({
        name: 'select authors',
        kind: SpanKind.CLIENT,
        status: { code: SpanStatusCode.UNSET },
        attributes: {
          'db.system.name': 'postgresql',
          'db.operation.name': 'select',
          'db.collection.name': 'authors',
          'db.query.summary': 'select authors',
          'db.query.text': expect.stringMatching(/^select .* from "authors" where .*\$1/),
        },
      })
      expect(list?.attributes).toEqual({
        'http.request.method': 'GET',
        'url.scheme': 'http',
        'url.path': '/api/authors/',
        'http.route': '/api/authors/',
        'http.response.status_code': 200,
        'modelrest.operation.id': 'listAuthors',
        'modelrest.model': 'Author',
        'modelrest.request.id': expect.stringMatching(/./),
        'modelrest.authenticated': false,
      })
      expect([insert?.name, create?.name]).toEqual(['insert authors', 'POST /api/authors/'])
      expect(
        JSON.stringify(finished().map(({ attributes, events, status }) => [attributes, events, status])),
      ).not.toContain('value-of')
    }))

  it('tell of errors by their codes, without a word of the driver', () =>
    served(async (send) => {
      const name = `twice-${_}`
      const author = { name, email: `${name}@x.test` }
      expect((await send('/api/authors/', json(author))).status).toBe(201)
      spans.reset()
      expect((await send('/api/authors/', json({ ...author, id: undefined }))).status).toBe(409)
      const [insert, create] = finished()
      expect(insert).toMatchObject({
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': '23505', 'db.response.status_code': '23505' },
      })
      // A client that is refused is no error of the server.
      expect(create).toMatchObject({
        status: { code: SpanStatusCode.UNSET },
        attributes: { 'http.response.status_code': 409, 'modelrest.problem.code': 'unique_conflict' },
      })
      expect(create?.attributes).not.toHaveProperty('error.type')
      for (const { status, events, attributes } of finished()) {
        expect([status.message, events]).toEqual([undefined, []])
        expect(JSON.stringify(attributes)).not.toMatch(/duplicate|violates|twice/)
      }
    }))

  it('go on where the headers say, unless somebody has made a span already', async () => {
    propagation.setGlobalPropagator(w3c)
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    await served(async (send) => {
      await send('/api/authors/1', { headers: { traceparent } })
      const [statement, operation] = finished()
      expect(operation).toMatchObject({
        kind: SpanKind.SERVER,
        parentSpanContext: { traceId, isRemote: true },
      })
      expect(statement?.spanContext().traceId).toBe(traceId)
    })
    propagation.disable()
    context.disable()
  })
})

it('is an inner span where the application has one of the server', async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(w3c)
  const app = fetchApp({ base: '/api' })
  await new FetchModelRest(app, { models: models(), observer: observer() }).init()
  await tracer.startActiveSpan('GET', { kind: SpanKind.SERVER }, async (server) => {
    await app.fetch(new Request('http://localhost/api/authors/1', { headers: { traceparent } }))
    server.end()
  })
  propagation.disable()
  context.disable()
  const [statement, operation, server] = finished()
  expect(operation).toMatchObject({ name: 'getAuthor', kind: SpanKind.INTERNAL })
  expect(operation && parentOf(operation)).toBe(server?.spanContext().spanId)
  expect(statement && parentOf(statement)).toBe(operation?.spanContext().spanId)
  expect(operation?.attributes).not.toHaveProperty('url.path')
})

it('measures in seconds, with the buckets that are advised', async () => {
  const app = fetchApp({ base: '/api' })
  await new FetchModelRest(app, { models: models(), observer: observer() }).init()
  measured.reset()
  for (const path of ['99999997', '99999998', '99999999'])
    await app.fetch(new Request(`http://localhost/api/authors/${path}`))
  await reader.forceFlush()
  const metrics = measured
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((one) => one.metrics))
  const pointsOf = (name: string, wanted: object) => {
    const found = metrics.findLast(({ descriptor }) => descriptor.name === name)
    if (found?.dataPointType !== DataPointType.HISTOGRAM) throw new Error(`There is no histogram ${name}.`)
    expect(found.descriptor).toMatchObject({ unit: 's', description: expect.stringMatching(/./) })
    return found.dataPoints.filter(({ attributes }) =>
      Object.entries(wanted).every(([key, value]) => attributes[key] === value),
    )
  }
  const [requests] = pointsOf('http.server.request.duration', {
    ...{ 'http.route': '/api/authors/{id}', 'http.response.status_code': 404 },
  })
  expect(requests).toMatchObject({
    attributes: {
      'http.request.method': 'GET',
      'url.scheme': 'http',
      'http.route': '/api/authors/{id}',
      'http.response.status_code': 404,
    },
    value: {
      count: 3,
      buckets: { boundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] },
    },
  })
  expect(requests?.value.sum).toBeGreaterThan(0)
  expect(requests?.value.sum).toBeLessThan(60)
  const [statements] = pointsOf('db.client.operation.duration', {
    'db.collection.name': 'authors',
    'db.operation.name': 'select',
  })
  expect(statements).toMatchObject({
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': 'select',
      'db.collection.name': 'authors',
      'db.query.summary': 'select authors',
    },
    value: { buckets: { boundaries: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] } },
  })
  expect(statements?.attributes).not.toHaveProperty('db.query.text')
})

it('refuses an option that there is not', () => {
  const start = () => openTelemetryObserver({ tracers: tracer } as never)
  expect(start).toThrow(StartError)
  expect(start).toThrow(naming('openTelemetryObserver', 'tracers', 'tracer'))
})
