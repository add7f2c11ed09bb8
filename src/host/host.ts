import type { Log } from '../observe/log.ts'
import type { Call } from '../operation/call.ts'
import type { HostRoute, Operation } from '../operation/operation.ts'
import type { MultipartLimits } from '../upload/multipart-settings.ts'
import type { Serve } from './serve.ts'

/** What a server must implement to serve operations. `serve.ts` decides everything else: errors, bodies, responses. */
export interface Host {
  /** The path where the application is mounted, without a trailing slash: `/api`, or an empty string. */
  readonly base: string
  readonly log: Log
  /** `false`: the host never knows the address of a client, so limits per address do not apply. */
  readonly knowsAddresses?: false
  /** Whether the application itself serves this path. The path includes the base: `/api/products/{id}`. */
  serves(method: string, path: string): boolean
  /** The application's own routes as far as they are known: those declared after `attach`. */
  routes(): readonly HostRoute[]
  /**
   * Calls `check` when the application starts: an error that it throws prevents the start. Absent if the host has no
   * startup event.
   */
  beforeStart?(check: () => void): void
  /** A request of the host as a call without path parameters; `undefined` if it is not a request of this host. */
  callOf(request: unknown): Call | undefined
  /**
   * Adds operations to the application. May be called several times.
   *
   * @throws StartError if the application has started already.
   */
  mount(operations: readonly Operation[], serve: Serve): Promise<void>
  /**
   * Lets the application's own routes read forms in PUT and PATCH requests, as in POST requests.
   *
   * @throws StartError if the application has started already.
   */
  readForms(limits: MultipartLimits): Promise<void>
}

/** A kind of server. `attach` receives the application that was passed to `ModelRest`. */
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
