import { assertKnown, StartError } from '../../error/errors.ts'
import { type ListeningTested, overHttp, serverOf } from './listening.ts'
import { type SendRequest, type TestRequests, testRequests } from './requests.ts'
import { openSession, type TestUser, type TestUserFields, type TestUserOptions } from './session.ts'

/** Sends requests to an application in this process. */
export interface TestClient extends TestRequests {
  /**
   * Logs a user in, and returns a client that sends their token. A user who does not exist is registered first, with
   * `POST /auth/register` as in production: hooks, validators and limits apply, and each hashed password takes about 30 ms.
   * With `auth.registration: false`, only existing users can log in.
   *
   * @param user the fields to register, such as `{ email: 'ada@example.com', name: 'Ada' }`. The default of `password` is
   * `correct horse battery staple`.
   * @throws Error if the user can be neither registered nor logged in, or without `auth: true`
   */
  as(user: TestUserFields, options?: TestUserOptions): Promise<TestUser>
  /** Returns a client that also sends these headers with every request, such as those of your own authentication. */
  with(headers: Readonly<Record<string, string>>): TestClient
}

/**
 * An application that {@link testClient} can send requests to: from `fetchApp()`, of Hono and others with `fetch`, of Fastify, of
 * Express, of NestJS after `init()`, from `nodeApp()`, or a server of `node:http`.
 */
export type TestedApp = FetchTested | InjectTested | ListeningTested

/** An application with a `fetch` function. */
interface FetchTested {
  fetch(request: Request): Response | PromiseLike<Response>
}

/** A Fastify application. */
interface InjectTested {
  inject(request: {
    method: 'GET'
    url: string
    headers: Record<string, string>
    payload?: Buffer
  }): PromiseLike<Injected>
}

interface Injected {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly rawPayload: Uint8Array
}

/** The options of {@link testClient}. */
export interface TestClientOptions {
  /** The path where the API is mounted, such as `/api`: `as` logs in below it. Paths of requests are complete. @default '' */
  readonly base?: string
}

/**
 * Creates a client for tests of an application that you have built. Requests to an application with `inject` or `fetch` need no
 * port. For others, a server listens on a free port of 127.0.0.1, and does not keep the process running.
 *
 * @param app an application. For a function that takes a `Request`, pass `{ fetch: handler }`
 * @throws StartError for another kind of application, or an unknown option
 * @example
 * ```ts
 * import Fastify from 'fastify'
 * import { testClient } from 'modelrest/testing'
 *
 * const app = Fastify()
 * app.get('/api/ping', () => ({ pong: true }))
 *
 * const client = testClient(app, { base: '/api' })
 * const { status, json } = await client.get('/api/ping')
 * ```
 */
export const testClient = (app: TestedApp, options: TestClientOptions = {}): TestClient => {
  for (const name of Object.keys(options)) assertKnown('testClient(): unknown option', name, ['base'])
  return clientOver(exchangeOf(app), options.base ?? '', {})
}

const exchangeOf = (app: TestedApp): SendRequest => {
  if (typeof Reflect.get(Object(app), 'inject') === 'function') {
    const tested = app as InjectTested
    return (request) => inject(tested, request)
  }
  if (typeof Reflect.get(Object(app), 'fetch') === 'function') {
    const tested = app as FetchTested
    return async (request) => tested.fetch(request)
  }
  const server = serverOf(app)
  if (server !== undefined) return overHttp(server)
  throw new StartError(
    'testClient(): the application must have the function fetch or inject, or be one of Express, NestJS or node:http. Pass { fetch: (request) => response } for another one.',
  )
}

const inject = async (app: InjectTested, request: Request): Promise<Response> => {
  const { pathname, search, host } = new URL(request.url)
  const payload = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
  const { statusCode, headers, rawPayload } = await app.inject({
    // Fastify declares a list of methods.
    method: request.method as 'GET',
    url: pathname + search,
    headers: { host, ...Object.fromEntries(request.headers) },
    ...(payload && { payload }),
  })
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
  )
  const hasBody = ![204, 205, 304].includes(statusCode)
  return new Response(hasBody ? new Uint8Array(rawPayload) : null, { status: statusCode, headers: lines })
}

/** @param sent the headers of every request */
export const clientOver = (
  exchange: SendRequest,
  base: string,
  sent: Readonly<Record<string, string>>,
): TestClient => {
  const requests = testRequests(exchange, () => sent)
  return Object.freeze<TestClient>({
    ...requests,
    as: (user, options = {}) => openSession(exchange, { base, requests, sent }, user, options),
    with: (headers) => clientOver(exchange, base, { ...sent, ...lowerCased(headers) }),
  })
}

/** Names of headers are case-insensitive: a later one replaces an earlier one. */
const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(new Headers(headers))
