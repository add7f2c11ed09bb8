import type { Log } from '../observe/log.ts'
import type { Call } from '../operation/call.ts'
import type { HostRoute, Operation } from '../operation/operation.ts'
import type { MultipartLimits } from '../upload/multipart-settings.ts'
import type { Serve } from './serve.ts'

/** What a server must do to serve operations. Everything else (errors, bodies, replies) is decided in `serve.ts`. */
export interface Host {
  /** Where the application is mounted: `/api`, or an empty string. Never with a trailing slash. */
  readonly base: string
  readonly log: Log
  /** `false`: it never knows where a request comes from, so that limits per address cannot hold. */
  readonly knowsAddresses?: false
  /** Says whether the application serves this path itself already. The base is a part of it: `/api/products/{id}`. */
  serves(method: string, path: string): boolean
  /** The host's own routes, as far as it can tell them: those that it declared after `attach`. */
  routes(): readonly HostRoute[]
  /** A request of the host's own as a call without path parameters; `undefined` for what is no request of this host. */
  callOf(request: unknown): Call | undefined
  /**
   * Adds operations to the application; called again, it adds more.
   *
   * @throws StartError if the application has started already.
   */
  mount(operations: readonly Operation[], serve: Serve): Promise<void>
  /**
   * Lets the application's own routes read forms by PUT and PATCH as they do by POST (specification, 1.3).
   *
   * @throws StartError if the application has started already.
   */
  readForms(limits: MultipartLimits): Promise<void>
}

/** A kind of server. `attach` is asked with the application that was given to `ModelRest`. */
export interface HostAdapter {
  readonly name: string
  accepts(app: unknown): boolean
  /** @throws StartError if the application has started already. */
  attach(app: unknown): Host
}

/** Settings of the application's own routes. */
export const hostSettings = {
  /**
   * Middleware for the application's own routes: `ProcessPutPatchMiddleware` parses the forms of PUT and PATCH like those of
   * POST. On Fastify, it needs `preParsing: readForm` on the route. @default none
   */
  MIDDLEWARE: { type: 'list of strings', among: ['ProcessPutPatchMiddleware'] },
} as const
