import type { FastifyInstance, FastifyRequest } from 'fastify'
import { StartError } from '../../error/errors.ts'
import { carrying, type Host, type HostAdapter, readPrefix } from '../host.ts'
import type { FastifyApp } from './app.ts'
import { isOperation } from './declared.ts'
import { collectRoutes, shareSchemas } from './docs.ts'
import { type Handling, handleProblems } from './errors.ts'
import { putPatch } from './forms.ts'
import { FastifyHead, fastifyCall, toLog } from './handlers.ts'
import { addConditions, pathRules, toFastifyPath, withoutSlash } from './paths.ts'
import { declareOperations, operationOf } from './routes.ts'

export type { FastifyApp } from './app.ts'
export { filesOf, readForm } from './forms.ts'

const methods = ['register', 'route', 'addHook', 'hasRoute', 'addConstraintStrategy', 'setErrorHandler']

const isFastify = (app: unknown): app is FastifyApp & Handling =>
  typeof app === 'object' &&
  app !== null &&
  methods.every((name) => typeof Reflect.get(app, name) === 'function')

const isRequest = (request: unknown): request is FastifyRequest => {
  const { originalUrl, raw }: { originalUrl?: unknown; raw?: unknown } = Object(request)
  return originalUrl !== undefined && typeof raw === 'object' && raw !== null
}

/** A host that has all optional members that Fastify needs. */
type FastifyHost = Host &
  Required<
    Pick<Host, 'operationOf' | 'serves' | 'replaced' | 'routes' | 'problems' | 'beforeStart' | 'readForms'>
  >

interface FastifyAdapter extends HostAdapter {
  accepts(app: unknown): app is FastifyApp
  attach(app: unknown): FastifyHost
}

/**
 * @param prefix below that of the application, without a slash at its end
 * @param options how Fastify registers the routes of operations
 */
const attach = (app: FastifyApp, prefix = '', options: object = {}): FastifyHost => {
  const routes = beforeStart(() => collectRoutes(app))
  const rules = pathRules(app)
  const base = withoutSlash(app.prefix) + prefix
  /** With and without a slash at the end. The base is a path of Fastify already. */
  const routesAt = (method: string, path: string): readonly string[] => {
    const url = base + toFastifyPath(path.slice(base.length))
    const other = url.endsWith('/') ? url.slice(0, -1) : `${url}/`
    return [url, other].filter((form) => app.hasRoute({ method, url: form }))
  }
  return {
    base,
    reportsSent: true,
    log: toLog(app.log),
    serves: (method, path) => routesAt(method, path).length > 0,
    replaced: async (operations) => {
      await beforeStart(() => app.after())
      return operations.filter(({ method, path }) =>
        routesAt(method, base + path).some((url) => !isOperation(app, method, url, rules)),
      )
    },
    routes,
    problems: (other, given) => {
      if (!isFastify(other))
        throw new StartError('problems(app): app must be a Fastify application or a plugin of it.')
      beforeStart(() =>
        handleProblems(other, (request) => fastifyCall(request, rules, undefined, given), given),
      )
    },
    beforeStart: (check) => void app.addHook('onReady', async () => check()),
    headOf: (request) => (isRequest(request) ? new FastifyHead(request) : undefined),
    operationOf: (request) => (isRequest(request) ? operationOf(request) : undefined),
    mount: async (operations, serve) => {
      const modelrest = async (context: FastifyInstance) =>
        declareOperations(app, context, operations, serve, rules)
      // Fastify compares a plugin without a name with every module that the process has loaded.
      Object.assign(modelrest, { [Symbol.for('fastify.display-name')]: 'modelrest' })
      await beforeStart(() => {
        addConditions(app)
        shareSchemas(app, operations)
        return app.register(modelrest, { ...options, prefix })
      })
    },
    readForms: async (limits) => {
      await beforeStart(() => app.register(putPatch(limits)))
    },
  }
}

/** Serves operations as native routes of a Fastify 5 application. */
export const fastifyHost: FastifyAdapter = {
  name: 'a Fastify application',
  accepts: isFastify,
  attach: (app) => {
    if (!isFastify(app)) throw new StartError('The application must be a Fastify application.')
    return attach(app)
  },
}

/**
 * What `ModelRest` takes to serve below a prefix of an application, whose other routes and errors it knows, too.
 *
 * @throws StartError if the prefix is not a text, or the application has it already
 */
export const fastifyBelow = (app: FastifyApp, given: unknown = '', options: object = {}): object => {
  if (typeof given !== 'string')
    throw new StartError(`modelRest: prefix must be a path such as /api, not ${JSON.stringify(given)}.`)
  const prefix = readPrefix(given)
  if (prefix !== '' && withoutSlash(app.prefix).endsWith(prefix))
    throw new StartError(
      `modelRest: the plugin that registers it has the path ${app.prefix} already, so its paths would start with ${withoutSlash(app.prefix)}${prefix}. Remove prefix: '${given}'.`,
    )
  return carrying(attach(app, prefix, options), {})
}

/** Fastify does not accept routes after it has started. */
const beforeStart = <T>(act: () => T): T => {
  try {
    return act()
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(
      'Fastify has already started. Create ModelRest and await init() before listen(), ready() and inject().',
      { cause: error },
    )
  }
}
