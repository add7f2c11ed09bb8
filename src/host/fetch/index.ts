import { StartError } from '../../error/errors.ts'
import { stderrLog } from '../../observe/log.ts'
import type { Host, HostAdapter } from '../host.ts'
import { readTarget, routeTable } from '../paths.ts'
import { answerer, FetchCall, type Mounted } from './answer.ts'

const isFetchApp = (app: unknown): app is MountableApp =>
  typeof app === 'object' && app !== null && mountable in app

/** By what it has: runtimes and tests bring a `Request` of their own. */
const isRequest = (request: unknown): request is Request => {
  const { url, headers }: { url?: unknown; headers?: unknown } = Object(request)
  return typeof url === 'string' && typeof headers === 'object' && headers !== null && 'get' in headers
}

/** Serves operations through an application of `fetchApp()`. It has no routes of its own. */
export const fetchHost: HostAdapter = {
  name: 'an application of fetchApp()',
  accepts: isFetchApp,
  attach: (app): Host => {
    if (!isFetchApp(app)) throw new StartError('This is no application of fetchApp().')
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
      // A Request reads its form by itself, whatever its method.
      readForms: async () => undefined,
    }
  },
}

/** An application that answers a `Request` with a `Response`, as Bun, Deno, Hono and Next.js mount them. */
export interface FetchApp {
  /**
   * Answers a request. It never rejects. Usable on its own, without `this`.
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

/** What {@link fetchApp} takes. */
interface FetchAppOptions {
  /**
   * Where the application is mounted, as `/api`: every path starts with it.
   *
   * @default ''
   */
  readonly base?: string
  /**
   * Tells the IP address of the client, which a `Request` does not know: the limit of failed logins counts by it.
   *
   * @default it is unknown
   */
  readonly clientAddress?: (request: Request) => string | undefined
}

interface MountableApp extends FetchApp {
  readonly [mountable]: Mounted
}

const mountable: unique symbol = Symbol('modelrest.fetch')

/**
 * Makes an application that serves through the Fetch API alone.
 *
 * Until `init()` is done it answers 503. OPTIONS is a 404: CORS is a matter of what stands before it.
 *
 * @throws StartError where `base` is no path, or `clientAddress` no function.
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
    throw new StartError(`fetchApp: base must be a path as /api, not ${JSON.stringify(base)}.`)
  if (clientAddress !== undefined && typeof clientAddress !== 'function')
    throw new StartError('fetchApp: clientAddress must be a function: (request) => string | undefined.')
  const mounted = { base: base.replace(/\/$/, ''), table: routeTable(), clientAddress }
  return Object.freeze<MountableApp>({ fetch: answerer(mounted), [mountable]: mounted })
}
