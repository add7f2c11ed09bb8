import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import Fastify from 'fastify'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { ModelRest as FastifyModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import type { ModelRestOptions } from '../../src/index.ts'
import { ddl, tables } from './tables.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body as JSON. */
  readonly json: never
}

export interface Sent {
  readonly headers?: Record<string, string>
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
}

/** A running service on a new SQLite file, under `/api`. */
export interface Service {
  send(method: string, path: string, sent?: Sent): Promise<Answer>
  readonly database: Database.Database
  stop(): Promise<void>
}

type Options = Partial<ModelRestOptions>
type Start = (options?: Options) => Promise<Service>

const bodyOf = ({ body }: Sent): string | undefined =>
  body === undefined || typeof body === 'string' ? body : JSON.stringify(body)

const headersOf = (sent: Sent): Record<string, string> => ({
  ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
  ...sent.headers,
})

const answer = (status: number, headers: Record<string, string>, text: string): Answer => ({
  status,
  headers,
  text,
  get json(): never {
    return JSON.parse(text) as never
  },
})

const open = () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  const database = new Database(join(folder, 'test.db'))
  database.exec(ddl)
  database.exec(`insert into makers (name) values ('Acme'), ('Bolt')`)
  const close = () => {
    database.close()
    rmSync(folder, { recursive: true })
  }
  return { database, close, models: drizzleModels(drizzle(database), tables) }
}

const startFastify: Start = async (options) => {
  const { database, close, models } = open()
  const app = Fastify()
  await app.register(async (api) => new FastifyModelRest(api, { models, ...options }).init(), {
    prefix: '/api',
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const stop = async () => {
    await app.close()
    close()
  }
  return { database, send: sender(address, fetch), stop }
}

const startFetch: Start = async (options) => {
  const { database, close, models } = open()
  const app = fetchApp({ base: '/api' })
  await new FetchModelRest(app, { models, ...options }).init()
  const send = sender('http://localhost', (url, init) => app.fetch(new Request(url, init)))
  return { database, send, stop: async () => close() }
}

const sender =
  (origin: string, fetch: (url: string, init: RequestInit) => Promise<Response>): Service['send'] =>
  async (method, path, sent = {}) => {
    const body = bodyOf(sent)
    const init = { method, headers: headersOf(sent), ...(body === undefined ? {} : { body }) }
    const response = await fetch(origin + path, init)
    return answer(response.status, Object.fromEntries(response.headers), await response.text())
  }

/** Every host, to run the same tests on. */
export const hosts: readonly (readonly [string, Start])[] = [
  ['fastify', startFastify],
  ['fetch', startFetch],
]

/** Opens the same tables without serving them. */
export const openModels = open
