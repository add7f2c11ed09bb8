import { StartError } from '../../error/errors.ts'
import { stderrLog } from '../../observe/log.ts'
import { defineHost, type Host, readBase } from '../host.ts'
import { routeTable } from '../routes.ts'
import { answerer, FetchHead } from './answer.ts'

/** Checks members instead of the class, because runtimes and tests have their own `Request`. */
const isRequest = (request: unknown): request is Request => {
  const { url, headers }: { url?: unknown; headers?: unknown } = Object(request)
  return typeof url === 'string' && typeof headers === 'object' && headers !== null && 'get' in headers
}

/** An application that takes a `Request` and returns a `Response`. Mount it in Bun, Deno or Next.js. */
export interface FetchApp {
  /**
   * Handles a request. It never rejects and does not use `this`.
   *
   * @example
   * ```ts
   * import { fetchApp } from 'modelrest/fetch'
   *
   * const { fetch } = fetchApp({ base: '/api' })
   * const response = await fetch(new Request('http://localhost/api/products/'))
   * ```
   */
  readonly fetch: (request: Request) => Promise<Response>
}

/** The options of {@link fetchApp}. */
interface FetchAppOptions {
  /**
   * The path where the application is mounted, such as `/api`. Every path starts with it.
   *
   * @default ''
   */
  readonly base?: string
  /**
   * Returns the IP address of the client, which a `Request` does not contain. Failed logins are limited per address.
   *
   * @default no address is known, and limits per address do not apply
   */
  readonly clientAddress?: (request: Request) => string | undefined
}

/**
 * Creates an application that uses only the Fetch API.
 *
 * Until `init()` has finished, it responds with 503. It responds to OPTIONS with 404, so handle CORS before you call
 * `fetch`.
 *
 * @throws StartError if `base` is not a path or `clientAddress` is not a function
 * @example
 * ```ts
 * import { fetchApp, ModelRest } from 'modelrest/fetch'
 * import type { ModelSource } from 'modelrest'
 *
 * export const start = async (models: ModelSource): Promise<(request: Request) => Promise<Response>> => {
 *   const app = fetchApp({ base: '/api' })
 *   await new ModelRest(app, { models }).init()
 *   return app.fetch
 * }
 * ```
 */
export const fetchApp = ({ base = '', clientAddress }: FetchAppOptions = {}): FetchApp => {
  if (clientAddress !== undefined && typeof clientAddress !== 'function')
    throw new StartError('fetchApp: clientAddress must be a function: (request) => string | undefined.')
  const under = readBase('fetchApp', base)
  const table = routeTable(under)
  const headOf = (request: Request): FetchHead => new FetchHead(request, clientAddress)
  const host: Host = {
    base: under,
    log: stderrLog,
    ...(clientAddress === undefined && { knowsAddresses: false }),
    serves: table.serves,
    headOf: (request) => (isRequest(request) ? headOf(request) : undefined),
    operationOf: (request) => (isRequest(request) ? table.operationOf(headOf(request)) : undefined),
    mount: table.add,
  }
  return Object.freeze(defineHost<FetchApp>(host, { fetch: answerer(table, headOf) }))
}
