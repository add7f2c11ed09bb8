import { ModelRest as AnyModelRest } from '../app/model-rest.ts'
import type { ModelRestOptions } from '../app/options.ts'
import { isNestApp, type NestApp, type NestHost, nestHost } from '../host/nest/index.ts'
import type { Registered } from '../model/types.ts'

/**
 * Serves models in an application of Nest 12 or 11, on Express or on Fastify. Await `init()` before the application listens. The
 * class is also the token by which Nest injects the instance of `ModelRestModule`.
 *
 * @throws StartError for a mistake in options, settings or models, or if Nest has started
 * @example
 * ```ts
 * import { NestFactory } from '@nestjs/core'
 * import { ModelRest } from 'modelrest/nest'
 * import type { ModelSource } from 'modelrest'
 *
 * export const start = async (module: object, models: ModelSource): Promise<void> => {
 *   const app = await NestFactory.create(module)
 *   await new ModelRest(app, { models }).init()
 *   await app.listen(3000)
 * }
 * ```
 */
export class ModelRest<Types = Registered> extends AnyModelRest<Types> {
  constructor(app: NestApp | NestHost, options: ModelRestOptions<Types>) {
    super(isNestApp(app) ? nestHost(app) : app, options)
  }
}
