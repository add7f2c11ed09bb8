// @module-tag programs

/** The recipes of docs/origins.md, tried by a page on another origin than the API. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { NestFactory } from '@nestjs/core'
import cors from 'cors'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import express, { type Express } from 'express'
import Fastify, { type FastifyInstance } from 'fastify'
import { Hono } from 'hono'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { usersTable } from '../../src/entry/drizzle-sqlite.ts'
import { ModelRest as ExpressModelRest } from '../../src/entry/express.ts'
import { ModelRest as FastifyModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import { ModelRest as HonoModelRest } from '../../src/entry/hono.ts'
import { nestHost } from '../../src/entry/nest.ts'
import { ModelRest as NodeModelRest, nodeApp } from '../../src/entry/node.ts'
import { ModelRest } from '../../src/index.ts'
import { listenHono } from '../host/hono/listen.ts'
import { listenFetch } from '../host/listen-fetch.ts'
import { listenNest } from '../host/nest/listen.ts'
import { listenNode } from '../host/node/listen.ts'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { openSqlite } from '../stage/databases.ts'
import { browserFor } from './chromium.ts'

const browser = browserFor('the tests of cookies and CORS across origins')
const folder = join(import.meta.dirname, '../.tmp/origins')

let page: { readonly origin: string; readonly stop: () => Promise<void> }
beforeAll(async () => {
  const html: RequestListener = (_request, response) =>
    void response.setHeader('content-type', 'text/html').end('<!doctype html>')
  const { port, stop } = await listenNode(createServer(html))
  page = { origin: `http://localhost:${port}`, stop }
  mkdirSync(folder, { recursive: true })
})
afterAll(async () => {
  await page.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A program of the page, for the origin of this test. */
const recipe = async <Of>(name: string): Promise<Of> => {
  const block = fencedBlocks(readFileSync('docs/origins.md', 'utf8')).find(({ file }) => file === name)
  if (block === undefined) throw new Error(`docs/origins.md has no ${name}.`)
  const path = join(folder, name)
  writeFileSync(path, block.text.replaceAll('https://app.example.com', page.origin))
  return (await import(pathToFileURL(path).href)) as Of
}

interface Listening {
  readonly port: number
  stop(): Promise<unknown>
}

const options = () => {
  const notes = sqliteTable('notes', {
    id: integer().primaryKey(),
    text: text().notNull(),
    revision: integer().notNull().default(1),
  })
  const { models, close } = openSqlite(
    { notes, users: usersTable },
    `create table notes (id integer primary key, text text not null, revision integer not null default 1);
     create table users (id integer primary key autoincrement, email text not null unique, username text unique, name text,
       password text not null, is_active integer not null default 1, created_at integer not null default (unixepoch()))`,
  )
  onTestFinished(close)
  return {
    ...{ models, controllers: [], auth: true as const, modelConfig: { Note: { version: 'revision' } } },
    settings: {
      secretKey: 'a secret of this test that nobody else knows',
      debug: true,
      auth: { trustedOrigins: [page.origin], loginMaxFailures: 1 },
    },
  } as never
}

const corsOptions = () => ({
  ...{ origin: [page.origin], credentials: true, exposedHeaders: ['ETag', 'Location', 'Retry-After'] },
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
})

const hosts: Readonly<Record<string, () => Promise<Listening>>> = {
  Fastify: async () => {
    const { protect } = await recipe<{ protect: (app: FastifyInstance) => Promise<void> }>(
      'headers-fastify.ts',
    )
    const app = Fastify()
    await protect(app)
    await new FastifyModelRest(app as never, options()).init()
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    return { port: Number(new URL(address).port), stop: () => app.close() }
  },
  'the fetch host': async () => {
    const { withHeaders } = await recipe<{
      withHeaders: (fetch: (request: Request) => Promise<Response>) => typeof fetch
    }>('headers-fetch.ts')
    const app = fetchApp()
    await new FetchModelRest(app, options()).init()
    return listenFetch({ fetch: withHeaders(app.fetch as never) } as never)
  },
  Express: async () => {
    const { protect } = await recipe<{ protect: (app: Express) => void }>('headers-express.ts')
    const app = express()
    protect(app)
    await new ExpressModelRest(app, options()).init()
    return listenNode(createServer(app))
  },
  Hono: async () => {
    const { protect } = await recipe<{ protect: (app: Hono) => void }>('headers-hono.ts')
    const app = new Hono()
    protect(app)
    await new HonoModelRest(app as never, options()).init()
    return listenHono(app)
  },
  NestJS: async () => {
    class EmptyModule {}
    const app = await NestFactory.create(EmptyModule, { bodyParser: false, logger: false })
    app.enableCors(corsOptions())
    await new ModelRest(nestHost(app) as never, options()).init()
    return listenNest(app)
  },
  'node:http': async () => {
    const app = nodeApp()
    await new NodeModelRest(app, options()).init()
    const handle = cors(corsOptions())
    return listenNode(
      createServer((request, response) =>
        handle(request as never, response as never, () => void app(request, response)),
      ),
    )
  },
}

/** What a script of the page gets from the API. */
const asking =
  (opened: Page, api: string) =>
  (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    opened.evaluate(
      async ([url, init]) => {
        const response = await fetch(url, init)
        const read = (name: string) => response.headers.get(name)
        return {
          status: response.status,
          ...{ etag: read('etag'), location: read('location'), retryAfter: read('retry-after') },
        }
      },
      [
        `${api}${path}`,
        {
          ...{ method, credentials: 'include' as const },
          headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
          ...(body && { body: JSON.stringify(body) }),
        },
      ] as const,
    )

describe('a page on another origin', () => {
  test.each(Object.entries(hosts))(
    'logs in, writes and reads headers of an API on %s',
    async (_name, start) => {
      const { port, stop } = await start()
      onTestFinished(async () => void (await stop()))
      const context = browser()
      await context.clearCookies()
      const opened = await context.newPage()
      onTestFinished(() => opened.close())
      await opened.goto(page.origin)
      const ask = asking(opened, `http://localhost:${port}`)

      const user = { email: 'ann@example.com', password: 'a lamp for every desk' }
      expect(await ask('GET', '/notes/')).toMatchObject({ status: 401 })
      expect(await ask('POST', '/auth/register', user)).toMatchObject({ status: 201 })
      expect(await ask('POST', '/auth/login', user)).toMatchObject({ status: 200 })
      const created = await ask('POST', '/notes/', { text: 'x' })
      expect(created).toMatchObject({
        ...{ status: 201, etag: expect.stringMatching(/^"/), location: expect.stringContaining('/notes/1') },
      })
      const changing = (etag: string | null) =>
        ask('PATCH', '/notes/1', { text: 'y' }, { 'if-match': String(etag) })
      expect(await changing(created.etag)).toMatchObject({ status: 200 })
      expect(await changing(created.etag)).toMatchObject({ status: 412 })
      expect(await ask('DELETE', '/notes/1')).toMatchObject({ status: 204 })
      for (const status of [401, 429])
        expect(await ask('POST', '/auth/login', { ...user, password: 'another lamp' })).toMatchObject({
          status,
          retryAfter: status === 429 ? expect.stringMatching(/^\d+$/) : null,
        })
    },
  )
})
