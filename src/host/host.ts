import type { Log } from '../observe/log.ts'
import type { Operation } from '../operation/operation.ts'
import type { Serve } from './serve.ts'

/** A route of the host's own, shown in the documentation beside the generated ones. */
export interface HostRoute {
  readonly method: string
  /** In the form of OpenAPI: `/hello/{name}`. */
  readonly path: string
  /** What the host knows of it: a part of an OpenAPI operation object. */
  readonly operation: Readonly<Record<string, unknown>>
}

/** What a server must do to serve operations. Everything else (errors, bodies, replies) is decided in `serve.ts`. */
export interface Host {
  /** Where the application is mounted: `/api`, or an empty string. */
  readonly base: string
  readonly log: Log
  /** Says whether the application serves this path itself already. */
  serves(method: string, path: string): boolean
  /** The host's own routes, as far as it can tell them. */
  routes(): readonly HostRoute[]
  /** Adds the operations to the application. Called once. */
  mount(operations: readonly Operation[], serve: Serve): Promise<void>
}

/** A kind of server. `attach` is asked with the application that was given to `ModelRest`. */
export interface HostAdapter {
  readonly name: string
  accepts(app: unknown): boolean
  attach(app: unknown): Host
}
