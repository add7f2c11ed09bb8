import { assertKnown, assertMembers, StartError } from '../error/errors.ts'
import type { Log } from '../observe/log.ts'
import type { Call } from '../operation/call.ts'
import type { HostRoute, Operation } from '../operation/operation.ts'
import type { MultipartLimits } from '../upload/multipart-settings.ts'
import { HeadCall, type RequestHead } from './call.ts'
import type { RequestOperation } from './request-operation.ts'
import type { Serve } from './serve.ts'

/** The interface between a server and its operations. `serve.ts` decides everything else: errors, bodies, responses. */
export interface Host {
  /** The path where the application is mounted, without a trailing slash: `/api`, or an empty string. */
  readonly base: string
  readonly log: Log
  /** `false`: the host never knows the address of a client, so limits per address do not apply. @default true */
  readonly knowsAddresses?: boolean
  /** The host calls `sent` of each response. @default false */
  readonly reportsSent?: boolean
  /**
   * The head of a request of the application's own routes, for `rest.authenticate(request)`. `undefined`: it is not a
   * request of this host.
   */
  headOf(request: unknown): RequestHead | undefined
  /**
   * The operation that serves a request, for `rest.operationOf(request)`. It is the one that runs, and known before the first
   * hook or middleware of the application. `undefined`: no operation serves the request. Absent: the host cannot know it.
   */
  operationOf?(request: unknown): RequestOperation | undefined
  /**
   * Adds operations to the application. May be called several times.
   *
   * @throws StartError if the application has started already.
   */
  mount(operations: readonly Operation[], serve: Serve): void | Promise<void>
  /**
   * Whether this path is served already, by `mount` or by the application itself. The path includes the base:
   * `/api/products/{id}`. Absent: unknown, so collisions are not refused at start.
   */
  serves?(method: string, path: string): boolean
  /**
   * Which of these operations the application serves by routes of its own, which replace them. Called before `mount`, which does
   * not receive them then. Absent: none.
   */
  replaced?(operations: readonly Operation[]): readonly Operation[] | Promise<readonly Operation[]>
  /** The application's own routes, for the OpenAPI document. Absent: the document contains only the models. */
  routes?(): readonly HostRoute[]
  /**
   * Makes the errors of the application's own routes problem documents. Absent: the host cannot.
   *
   * @param app the application, or a part of it with own routes
   * @throws StartError if `app` is not one of the host
   */
  problems?(app: object, context: ProblemsContext): void
  /**
   * Calls `check` when the application starts: an error that it throws prevents the start. Absent if the host has no
   * startup event.
   */
  beforeStart?(check: () => void): void
  /**
   * Lets the application's own routes read forms in PUT and PATCH requests, as in POST requests. Absent: they can.
   *
   * @throws StartError if the application has started already.
   */
  readForms?(limits: MultipartLimits): void | Promise<void>
}

/** The parameters of {@link Host.problems}: the options, and what makes an error a problem document. */
export interface ProblemsContext extends Pick<Serve, 'loggable' | 'codes' | 'log'> {
  /** Whether the responses for unknown paths are problem documents, too. */
  readonly notFound: boolean
}

/**
 * The call of a request to the application's own routes.
 *
 * @param method the public method that got the request, for the error
 * @throws Error if it is not a request of this host
 */
export const callOf = (host: Pick<Host, 'headOf'>, request: unknown, method: string): Call => {
  const head = host.headOf(request)
  if (head !== undefined) return new HeadCall(head)
  throw new Error(`${method}() must be called with a request that the application received.`)
}

/** Finds the host of an application that does not carry one, such as a Fastify application. */
export interface HostAdapter {
  readonly name: string
  accepts(app: unknown): boolean
  /** @throws StartError if the application has started already. */
  attach(app: unknown): Host
}

/** An adapter for applications that a guard recognizes. */
export const adapterFor = <App>(
  name: string,
  accepts: (app: unknown) => app is App,
  attach: (app: App) => Host,
): HostAdapter => ({
  ...{ name, accepts },
  attach: (app) => {
    if (!accepts(app)) throw new StartError(`The application must be ${name}.`)
    return attach(app)
  },
})

/**
 * The error of an application that is mounted at a path that its base does not start with. It would look like a missing path.
 *
 * @param remedy what to write instead
 */
export const misplaced = (base: string, path: string, remedy: string): StartError | undefined =>
  `${base}/`.toLowerCase().startsWith(`${path}/`.toLowerCase())
    ? undefined
    : new StartError(`modelrest is mounted at ${path}, but its base is ${JSON.stringify(base)}. ${remedy}`)

/** The version of the port, which changes if a host must be rewritten. */
const VERSION = 1

/** Registered, because the application may have another copy of this package than the host. */
const CARRIED = Symbol.for('modelrest.host')

interface Carried {
  readonly version: number
  readonly host: Host
}

/**
 * Lets `new ModelRest(app, …)` serve through a host. `app` is what users get: a handler, or an object with one.
 *
 * @param host an object literal: its own members are copied, those of a class are not
 * @param app the application. It must be extensible, and it gets a property that is not enumerable.
 * @throws StartError if a member of the host is missing or has the wrong type
 * @returns `app`
 */
export const defineHost = <App extends object>(host: Host, app: App): App => {
  assertShape(host)
  if (Object.hasOwn(Object(app), CARRIED)) throw new StartError('defineHost: app already has a host.')
  if (!Object.isExtensible(app))
    throw new StartError('defineHost: app must be an object or function that is not frozen or sealed.')
  return carrying(host, app)
}

/** Lets an application carry a host of this package, which needs no checks. */
export const carrying = <App extends object>(host: Host, app: App): App => {
  const carried: Carried = { version: VERSION, host: Object.freeze({ ...host }) }
  return Object.defineProperty(app, CARRIED, { value: carried })
}

/** The host that `defineHost` gave to an application. @throws StartError if it is made for another version of the port */
export const carriedHost = (app: object): Host | undefined => {
  const carried: Carried | undefined = Reflect.get(Object(app), CARRIED)
  if (carried === undefined) return undefined
  if (carried.version !== VERSION)
    throw new StartError(
      `ModelRest: the host of the application is made for version ${carried.version} of modelrest/host, and this is version ${VERSION}. Install matching versions of both packages.`,
    )
  return carried.host
}

const members = {
  required: { base: 'string', log: 'object', headOf: 'function', mount: 'function' },
  optional: {
    knowsAddresses: 'boolean',
    operationOf: 'function',
    reportsSent: 'boolean',
    serves: 'function',
    replaced: 'function',
    routes: 'function',
    problems: 'function',
    beforeStart: 'function',
    readForms: 'function',
  },
} as const

const memberNames = [...Object.keys(members.required), ...Object.keys(members.optional)]

const assertShape = (host: Host): void => {
  // Members of a class would not be copied.
  const own = { ...host }
  for (const name of Object.keys(own)) assertKnown('defineHost: unknown member', name, memberNames)
  assertMembers('defineHost', own, members)
  for (const name of ['info', 'warn', 'error'])
    if (typeof Reflect.get(host.log, name) !== 'function')
      throw new StartError(`defineHost: log.${name} must be a function.`)
  assertBase('defineHost', host.base)
}

/**
 * The base of an application from its options, where one slash may end it.
 *
 * @throws StartError if it is not a path
 */
export const readBase = (place: string, given: unknown): string => {
  const base = String(given).replace(/(?<!\/)\/$/, '')
  assertBase(place, base)
  if (/\/[:*]|\{/.test(base))
    throw new StartError(`${place}: base must be a path without parameters, unlike ${JSON.stringify(base)}.`)
  return base
}

/** The prefix of a framework as a path: `api/` -> `/api`. */
export const readPrefix = (given: string): string => given.replace(/^\/*(?=[^/])/, '/').replace(/\/+$/, '')

/** @throws StartError if no path of a request can start with it. Its message begins with `place` */
const assertBase = (place: string, base: string): void => {
  if (base === '' || (/^(\/[^/?#\s]+)+$/.test(base) && normalized(base) === base)) return
  throw new StartError(
    `${place}: base must be a path such as /api, or an empty string, not ${JSON.stringify(base)}.${suggested(base)}`,
  )
}

/** As clients send it: percent-encoded, and without dot segments. */
const normalized = (path: string): string | undefined => URL.parse(path, 'http://localhost')?.pathname

const suggested = (base: string): string => {
  const path = normalized(base)?.replace(/\/+$/, '') ?? ''
  return path !== '' && base.startsWith('/') && normalized(path) === path ? ` Did you mean ${path}?` : ''
}

/** Settings of the application's own routes. */
export const hostSettings = {
  /**
   * Middleware for the application's own routes: `ProcessPutPatchMiddleware` parses the forms of PUT and PATCH like those of
   * POST. On Fastify, it needs `preParsing: readForm` on the route. @default none
   */
  MIDDLEWARE: { type: 'list of strings', among: ['ProcessPutPatchMiddleware'] },
} as const
