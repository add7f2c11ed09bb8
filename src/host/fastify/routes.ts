import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Operation } from '../../operation/operation.ts'
import type { Serve } from '../serve.ts'
import type { FastifyApp } from './app.ts'
import { guardOperations, rememberRoute } from './declared.ts'
import { errorHandler } from './errors.ts'
import { type CallOf, dispatch, fastifyCall, handlersOf, readBodies, requestParams } from './handlers.ts'
import { fullUrl, hasOther, onlyWhere, type PathRules, pathForms } from './paths.ts'

/** The `config` objects of modelrest's routes, to distinguish them from routes of the application. */
const declared = new WeakSet<object>()

export const isOurs = (config: unknown): boolean =>
  typeof config === 'object' && config !== null && declared.has(config)

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
  for (const [template, ofPath] of Map.groupBy(operations, ({ path }) => path))
    declarePath(app, context, template, ofPath, serve, rules, callOf)
  guardOperations(app, rules, isOurs)
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
): void => {
  const { canonical, other } = pathForms(context.prefix, template, rules)
  const byMethod = new Map(
    operations.map((operation) => [operation.method as string, handlersOf(operation, serve, rules)]),
  )
  const own = new Set(byMethod.keys())
  const ofGet = byMethod.get('GET')
  if (ofGet !== undefined) byMethod.set('HEAD', ofGet)

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

  const config: object = { operations: idsByMethod(operations), tag: operations[0]?.tag }
  const common = { exposeHeadRoute: false, prefixTrailingSlash: 'slash', config } as const
  const rest = { ...common, schema: hidden }
  declared.add(config)
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
  if (other === undefined) return
  context.route({
    ...rest,
    ...dispatch(byMethod, rejecting(isTheirsToo)),
    url: other.url,
    method: [...supported],
    constraints: onlyWhere(isTheirsToo, other.condition),
  })
}

const idsByMethod = (operations: readonly Operation[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    operations.flatMap(({ method, id }) => [[method, id], ...(method === 'GET' ? [['HEAD', id]] : [])]),
  )

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
