import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { decodePath, parameterName, readTarget, segmentsOf } from '../paths.ts'
import type { FastifyApp, RouterOptions } from './app.ts'

export type PathRules = Required<RouterOptions>

/** Fastify stores these options in two places, depending on its version. */
export const pathRules = ({ initialConfig }: FastifyApp): PathRules => {
  const set = (name: keyof RouterOptions): boolean | undefined =>
    initialConfig.routerOptions?.[name] ?? initialConfig[name]
  return {
    ignoreTrailingSlash: set('ignoreTrailingSlash') ?? false,
    ignoreDuplicateSlashes: set('ignoreDuplicateSlashes') ?? false,
    caseSensitive: set('caseSensitive') ?? true,
    useSemicolonDelimiter: set('useSemicolonDelimiter') ?? false,
  }
}

/** The path that the router saw, still percent-encoded. */
export const routedPath = (raw: IncomingMessage, rules: PathRules): string => {
  const { path } = readTarget(raw.url ?? '/', rules.useSemicolonDelimiter)
  return rules.ignoreDuplicateSlashes && path.includes('//') ? path.replaceAll(/\/{2,}/g, '/') : path
}

/** Whether a route takes a request. If not, the router continues as if the route did not exist. */
export type RouteCondition = (request: IncomingMessage) => boolean

interface PathForms {
  /** The documented form. */
  readonly canonical: string
  /** Takes the requests that the canonical form does not take, if the condition holds. */
  readonly other?: { readonly url: string; readonly condition?: RouteCondition }
  /** A wildcard, which many paths have: takes those with a long key, for which its condition holds. */
  readonly long?: { readonly url: string; readonly condition: RouteCondition }
}

/**
 * The forms that together match a path with and without a trailing slash, regardless of the router options.
 *
 * The router limits the length of parameters, but not of wildcards. A path with parameters therefore has an additional
 * wildcard route, which takes only long keys and, if the path ends with the parameter, the trailing slash.
 */
export const pathForms = (prefix: string, template: string, rules: PathRules): PathForms => {
  const canonical = toFastifyPath(template)
  const parameter = template.indexOf('{')
  const wildcard = {
    url: `${toFastifyPath(template.slice(0, parameter))}*`,
    condition: isPathOf(withoutSlash(prefix) + template, rules),
  }
  if (parameter !== -1 && template.indexOf('}') === template.length - 1) return { canonical, other: wildcard }
  const long = parameter !== -1 && { long: wildcard }
  const url = canonical.endsWith('/') ? canonical.slice(0, -1) : `${canonical}/`
  const isRoot = url === '' && prefix === ''
  return { canonical, ...long, ...(rules.ignoreTrailingSlash || isRoot ? {} : { other: { url } }) }
}

/** Converts a path template to Fastify's syntax: `/products/{id}` -> `/products/:id`. */
export const toFastifyPath = (template: string): string =>
  template.replaceAll(':', '::').replaceAll(/\{([^}]+)\}/g, ':$1')

export const fullUrl = (prefix: string, url: string): string =>
  prefix.endsWith('/') && url.startsWith('/') ? prefix + url.slice(1) : prefix + url

export const withoutSlash = (prefix: string): string => prefix.replace(/\/+$/, '')

/** Compares the number of segments and the fixed segments. A prefix may contain `:parameters`. */
const isPathOf = (template: string, rules: PathRules): RouteCondition => {
  const fold = (text: string): string => (rules.caseSensitive ? text : text.toLowerCase())
  const wanted = segmentsOf(template).map((segment) =>
    parameterName(segment) !== undefined || segment.includes(':') ? undefined : fold(segment),
  )
  return (raw) => {
    const found = segmentsOf(decodePath(routedPath(raw, rules)))
    return (
      found.length === wanted.length &&
      wanted.every((segment, at) => segment === undefined || segment === fold(found[at] ?? ''))
    )
  }
}

const STRATEGY = 'modelrest'

/** The route option that limits a route to a condition, and to methods that the application does not serve itself. */
export const onlyWhere = (
  isTheirs: (method: string) => boolean,
  condition?: RouteCondition,
): Readonly<Record<string, RouteCondition>> => ({
  [STRATEGY]: (raw) => !isTheirs(raw.method ?? '') && (condition === undefined || condition(raw)),
})

/**
 * Whether the application has its own route for a method of a path. The lookup happens on the first request and is cached,
 * because Fastify does not accept routes after that.
 *
 * @param rules if the router ignores a slash at the end, either form is the path
 * @param own the methods for which the path is a route of modelrest
 */
export const hasOther = (
  context: FastifyInstance,
  url: string,
  { ignoreTrailingSlash }: PathRules,
  own: ReadonlySet<string> = new Set(),
): ((method: string) => boolean) => {
  const found = new Map<string, boolean>()
  const full = fullUrl(context.prefix, url)
  const urls = ignoreTrailingSlash ? [full.replace(/\/$/, ''), full.replace(/\/?$/, '/')] : [full]
  return (method) => {
    const known =
      found.get(method) ?? (!own.has(method) && urls.some((form) => context.hasRoute({ method, url: form })))
    found.set(method, known)
    return known
  }
}

/**
 * Adds a constraint strategy to the router of the application.
 *
 * A constrained route never takes a request from a route of the application: the router does not report a conflict between
 * two declarations of a path, in any order, and modelrest's wildcards do not hide those of the application.
 */
export const addConditions = (app: FastifyApp): void => {
  if (app.hasConstraintStrategy(STRATEGY)) return
  app.addConstraintStrategy({
    name: STRATEGY,
    storage: () => {
      // A bit mask of handlers per condition. The router also looks up the conditions that it stored.
      const handlers = new Map<unknown, number>()
      return {
        set: (condition: unknown, bits: unknown) => {
          handlers.set(condition, Number(bits))
        },
        get: (value: unknown) => {
          if (typeof value === 'function') return handlers.get(value)
          let bits = 0
          for (const [condition, bit] of handlers)
            if (typeof condition === 'function' && condition(value) === true) bits |= bit
          return bits
        },
      }
    },
    deriveConstraint: (request: IncomingMessage) => request,
  })
}
