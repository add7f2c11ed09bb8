import { StartError } from '../../error/errors.ts'
import type { Operation } from '../../operation/operation.ts'
import type { DeclaredRoute, FastifyApp } from './app.ts'
import type { PathRules } from './paths.ts'

/** The operations that modelrest has declared as routes of a server, by method and path. */
type Declared = Map<string, Operation>

/** All plugins of an application share its server. */
const byServer = new WeakMap<object, Declared>()

const declaredOn = ({ server }: FastifyApp): Declared => {
  const known = byServer.get(server) ?? new Map<string, Operation>()
  byServer.set(server, known)
  return known
}

/** Equal for routes that the router does not accept twice: the names of parameters do not count. */
const keyOf = (method: string, url: string, rules: PathRules): string => {
  const shape = url.replaceAll('::', '\0').replaceAll(/:\w+(?![\w(])/g, ':')
  const folded = rules.caseSensitive ? shape : shape.toLowerCase()
  return `${method} ${rules.ignoreTrailingSlash ? folded.replace(/(?<=.)\/$/, '') : folded}`
}

export const rememberRoute = (app: FastifyApp, url: string, operation: Operation, rules: PathRules): void => {
  declaredOn(app).set(keyOf(operation.method, url, rules), operation)
}

/** Whether the route is an operation, not one of the application. */
export const isOperation = (app: FastifyApp, method: string, url: string, rules: PathRules): boolean =>
  declaredOn(app).has(keyOf(method, url, rules))

const guarded = new WeakSet<object>()

/**
 * Refuses routes that the application declares for an operation that is served already, with an error that says what to
 * write instead of that of the router. A plugin inherits from the one around it, whose routes may have the same paths.
 */
export const guardOperations = (
  app: FastifyApp,
  rules: PathRules,
  isOurs: (config: unknown) => boolean,
): void => {
  const refuse = ({ method: given, url, config, constraints = {} }: DeclaredRoute): void => {
    if (isOurs(config) || Object.keys(constraints).length > 0) return
    // An optional parameter stands for two paths.
    const urls = url.endsWith('?') ? [url.slice(0, -1), url.replace(/\/:[^/]*$/, '')] : [url]
    for (const method of [given].flat()) {
      const operation = urls
        .map((form) => declaredOn(app).get(keyOf(method, form, rules)))
        .find((found) => found !== undefined)
      if (operation !== undefined) throw new StartError(late(method, url, operation))
    }
  }
  for (let context: object = app; isContext(context); context = Object.getPrototypeOf(context)) {
    if (guarded.has(context)) continue
    guarded.add(context)
    context.addHook('onRoute', refuse)
  }
}

const isContext = (value: object): value is FastifyApp =>
  typeof Reflect.get(value, 'addHook') === 'function' && typeof Reflect.get(value, 'prefix') === 'string'

const late = (method: string, url: string, { id, model }: Operation): string => {
  const place = `The application declares ${method} ${url} after init() or app.register(modelRest, …), which serves it as ${id}.`
  return model === undefined
    ? `${place} Give the route another path.`
    : `${place} Declare it before that to replace ${id}, or leave it out with modelConfig.${model}.operations.`
}
