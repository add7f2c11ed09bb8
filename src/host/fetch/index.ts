import { StartError } from '../../error/errors.ts'
import { stderrLog } from '../../observe/log.ts'
import type { Host, HostAdapter } from '../host.ts'
import { readTarget, routeTable } from '../paths.ts'
import { answerer, FetchCall, type Mounted } from './answer.ts'

const isFetchApp = (app: unknown): app is MountableApp =>
  typeof app === 'object' && app !== null && mountable in app

/** Checks members instead of the class, because runtimes and tests have their own `Request`. */
const isRequest = (request: unknown): request is Request => {
  const { url, headers }: { url?: unknown; headers?: unknown } = Object(request)
  return typeof url === 'string' && typeof headers === 'object' && headers !== null && 'get' in headers
}

/** Serves operations through an application of `fetchApp()`, which does not have other routes. */
export const fetchHost: HostAdapter = {
  name: 'an application from fetchApp()',
  accepts: isFetchApp,
  attach: (app): Host => {
    if (!isFetchApp(app)) throw new StartError('The application must be the result of fetchApp().')
    const { [mountable]: mounted } = app
    const { base, table, clientAddress } = mounted
    return {
      base,
      log: stderrLog,
      ...(clientAddress === undefined && { knowsAddresses: false }),
      serves: (method, path) =>
        path.startsWith(`${base}/`) && table.find(path.slice(base.length))?.methods.has(method) === true,
      routes: () => [],
      callOf: (request) =>
        isRequest(request) ? new FetchCall(request, readTarget(request.url), {}, clientAddress) : undefined,
      mount: async (operations, serve) => {
        for (const operation of operations) table.add({ operation, serve })
      },
      // `Request.formData()` works with every method.
      readForms: async () => undefined,
    }
  },
}

/** An application that takes a `Request` and returns a `Response`. Mount it in Bun, Deno, Hono or Next.js. */
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

interface MountableApp extends FetchApp {
  readonly [mountable]: Mounted
}

const mountable: unique symbol = Symbol('modelrest.fetch')

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
  if (!/^(\/[^/?#\s]+)*\/?$/.test(base))
    throw new StartError(`fetchApp: base must be a path such as /api, not ${JSON.stringify(base)}.`)
  if (clientAddress !== undefined && typeof clientAddress !== 'function')
    throw new StartError('fetchApp: clientAddress must be a function: (request) => string | undefined.')
  const mounted = { base: base.replace(/\/$/, ''), table: routeTable(), clientAddress }
  return Object.freeze<MountableApp>({ fetch: answerer(mounted), [mountable]: mounted })
}
