/** The part of Fastify's logger that modelrest uses. */
export interface FastifyLog {
  info(line: string): void
  info(details: object, line: string): void
  warn(line: string): void
  warn(details: object, line: string): void
  error(details: object, line: string): void
}

/** A route as an `onRoute` hook receives it. */
export interface DeclaredRoute {
  readonly method: string | readonly string[]
  readonly url: string
  readonly schema?: unknown
  readonly config?: unknown
  readonly constraints?: object
}

/** The options of Fastify's router that change how paths are read. */
export interface RouterOptions {
  readonly ignoreTrailingSlash?: boolean
  readonly ignoreDuplicateSlashes?: boolean
  readonly caseSensitive?: boolean
  readonly useSemicolonDelimiter?: boolean
}

/**
 * The part of a Fastify 5 application, or of the instance that a plugin receives, that modelrest uses.
 *
 * Instances with any logger, with HTTP/2 or with a type provider are assignable to it.
 */
export interface FastifyApp {
  /** The path where a plugin is mounted. */
  readonly prefix: string
  readonly log: FastifyLog
  /** The server of the whole application. */
  readonly server: object
  readonly initialConfig: RouterOptions & { readonly routerOptions?: RouterOptions }
  errorHandler(error: unknown, request: object, reply: object): unknown
  addHook(name: 'onRoute', hook: (route: DeclaredRoute) => void): unknown
  addHook(name: 'onReady' | 'onClose', hook: () => Promise<void>): unknown
  addConstraintStrategy(strategy: object): void
  hasConstraintStrategy(name: string): boolean
  /** The shared schemas of the application by `$id`. */
  getSchemas(): Readonly<Record<string, unknown>>
  addSchema(schema: object): unknown
  hasRoute(route: { readonly method: string; readonly url: string }): boolean
  register(plugin: object, options?: object): PromiseLike<unknown>
  /** Loads the plugins that are registered so far. */
  after(): PromiseLike<unknown>
}
