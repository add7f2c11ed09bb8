import type { FetchApp } from '../host/fetch/index.ts'
import type { Registered } from '../model/register.ts'
import { ModelRest as AnyModelRest } from '../model-rest.ts'
import type { ModelRestOptions } from '../options.ts'

export { type FetchApp, fetchApp } from '../host/fetch/index.ts'
export * from '../index.ts'

/**
 * `ModelRest` for an application of `fetchApp()`, which answers a `Request` with a `Response`.
 *
 * @throws StartError for a mistake in options, settings or models.
 * @example
 * ```ts
 * import { ModelRest, fetchApp } from 'modelrest/fetch'
 * import type { ModelSource } from 'modelrest'
 *
 * export const serve = async (models: ModelSource): Promise<Response> => {
 *   const app = fetchApp({ base: '/api' })
 *   await new ModelRest(app, { models }).init()
 *   return app.fetch(new Request('http://localhost/api/products/'))
 * }
 * ```
 */
export const ModelRest: new <Types>(app: FetchApp, options: ModelRestOptions<Types>) => AnyModelRest<Types> =
  AnyModelRest
export type ModelRest<Types = Registered> = AnyModelRest<Types>
