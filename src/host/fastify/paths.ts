import type { IncomingMessage } from 'node:http'
import { decodePath, nameOf, readTarget, segmentsOf } from '../paths.ts'
import type { FastifyApp, RouterOptions } from './app.ts'

export type PathRules = Required<RouterOptions>

/** Fastify has kept these settings in two places. */
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

/** Says whether a route answers a request. Where it does not, the router looks further, as if the route were not there. */
type Condition = (request: IncomingMessage) => boolean

interface PathForms {
  /** The form that stands in documentation. */
  readonly canonical: string
  /** Takes what the canonical form does not, where the condition holds. */
  readonly other?: { readonly url: string; readonly condition?: Condition }
}

/**
 * The forms that together take a path with and without a slash at its end, whatever the router ignores.
 *
 * The router limits the length of a parameter, but not that of a wildcard. So a path with parameters has a wildcard
 * beside it, which takes long keys and the slash at the end, and nothing else.
 */
export const pathForms = (prefix: string, template: string, rules: PathRules): PathForms => {
  const canonical = toFastifyPath(template)
  const parameter = template.indexOf('{')
  if (parameter !== -1) {
    const url = `${toFastifyPath(template.slice(0, parameter))}*`
    return { canonical, other: { url, condition: isPathOf(withoutSlash(prefix) + template, rules) } }
  }
  const url = canonical.endsWith('/') ? canonical.slice(0, -1) : `${canonical}/`
  const isRoot = url === '' && prefix === ''
  return rules.ignoreTrailingSlash || isRoot ? { canonical } : { canonical, other: { url } }
}

/** A path of ours in the form of Fastify: `/products/{id}` -> `/products/:id`. */
export const toFastifyPath = (template: string): string =>
  template.replaceAll(':', '::').replaceAll(/\{([^}]+)\}/g, ':$1')

export const fullUrl = (prefix: string, url: string): string =>
  prefix.endsWith('/') && url.startsWith('/') ? prefix + url.slice(1) : prefix + url

export const withoutSlash = (prefix: string): string => prefix.replace(/\/+$/, '')

/** As many segments as the template has, and its fixed segments in their place; a prefix may hold `:parameters`. */
const isPathOf = (template: string, rules: PathRules): Condition => {
  const fold = (text: string): string => (rules.caseSensitive ? text : text.toLowerCase())
  const wanted = segmentsOf(template).map((segment) =>
    nameOf(segment) !== undefined || segment.includes(':') ? undefined : fold(segment),
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

export const onlyWhere = (condition: Condition): Readonly<Record<string, Condition>> => ({
  [STRATEGY]: condition,
})

/**
 * Teaches the router of an application our conditions.
 *
 * A route with a condition never takes a request from a route of the application: neither does the router find two
 * declarations of one path in conflict, whichever comes first, nor does our wildcard hide theirs.
 */
export const addConditions = (app: FastifyApp): void => {
  if (app.hasConstraintStrategy(STRATEGY)) return
  app.addConstraintStrategy({
    name: STRATEGY,
    storage: () => {
      // Which handlers a condition lets through, a bit for each. The router also asks for what it stored.
      const handlers = new Map<unknown, number>()
      return {
        set: (condition: unknown, bits: unknown) => {
          handlers.set(condition, Number(bits))
        },
        get: (asked: unknown) => {
          if (typeof asked === 'function') return handlers.get(asked)
          let bits = 0
          for (const [condition, bit] of handlers)
            if (typeof condition === 'function' && condition(asked) === true) bits |= bit
          return bits
        },
      }
    },
    deriveConstraint: (request: IncomingMessage) => request,
  })
}
