import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { type FastifyApp, ModelRest as FastifyModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import type { ModelRest, ModelRestOptions } from '../../src/index.ts'
import { listen } from '../host/listen.ts'
import { clientAddress, listenFetch } from '../host/listen-fetch.ts'

/** One entry of the log. */
export interface Entry {
  readonly level: 'info' | 'warn' | 'error'
  readonly line: string
  readonly details: Readonly<Record<string, unknown>>
}

/** How a service is hosted. */
export interface Hosting {
  /** The path that the service stands under. @default /api */
  readonly base?: string
  /** Listens on a free port, so that requests go over a socket. @default false */
  readonly listening?: boolean
  /** Of Fastify: whether to believe `X-Forwarded-For`. @default false */
  readonly trustProxy?: boolean
  /** Serves only what is served for models: no document and no health. It starts sooner. @default false */
  readonly onlyModels?: boolean
  /** Of Fastify: its logger. Without one the service logs to stderr. `error`: it writes errors only. @default true */
  readonly logger?: boolean | 'error'
  /** Of Fastify: called with each entry of the log. */
  readonly onEntry?: (entry: Entry) => void
}

/** A running service. */
export interface App {
  readonly rest: ModelRest
  /** @param path of the whole service, with its base @param address where the request comes from, if it does not go over a socket. `null`: unknown */
  ask(path: string, init?: RequestInit, address?: string | null): Promise<Response>
  /** What it logged, without what Fastify says of each request. The fetch host logs to stderr: nothing is kept. */
  readonly log: readonly Entry[]
  /** Where it listens. */
  readonly port: number | undefined
  stop(): Promise<void>
}

export type Host = (options: Partial<ModelRestOptions>, hosting?: Hosting) => Promise<App>

const levels: Readonly<Record<number, Entry['level']>> = { 30: 'info', 40: 'warn', 50: 'error' }
const ofFastify = ['incoming request', 'request completed']

const entriesIn = (text: string): readonly Entry[] => {
  const { level, msg, ...details } = JSON.parse(text) as { level: number; msg: string }
  return ofFastify.includes(msg) ? [] : [{ level: levels[level] ?? 'error', line: msg, details }]
}

export const onFastify: Host = async (options, hosting = {}) => {
  const { base = '/api', listening = false, trustProxy = false, logger = true, onEntry } = hosting
  const level = logger === 'error' ? 'error' : 'info'
  const log: Entry[] = []
  const stream = {
    write: (text: string) => {
      for (const entry of entriesIn(text)) {
        log.push(entry)
        onEntry?.(entry)
      }
    },
  }
  const app = Fastify({ logger: logger !== false && { level, stream }, trustProxy })
  let rest: ModelRest | undefined
  const mount = async (api: FastifyInstance): Promise<void> => {
    rest = new FastifyModelRest(api as unknown as FastifyApp, options as never) as ModelRest
    await start(rest, hosting)
  }
  // Fastify compares a plugin without a name with every module that the process has loaded.
  Object.assign(mount, { [Symbol.for('fastify.display-name')]: 'the service' })
  await app.register(mount, { prefix: base })
  if (rest === undefined) throw new Error('The service was not made.')
  const mounted: ModelRest = rest
  const port = listening ? (await listen(app)).port : undefined
  return {
    ...{ rest: mounted, log, port },
    ask: (path, init, address) =>
      port === undefined ? inject(app, path, init, address) : fetch(`http://127.0.0.1:${port}${path}`, init),
    stop: async () => {
      await mounted.close()
      await app.close()
    },
  }
}

/** Headers of HTTP/1.1 go out as they are given: those of fetch would join or refuse some. */
const inject = async (
  app: FastifyInstance,
  path: string,
  init: RequestInit = {},
  address?: string | null,
): Promise<Response> => {
  const reply = await app.inject({
    method: (init.method ?? 'GET') as NonNullable<InjectOptions['method']>,
    url: path,
    headers: init.headers as Record<string, string>,
    ...(init.body != null && { payload: init.body as string }),
    ...(address && { remoteAddress: address }),
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(reply.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, String(one))
  }
  const isEmpty = [204, 205, 304].includes(reply.statusCode)
  return new Response(isEmpty ? null : new Uint8Array(reply.rawPayload), {
    status: reply.statusCode,
    headers,
  })
}

const start = (rest: ModelRest, { onlyModels = false }: Hosting): Promise<void> =>
  onlyModels ? rest.registerAllModels() : rest.init()

export const onFetch: Host = async (options, hosting = {}) => {
  const { base = '/api' } = hosting
  const addresses = new WeakMap<Request, string | null>()
  const addressOf = (request: Request): string | undefined => {
    const address = addresses.get(request)
    return address === null ? undefined : (address ?? '127.0.0.1')
  }
  const app = fetchApp({ base, clientAddress: addressOf })
  const rest = new FetchModelRest(app, options as never) as ModelRest
  await start(rest, hosting)
  return {
    ...{ rest, log: [], port: undefined },
    ask: async (path, init, address) => {
      const request = new Request(`http://localhost${path}`, init)
      if (address !== undefined) addresses.set(request, address)
      return app.fetch(request)
    },
    stop: () => rest.close(),
  }
}

/** The fetch host behind Node's HTTP server, so that requests go over a socket. */
export const onFetchBehindNode: Host = async (options, { base = '/api' } = {}) => {
  const app = fetchApp({ base, clientAddress })
  const rest = new FetchModelRest(app, options as never) as ModelRest
  await rest.init()
  const { port, stop } = await listenFetch(app)
  return {
    ...{ rest, log: [], port },
    ask: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
    stop: async () => {
      await rest.close()
      await stop()
    },
  }
}

/** Every host, to run the same tests on. */
export const hosts: readonly (readonly [string, Host])[] = [
  ['Fastify', onFastify],
  ['fetch', onFetch],
]
