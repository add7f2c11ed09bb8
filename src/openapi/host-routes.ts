import { isRecord } from '../error/record.ts'
import { ownValue } from '../model/objects.ts'
import type { HostRoute } from '../operation/operation.ts'
import type { DocumentedMethod, HostOperationObject, PathItem } from './openapi-document.ts'

export interface ServedPaths {
  readonly base: string
  readonly paths: Readonly<Record<string, PathItem>>
  readonly operationIds: ReadonlySet<string>
  /** The names of the document's security schemes. */
  readonly schemes: ReadonlySet<string>
  /** Returns whether a modelrest operation, documented or not, serves this path. The path does not include the base. */
  answers(method: string, path: string): boolean
}

const methods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'patch', 'trace'])
const isDocumented = (method: string): method is DocumentedMethod => methods.has(method)

/** A key that is equal for paths that OpenAPI treats as the same: it ignores the names of parameters. */
export const exactShapeOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')

/** The same for the paths of operations, at which a slash at the end is optional. */
export const shapeOf = (path: string): string => exactShapeOf(path).replace(/(?<=.)\/$/, '')

/** The generated paths and the host's own routes. A route of the host never replaces a generated path. */
export const withHostRoutes = (
  served: ServedPaths,
  routes: readonly HostRoute[],
): Readonly<Record<string, PathItem>> => {
  const paths: Record<string, PathItem> = { ...served.paths }
  const ours = new Map(Object.keys(paths).map((path) => [exactShapeOf(path), path]))
  const theirs = new Map<string, string>()
  const ids = new Set(served.operationIds)
  for (const route of routes) {
    const method = route.method.toLowerCase()
    // Other routes of the application do not belong to this API, and the document may be public.
    if (!route.path.startsWith(`${served.base}/`)) continue
    const path = route.path.slice(served.base.length)
    const key = ours.get(exactShapeOf(path)) ?? theirs.get(shapeOf(path)) ?? path
    const item = ownValue(paths, key)
    if (!isDocumented(method) || item?.[method] !== undefined || served.answers(route.method, path)) continue
    theirs.set(shapeOf(path), key)
    paths[key] = { ...item, [method]: complete(route, { path, key, ids, schemes: served.schemes }) }
  }
  return paths
}

/**
 * Adds the keywords that OpenAPI requires but the host did not provide. `security` keeps only requirements whose schemes are
 * in the document, because the host provides only the operation.
 */
const complete = (
  { method, operation }: HostRoute,
  { path, key, ids, schemes }: Completing,
): HostOperationObject => {
  const { security, operationId, tags, parameters, ...described } = operation
  const known = securityIn(security, schemes)
  return {
    summary: `${method.toUpperCase()} ${path}`,
    responses: { default: { description: 'The response of the application.' } },
    ...described,
    operationId: freeId(operationId, method, path, ids),
    tags: tagsIn(tags),
    ...(known && { security: known }),
    parameters: withPathParameters(parameters, parameterNames(path), parameterNames(key)),
  }
}

interface Completing {
  readonly path: string
  /** The path in the document. */
  readonly key: string
  readonly ids: Set<string>
  readonly schemes: ReadonlySet<string>
}

const tagsIn = (given: unknown): readonly string[] => {
  const tags = Array.isArray(given) ? given.filter((tag) => typeof tag === 'string' && tag !== '') : []
  return tags.length === 0 ? ['other'] : [...new Set(tags)]
}

/** `undefined`: none of the requirements can be shown. */
const securityIn = (given: unknown, schemes: ReadonlySet<string>): readonly object[] | undefined => {
  if (!Array.isArray(given)) return undefined
  const known = given.filter(isRecord).filter((one) => Object.keys(one).every((name) => schemes.has(name)))
  // `[]` would say that the route is public.
  const isHidden = given.length > 0 && known.every((one) => Object.keys(one).length === 0)
  return isHidden && known.length < given.length ? undefined : known
}

const freeId = (given: unknown, method: string, path: string, ids: Set<string>): string => {
  const words = path.match(/[a-zA-Z0-9]+/g) ?? ['root']
  const own = method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
  const wanted = typeof given === 'string' ? given : own
  let id = wanted
  for (let n = 2; ids.has(id); n += 1) id = `${wanted}${n}`
  ids.add(id)
  return id
}

const parameterNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name ?? '')

/** A parameter for each name in the document's path, whether or not the host declared it. */
const withPathParameters = (
  given: unknown,
  names: readonly string[],
  shown: readonly string[],
): readonly Readonly<Record<string, unknown>>[] => {
  const parameters = Array.isArray(given) ? given.filter(isRecord) : []
  const others = parameters.filter((parameter) => parameter['in'] !== 'path')
  const inPath = shown.map((name, at) => ({
    schema: { type: 'string' },
    ...parameters.find((parameter) => parameter['in'] === 'path' && parameter['name'] === names[at]),
    name,
    in: 'path',
    required: true,
  }))
  return [...inPath, ...others]
}
