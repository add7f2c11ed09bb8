import type { ByteStream, RawRequest, RawResponse } from '../node/request.ts'

/** What we write to of Fastify's logger. */
export interface FastifyLog {
  info(line: string): void
  info(details: object, line: string): void
  warn(line: string): void
  warn(details: object, line: string): void
  error(details: object, line: string): void
}

/** What we use of Fastify's request. */
export interface FastifyRequest {
  readonly id: string
  readonly method: string
  readonly originalUrl: string
  readonly protocol: string
  /** `undefined` where the server listens on no IP address. */
  readonly ip: string | undefined
  readonly raw: RawRequest
  readonly log: FastifyLog
  readonly body: unknown
  /** The application has no such route. */
  readonly is404: boolean
}

/** What we use of Fastify's reply. */
export interface FastifyReply {
  readonly statusCode: number
  readonly request: { readonly method: string; readonly raw: Pick<RawRequest, 'httpVersionMajor'> }
  readonly raw: RawResponse
  code(status: number): unknown
  header(name: string, value: string | string[]): unknown
  removeHeader(name: string): unknown
  serializer(toText: (payload: unknown) => string): unknown
  send(payload?: unknown): unknown
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

/** Says whether a route answers a request. Where it does not, the router looks further, as if the route were not there. */
export type Condition = (request: RawRequest) => boolean

/** A way of the router's to choose among routes with the same path. */
export interface RouteStrategy {
  readonly name: string
  readonly mustMatchWhenDerived?: boolean
  storage(): { get(asked: unknown): unknown; set(value: unknown, handlers: unknown): void }
  deriveConstraint(request: RawRequest): unknown
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
  readonly supportedMethods: string[]
  errorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown
  addHook(name: 'onRoute', hook: (route: DeclaredRoute) => void): unknown
  addConstraintStrategy(strategy: RouteStrategy): void
  hasConstraintStrategy(name: string): boolean
  hasRoute(route: { readonly method: string; readonly url: string }): boolean
  register(plugin: (context: FastifyContext) => Promise<void>): PromiseLike<unknown>
}

/** A route as we declare it. */
export interface RouteToDeclare {
  readonly method: string | string[]
  readonly url: string
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => void
  readonly onRequest?: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void
  readonly exposeHeadRoute: boolean
  readonly prefixTrailingSlash: 'slash' | 'no-slash'
  readonly config: Readonly<Record<string, unknown>>
  readonly schema: Readonly<Record<string, unknown>>
  readonly constraints?: Readonly<Record<string, Condition>>
}

/** Reads the body of a request, or hands it on as it is. */
export type BodyParser = (
  request: FastifyRequest,
  payload: ByteStream,
  done: (error: Error | null, body?: Uint8Array | ByteStream) => void,
) => void

/** Reads the form of a request. What it gives is the request's `body`. */
export type FormParser = (request: FastifyRequest, payload: ByteStream) => Promise<unknown>

/** Goes on with a request. */
export type Done = () => void

/** What we call of our own context, a child of the application. */
export interface FastifyContext extends Omit<FastifyApp, 'addHook'> {
  addHook(
    name: 'preParsing',
    hook: (request: FastifyRequest, reply: FastifyReply, payload: ByteStream, done: Done) => void,
  ): unknown
  addHook(
    name: 'preValidation',
    hook: (request: FastifyRequest, reply: FastifyReply, done: Done) => void,
  ): unknown
  addHook(
    name: 'onError' | 'onSend',
    hook: (request: FastifyRequest, reply: FastifyReply, about: unknown, done: Done) => void,
  ): unknown
  route(route: RouteToDeclare): unknown
  removeAllContentTypeParsers(): void
  addContentTypeParser(types: string[], parser: BodyParser): unknown
  addContentTypeParser(types: RegExp, parser: FormParser): unknown
  setErrorHandler(onError: (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown): unknown
}
