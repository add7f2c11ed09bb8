import type { IncomingHttpHeaders } from 'node:http'
import { type AuthRoutesOn, authRoutes } from '../app/on-host.ts'
import { isNestApp, type NestApp, type NestHost, nestHost } from '../host/nest/index.ts'
import type { RequestOperation } from '../host/request-operation.ts'

export { type NestApp, type NestHost, nestHost } from '../host/nest/index.ts'
export * from '../index.ts'
export { ModelRest } from '../nest/model-rest.ts'
export {
  ModelRestModule,
  type ModelRestModuleAsyncOptions,
  type ModelRestModuleOptions,
} from '../nest/module.ts'
export { mergeOpenApi } from '../openapi/merge.ts'

/**
 * The members that the requests of Express and Fastify have in common. For all members of one of them, write `request: Request`
 * or `request: FastifyRequest` in `Register`.
 */
export interface NestRequest {
  readonly method: string
  readonly url: string
  readonly originalUrl: string
  readonly headers: IncomingHttpHeaders
  readonly protocol: string
  readonly hostname: string
  readonly ip?: string | undefined
  /** The operation that serves the request, and its models. `undefined`: a controller of the application serves it. */
  readonly modelrest?: RequestOperation
}

declare module '../model/types.ts' {
  interface HostRequests {
    nest: NestRequest
  }
}

/**
 * Registers only the authentication routes, below `/auth`. Call it before the application listens. The result authenticates
 * requests to your own controllers.
 *
 * @throws StartError for a mistake in options or settings, if there is no user model, or if Nest has started
 */
export const registerAuthRoutes: AuthRoutesOn<NestApp | NestHost, NestRequest> = async (app, options) =>
  authRoutes(isNestApp(app) ? nestHost(app) : app, options)
