import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../error/record.ts'
import { ownValue } from '../model/objects.ts'
import { exactShapeOf } from './host-routes.ts'
import type { OpenApiDocument } from './openapi-document.ts'

type Json = Readonly<Record<string, unknown>>

/** What has a generated document: a `ModelRest`. */
interface Documented {
  openapi(): OpenApiDocument
}

/**
 * Adds the operations of a `ModelRest` to the document of an application, such as that of `@nestjs/swagger`. Where both have an
 * operation, that of the application stays. A component whose name is taken by another one gets a number: `Product2`.
 *
 * @returns a new document of OpenAPI 3.1
 * @throws StartError before `init()` has finished
 * @example
 * ```ts
 * import { mergeOpenApi, type ModelRest } from 'modelrest/nest'
 *
 * export const documentOf = (rest: ModelRest): object =>
 *   mergeOpenApi({ openapi: '3.1.0', info: { title: 'Shop', version: '1.0.0' }, paths: {} }, rest)
 * ```
 */
export const mergeOpenApi = <Document extends object>(document: Document, rest: Documented): Document => {
  const theirs = recordOf(document)
  const generated = rest.openapi()
  const names = newNames(generated.components, recordOf(theirs['components']))
  const ours = renamed(generated, names.references) as OpenApiDocument
  const merged = {
    ...theirs,
    openapi: generated.openapi,
    paths: mergedPaths(recordOf(theirs['paths']), ours, names.schemes),
    components: mergedComponents(recordOf(theirs['components']), ours.components, names.of),
  }
  const tags = mergedTags(theirs['tags'], ours, merged.paths)
  return { ...document, ...merged, tags }
}

interface NewNames {
  readonly of: (kind: string, name: string) => string
  /** The references that change. */
  readonly references: ReadonlyMap<string, string>
  /** The names of security schemes that change. */
  readonly schemes: ReadonlyMap<string, string>
}

/** Equal components stay one, unless they refer to others, which may be different. */
const newNames = (ours: OpenApiDocument['components'], theirs: Json): NewNames => {
  const references = new Map<string, string>()
  const schemes = new Map<string, string>()
  for (const [kind, components] of Object.entries(ours)) {
    const taken = recordOf(theirs[kind])
    for (const [name, component] of Object.entries(components)) {
      const other = ownValue(taken, name)
      const isSame = isDeepStrictEqual(other, component) && !JSON.stringify(component).includes('"$ref"')
      if (other === undefined || isSame) continue
      const free = freeName(name, (one) => Object.hasOwn(taken, one) || Object.hasOwn(components, one))
      references.set(referenceTo(kind, name), referenceTo(kind, free))
      if (kind === 'securitySchemes') schemes.set(name, free)
    }
  }
  const of = (kind: string, name: string): string =>
    references.get(referenceTo(kind, name))?.split('/').at(-1) ?? name
  return { of, references, schemes }
}

const referenceTo = (kind: string, name: string): string => `#/components/${kind}/${name}`

const freeName = (wanted: string, isTaken: (name: string) => boolean): string => {
  let name = wanted
  for (let n = 2; isTaken(name); n += 1) name = `${wanted}${n}`
  return name
}

/** A copy with other references. */
const renamed = (value: unknown, references: NewNames['references']): unknown => {
  if (typeof value === 'string') return references.get(value) ?? value
  if (Array.isArray(value)) return value.map((one) => renamed(one, references))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renamed(one, references)]))
}

const mergedComponents = (theirs: Json, ours: object, nameOf: NewNames['of']): Json => {
  const merged = Object.entries(ours).map(([kind, components]): [string, unknown] => {
    const own = Object.entries(components).map(([name, one]) => [nameOf(kind, name), one])
    return [kind, { ...Object.fromEntries(own), ...recordOf(theirs[kind]) }]
  })
  return { ...theirs, ...Object.fromEntries(merged) }
}

const mergedPaths = (theirs: Json, ours: OpenApiDocument, schemes: NewNames['schemes']): Json => {
  const base = baseOf(ours)
  const keys = new Map(Object.keys(theirs).map((path) => [exactShapeOf(path), path]))
  const ids = new Set(
    Object.values(theirs)
      .flatMap(operationsIn)
      .map(([, operation]) => operation['operationId']),
  )
  const paths = new Map(Object.entries(theirs))
  for (const [path, item] of Object.entries(ours.paths)) {
    const key = keys.get(exactShapeOf(base + path)) ?? base + path
    const taken = recordOf(paths.get(key))
    const added = operationsIn(item)
      // The application's own routes are in its document, unless it hides them.
      .filter(([method, operation]) => 'x-problem-codes' in operation && !Object.hasOwn(taken, method))
      .map(([method, operation]) => [
        method,
        {
          ...withNames(operation, parameterNames(base + path), parameterNames(key), ours),
          operationId: freeName(String(operation['operationId']), (id) => ids.has(id)),
          // Otherwise a requirement of the whole document would apply.
          security: securityWith(operation['security'], schemes),
        },
      ])
    if (added.length > 0) paths.set(key, { ...taken, ...Object.fromEntries(added) })
  }
  return Object.fromEntries(paths)
}

/** The path of the API as the document has it. */
const baseOf = ({ servers: [server] }: OpenApiDocument): string =>
  (URL.parse(server?.url ?? '/', 'http://localhost')?.pathname ?? '').replace(/\/$/, '')

const operationsIn = (item: unknown): (readonly [string, Json])[] =>
  Object.entries(recordOf(item)).flatMap(([method, operation]) =>
    isRecord(operation) ? [[method, operation] as const] : [],
  )

const securityWith = (given: unknown, schemes: NewNames['schemes']): readonly object[] =>
  (Array.isArray(given) ? given : []).map((one: object) =>
    Object.fromEntries(Object.entries(one).map(([name, scopes]) => [schemes.get(name) ?? name, scopes])),
  )

const parameterNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name ?? '')

/** The operation with the names that the path of the other document gives to its parameters. */
const withNames = (
  operation: Json,
  names: readonly string[],
  shown: readonly string[],
  { components }: OpenApiDocument,
): Json => {
  if (isDeepStrictEqual(names, shown)) return operation
  const given = Array.isArray(operation['parameters']) ? operation['parameters'] : []
  const parameters = given.map((parameter: Json) => {
    const at = String(parameter['$ref']).split('/').at(-1) ?? ''
    const resolved: Json = { ...(ownValue(components.parameters, at) ?? parameter) }
    const place = names.indexOf(String(resolved['name']))
    return resolved['in'] === 'path' && place !== -1 ? { ...resolved, name: shown[place] } : parameter
  })
  return { ...operation, parameters }
}

/** Those of the operations that have been added. */
const mergedTags = (given: unknown, ours: OpenApiDocument, paths: Json): readonly Json[] => {
  const theirs = (Array.isArray(given) ? given : []).filter(isRecord)
  const known = new Set(theirs.map(({ name }) => name))
  const used = new Set(
    Object.values(paths)
      .flatMap(operationsIn)
      .flatMap(([, operation]) => operation['tags']),
  )
  const added = ours.tags.filter(({ name }) => used.has(name) && !known.has(name))
  return [...theirs, ...added.map((tag): Json => ({ ...tag }))]
}

const recordOf = (value: unknown): Json => (isRecord(value) ? value : {})
