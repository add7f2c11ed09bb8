import { problem, StartError } from '../../error/errors.ts'
import { HeadCall } from '../call.ts'
import { failureLog } from '../failure-log.ts'
import { replyToError } from '../serve.ts'
import { FetchHead, toResponse } from './answer.ts'
import type { FetchApp } from './index.ts'

/** An application that starts with its first request. */
export interface LazyApp<App extends FetchApp> extends FetchApp {
  /**
   * Starts the application unless it has started, and returns what `start` returned.
   *
   * @throws what `start` throws
   */
  readonly started: () => Promise<App>
}

/** Milliseconds until a failed start is tried again. */
const PAUSE = 1000

/**
 * Creates an application that starts with its first request instead of when its module is loaded: for Next.js, which loads
 * the modules of routes while it builds, and for platforms without I/O outside of requests.
 *
 * Requests wait for the start. If it fails, they get a 503, the log says why, and a request at least one second later starts
 * it again.
 *
 * @param start creates and starts the application
 * @throws StartError if `start` is not a function
 * @example
 * ```ts
 * import { fetchApp, lazyApp, ModelRest } from 'modelrest/fetch'
 * import { memorySource } from 'modelrest/testing'
 *
 * export const { fetch, started } = lazyApp(async () => {
 *   const app = fetchApp({ base: '/api' })
 *   const rest = new ModelRest(app, { models: memorySource([]), controllers: [] })
 *   await rest.init()
 *   return { fetch: app.fetch, rest }
 * })
 * ```
 */
export const lazyApp = <App extends FetchApp>(start: () => App | Promise<App>): LazyApp<App> => {
  if (typeof start !== 'function')
    throw new StartError('lazyApp: start must be a function: async () => { …; return app }.')
  const log = failureLog()
  let starting: Promise<App> | undefined
  let failedAt: number | undefined

  const begin = async (): Promise<App> => {
    try {
      return await start()
    } catch (error) {
      failedAt = performance.now()
      throw error
    }
  }

  const started = (): Promise<App> => {
    if (failedAt !== undefined && performance.now() - failedAt >= PAUSE) {
      failedAt = undefined
      starting = undefined
    }
    starting ??= begin()
    return starting
  }

  const unavailable = (request: Request, cause: unknown): Response => {
    const call = new HeadCall(new FetchHead(request))
    const error = problem('unavailable', 'The service could not be started.', {
      ...{ cause, headers: { 'retry-after': '1' } },
    })
    return toResponse(request, replyToError(error, call, log), call)
  }

  return Object.freeze({
    started,
    fetch: async (request: Request) => {
      let app: App
      try {
        app = await started()
      } catch (error) {
        return unavailable(request, error)
      }
      return app.fetch(request)
    },
  })
}
