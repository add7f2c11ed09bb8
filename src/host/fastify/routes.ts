import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import { StartError } from '../../error/errors.ts'
import type { Operation } from '../../operation/operation.ts'
import { perMethod } from '../path-table.ts'
import { type Params, readTarget, segmentsOf } from '../paths.ts'
import { type RequestOperation, requestOperation } from '../request-operation.ts'
import type { Serve } from '../serve.ts'
import type { FastifyApp } from './app.ts'
import { guardOperations, rememberRoute } from './declared.ts'
import { errorHandler } from './errors.ts'
import { type CallOf, dispatch, fastifyCall, handlersOf, readBodies, requestParams } from './handlers.ts'
import {
  fullUrl,
  hasOther,
  onlyWhere,
  type PathRules,
  pathForms,
  type RouteCondition,
  routedPath,
} from './paths.ts'

type OperationOf = (request: FastifyRequest) => RequestOperation | undefined

/** In the `config` of modelrest's routes, of which Fastify makes copies. */
const OPERATION_OF: unique symbol = Symbol('modelrest.operationOf')

const isConfig = (config: unknown): config is { readonly [OPERATION_OF]: OperationOf } =>
  typeof config === 'object' && config !== null && OPERATION_OF in config

/** Whether a route is one of modelrest, by its `config`. */
export const isOurs: (config: unknown) => boolean = isConfig

/** The operation that serves a request, by the route that the router has chosen. */
export const operationOf: OperationOf = (request) => {
  const { config } = request.routeOptions
  return isConfig(config) ? config[OPERATION_OF](request) : undefined
}

/** Declares operations as routes in a separate context, so their parsers do not affect those of the application. */
export const declareOperations = (
  app: FastifyApp,
  context: FastifyInstance,
  operations: readonly Operation[],
  serve: Serve,
  rules: PathRules,
): void => {
  const callOf: CallOf = (request) => fastifyCall(request, rules, undefined, serve)
  context.setErrorHandler(errorHandler(app, callOf))
  readBodies(context)
  decorateRequests(context)
  const long = [...Map.groupBy(operations, ({ path }) => path)].flatMap(([template, ofPath]) =>
    declarePath(app, context, template, ofPath, serve, rules, callOf),
  )
  for (const [url, ofUrl] of Map.groupBy(long, (one) => one.url)) declareLong(context, url, ofUrl)
  for (const { instead } of operations)
    if (instead !== undefined) declareInstead(context, instead, serve, rules)
  guardOperations(app, rules, isOurs)
}

/** Only the requests of this context have it, which are those to operations. */
const decorateRequests = (context: FastifyInstance): void => {
  if (context.hasRequestDecorator(DECORATOR))
    throw new StartError(
      `The application has a request decorator ${DECORATOR}, which modelrest needs on its routes. Give it another name.`,
    )
  context.decorateRequest(DECORATOR, {
    getter(this: FastifyRequest) {
      return operationOf(this)
    },
  })
}

const DECORATOR = 'modelrest'

/** What hooks of the application read, too. */
interface Config extends FastifyContextConfig {
  readonly operations: Readonly<Record<string, string>>
  readonly tag: string | undefined
  readonly [OPERATION_OF]: OperationOf
}

/** The `config` of the routes of a path. */
const configOf = (
  operations: readonly Operation[],
  readParams: (request: FastifyRequest) => Params | undefined,
  { useSemicolonDelimiter }: PathRules,
): Config => {
  const byMethod = perMethod(operations, (operation) => operation)
  const ofRequest: OperationOf = (request) => {
    const operation = byMethod.get(request.method)
    const params = operation && readParams(request)
    const { query } = readTarget(request.originalUrl, useSemicolonDelimiter)
    return params && requestOperation(operation, { params, query })
  }
  const ids = Object.fromEntries(perMethod(operations, ({ id }) => id))
  return { operations: ids, tag: operations[0]?.tag, [OPERATION_OF]: ofRequest }
}

/**
 * A path that the route of another one matches, too, has routes of its own, so that `config` tells hooks the operation that runs.
 * They leave keys that are percent-encoded to the other one.
 */
const declareInstead = (
  context: FastifyInstance,
  operation: Operation,
  serve: Serve,
  rules: PathRules,
): void => {
  const { path } = operation
  const { canonical, other } = pathForms(context.prefix, path, rules)
  const name = segmentsOf(path).at(-1)
  const isWritten = (raw: IncomingMessage) => segmentsOf(routedPath(raw, rules)).at(-1) === name
  const config = configOf([operation], requestParams(path, rules), rules)
  const isReplaced = context.hasRoute({ method: operation.method, url: fullUrl(context.prefix, canonical) })
  for (const url of [canonical, ...(other === undefined ? [] : [other.url])])
    context.route({
      ...{ exposeHeadRoute: false, prefixTrailingSlash: 'slash', config, url },
      ...handlersOf(operation, serve, rules),
      method: Object.keys(config.operations),
      schema: url === canonical && !isReplaced ? shown(operation) : hidden,
      constraints: onlyWhere(hasOther(context, url, rules), isWritten),
    })
}

/**
 * One route for each operation, at the documented path, and two for everything else, because each route costs startup time:
 * one for HEAD (whose body the server drops) and rejected methods, and one for all methods of the path's other form.
 */
const declarePath = (
  app: FastifyApp,
  context: FastifyInstance,
  template: string,
  operations: readonly Operation[],
  serve: Serve,
  rules: PathRules,
  callOf: CallOf,
): readonly LongPath[] => {
  const { canonical, other, long } = pathForms(context.prefix, template, rules)
  const byMethod = perMethod(operations, (operation) => handlersOf(operation, serve, rules))
  const own = new Set<string>(operations.map(({ method }) => method))

  const supported = context.supportedMethods.filter((method) => method !== 'OPTIONS')
  const readParams = requestParams(template, rules)
  const isPath = (request: FastifyRequest) => readParams(request) !== undefined
  const isTheirs = hasOther(context, canonical, rules, own)
  // A long key, which only the second form takes, does not reach a route of the application either.
  const isTheirsToo =
    other === undefined || other.condition !== undefined ? isTheirs : hasOther(context, other.url, rules)
  const rejecting = (theirs: (method: string) => boolean) => ({
    isPath,
    allowed: () => supported.filter((method) => byMethod.has(method) || theirs(method)),
    callOf,
  })

  const config = configOf(operations, readParams, rules)
  const common = { exposeHeadRoute: false, prefixTrailingSlash: 'slash', config } as const
  const rest = { ...common, schema: hidden }
  for (const operation of operations) {
    const handlers = byMethod.get(operation.method)
    if (handlers === undefined) continue
    const { method } = operation
    context.route({ ...common, ...handlers, method, schema: shown(operation), url: canonical })
    rememberRoute(app, fullUrl(context.prefix, canonical), operation, rules)
  }
  context.route({
    ...rest,
    ...dispatch(byMethod, rejecting(isTheirs)),
    url: canonical,
    method: supported.filter((method) => !own.has(method)),
    constraints: onlyWhere(isTheirs),
  })
  if (other !== undefined)
    context.route({
      ...rest,
      ...dispatch(byMethod, rejecting(isTheirsToo)),
      url: other.url,
      method: [...supported],
      constraints: onlyWhere(isTheirsToo, other.condition),
    })
  if (long === undefined) return []
  const handlers = dispatch(byMethod, rejecting(isTheirs))
  return [{ ...long, handlers, config, isTheirs }]
}

/** How a path takes long keys. */
interface LongPath {
  readonly url: string
  readonly condition: RouteCondition
  readonly handlers: ReturnType<typeof dispatch>
  readonly config: Config
  readonly isTheirs: (method: string) => boolean
}

/**
 * One route for the long keys of all paths below a record: the router accepts 31 with conditions at one place, and a model may
 * have any number of relations. Its `config` cannot name one operation, but tells that of each request.
 */
const declareLong = (context: FastifyInstance, url: string, paths: readonly LongPath[]): void => {
  const pathOf = (raw: IncomingMessage): LongPath | undefined =>
    paths.find(({ condition, isTheirs }) => condition(raw) && !isTheirs(raw.method ?? ''))
  const ofRequest: OperationOf = (request) => pathOf(request.raw)?.config[OPERATION_OF](request)
  context.route({
    ...{ exposeHeadRoute: false, prefixTrailingSlash: 'slash', schema: hidden, url },
    config: { operations: {}, tag: paths[0]?.config.tag, [OPERATION_OF]: ofRequest } satisfies Config,
    onRequest: (request, reply, done) => pathOf(request.raw)?.handlers.onRequest(request, reply, done),
    handler: (request, reply) => pathOf(request.raw)?.handlers.handler(request, reply),
    method: context.supportedMethods.filter((method) => method !== 'OPTIONS'),
    constraints: onlyWhere(
      () => false,
      (raw) => pathOf(raw) !== undefined,
    ),
  })
}

/** The schema for plugins that document an application. Operations without a tag are hidden. */
const shown = ({ id, summary, description, deprecated, tag }: Operation): object =>
  tag === undefined
    ? hidden
    : {
        operationId: id,
        summary,
        tags: [tag],
        ...(description !== undefined && { description }),
        ...(deprecated !== undefined && { deprecated }),
      }

const hidden: object = { hide: true }
