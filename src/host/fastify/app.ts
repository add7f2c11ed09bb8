/** What we write to of Fastify's logger. */
export interface FastifyLog {
  info(line: string): void
  info(details: object, line: string): void
  warn(line: string): void
  warn(details: object, line: string): void
  error(details: object, line: string): void
}

/** What an `onRoute` hook is told of a route. */
export interface DeclaredRoute {
  readonly method: string | readonly string[]
  readonly url: string
  readonly schema?: unknown
  readonly config?: unknown
}

/** The settings of Fastify's router that change how a path is read. */
export interface RouterOptions {
  readonly ignoreTrailingSlash?: boolean
  readonly ignoreDuplicateSlashes?: boolean
  readonly caseSensitive?: boolean
  readonly useSemicolonDelimiter?: boolean
}

/**
 * What we call of a Fastify 5 application, or of the `api` that a plugin gets.
 *
 * An instance with another logger, with http2 or with a type provider fits.
 */
export interface FastifyApp {
  /** Where a plugin is mounted. */
  readonly prefix: string
  readonly log: FastifyLog
  readonly initialConfig: RouterOptions & { readonly routerOptions?: RouterOptions }
  errorHandler(error: unknown, request: object, reply: object): unknown
  addHook(name: 'onRoute', hook: (route: DeclaredRoute) => void): unknown
  addConstraintStrategy(strategy: object): void
  hasConstraintStrategy(name: string): boolean
  /** The schemas that the application shares by `$id`. */
  getSchemas(): Readonly<Record<string, unknown>>
  hasRoute(route: { readonly method: string; readonly url: string }): boolean
  register(plugin: object): PromiseLike<unknown>
}
