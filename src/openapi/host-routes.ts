import { isRecord } from '../error/record.ts'
import { ownValue } from '../model/objects.ts'
import type { HostRoute } from '../operation/operation.ts'
import type { DocumentedMethod, HostOperationObject, PathItem } from './openapi-document.ts'

export interface Served {
  readonly base: string
  readonly paths: Readonly<Record<string, PathItem>>
  readonly operationIds: ReadonlySet<string>
  /** Says whether one of our operations, shown or not, answers there. The path is below the base. */
  answers(method: string, path: string): boolean
}

const methods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'patch', 'trace'])
const isDocumented = (method: string): method is DocumentedMethod => methods.has(method)

/** Equal for paths that OpenAPI treats as the same: ignores parameter names and a slash at the end. */
export const shapeOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}').replace(/(?<=.)\/$/, '')

/** The paths of the document with the host's own routes beside the generated ones, none of which is replaced. */
export const withHostRoutes = (
  served: Served,
  routes: readonly HostRoute[],
): Readonly<Record<string, PathItem>> => {
  const paths: Record<string, PathItem> = { ...served.paths }
  const keys = new Map(Object.keys(paths).map((path) => [shapeOf(path), path]))
  const ids = new Set(served.operationIds)
  for (const route of routes) {
    const method = route.method.toLowerCase()
    // The rest of the application is not this API, and anyone may be able to read the document.
    if (!route.path.startsWith(`${served.base}/`)) continue
    const path = route.path.slice(served.base.length)
    const key = keys.get(shapeOf(path)) ?? path
    const item = ownValue(paths, key)
    if (!isDocumented(method) || item?.[method] !== undefined || served.answers(route.method, path)) continue
    keys.set(shapeOf(path), key)
    paths[key] = { ...item, [method]: complete(route, path, key, ids) }
  }
  return paths
}

/**
 * Adds the keywords that OpenAPI requires and the host did not give. `security` is left out: it names schemes that are
 * elsewhere in a document, and the host gives only an operation.
 */
const complete = (
  { method, operation }: HostRoute,
  path: string,
  key: string,
  ids: Set<string>,
): HostOperationObject => {
  const { security, operationId, parameters, ...told } = operation
  return {
    summary: `${method.toUpperCase()} ${path}`,
    responses: { default: { description: 'The response of the application.' } },
    ...told,
    operationId: freeId(operationId, method, path, ids),
    tags: ['other'],
    parameters: withPathParameters(parameters, parameterNames(path), parameterNames(key)),
  }
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

/** Every name in the path has its parameter, whether the host told it or not, under the name of the document's path. */
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
