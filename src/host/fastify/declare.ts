import type { Operation } from '../../operation/operation.ts'
import type { Serve } from '../serve.ts'
import type { FastifyApp, FastifyContext, RouteToDeclare } from './app.ts'
import { ignoreBodies, readBodies } from './body.ts'
import { errorHandler } from './errors.ts'
import { onlyWhere } from './only-where.ts'
import { type PathRules, pathForms } from './paths.ts'
import { type FormlessRoute, handlersOf } from './routes.ts'
import { refusalOfOthers } from './wrong-method.ts'

/** The `config` objects of our routes, so that they are told from those of the application. */
const declared = new WeakSet<object>()

/** Says whether a route is one of ours, by its `config`. */
export const isOurs = (config: unknown): boolean =>
  typeof config === 'object' && config !== null && declared.has(config)

/**
 * Declares the operations as routes of a context of their own, so that the application's parsers and ours do not meet.
 * Operations that take a body and those that ignore it have different parsers.
 */
export const declareOperations = async (
  app: FastifyApp,
  context: FastifyContext,
  operations: readonly Operation[],
  serve: Serve,
  rules: PathRules,
): Promise<void> => {
  context.setErrorHandler(errorHandler(app, rules.useSemicolonDelimiter))
  readBodies(context)
  const withBody = operations.filter(({ body }) => body !== undefined)
  for (const operation of withBody) declareOperation(context, operation, serve, rules)
  await context.register(async (inner: FastifyContext) => {
    ignoreBodies(inner)
    for (const operation of operations)
      if (operation.body === undefined) declareOperation(inner, operation, serve, rules)
    for (const { template, ...route } of refusalOfOthers(inner, operations, rules))
      declareForms(inner, template, rules, route)
  })
}

const declareOperation = (
  context: FastifyContext,
  operation: Operation,
  serve: Serve,
  rules: PathRules,
): void => {
  declareForms(context, operation.path, rules, {
    ...handlersOf(operation, serve, rules),
    method: operation.method,
    config: { operationId: operation.id, tag: operation.tag },
    ...(operation.tag !== undefined && { schema: shownSchema(operation) }),
  })
}

const declareForms = (
  context: FastifyContext,
  template: string,
  rules: PathRules,
  { condition, schema, ...route }: FormlessRoute,
): void => {
  declared.add(route.config)
  for (const form of pathForms(context.prefix, template, rules)) {
    const conditions = [form.condition, condition].filter((one) => one !== undefined)
    context.route({
      ...route,
      url: form.url,
      schema: form.canonical && schema !== undefined ? schema : { hide: true },
      exposeHeadRoute: route.method === 'GET',
      prefixTrailingSlash: 'slash',
      ...(conditions.length > 0 && {
        constraints: onlyWhere((request) => conditions.every((holds) => holds(request))),
      }),
    } satisfies RouteToDeclare)
  }
}

const shownSchema = ({
  id,
  summary,
  description,
  deprecated,
  tag,
}: Operation): Readonly<Record<string, unknown>> => ({
  operationId: id,
  summary,
  tags: [tag],
  ...(description !== undefined && { description }),
  ...(deprecated !== undefined && { deprecated }),
})
