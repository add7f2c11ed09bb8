import type { HostRoute } from '../host.ts'
import type { DeclaredRoute, FastifyApp } from './app.ts'
import { isOurs } from './routes.ts'

const unshown: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS'])

/** Collects the routes that the application declares from now on, in this context and those below it. */
export const collectRoutes = (app: FastifyApp & SharedSchemas): (() => readonly HostRoute[]) => {
  const routes: DeclaredRoute[] = []
  app.addHook('onRoute', (route) => {
    if (!isOurs(route.config)) routes.push(route)
  })
  return () =>
    routes.flatMap((route) => {
      const schema = schemaIn(route.schema)
      const path = toTemplate(route.url)
      if (schema['hide'] === true) return []
      return [route.method]
        .flat()
        .filter((method) => !unshown.has(method))
        .map((method) => ({ method, path, operation: toOperationObject(path, schema, app.getSchemas()) }))
    })
}

/** The schemas that an application shares by `$id`. */
export interface SharedSchemas {
  getSchemas(): Readonly<Record<string, unknown>>
}

/** `/users/:id(^\\d+$)/*` -> `/users/{id}/{wildcard}`; `::` is a colon. */
const toTemplate = (url: string): string =>
  url
    .replaceAll('::', '\0')
    .replaceAll(/:([A-Za-z0-9_]+)(\((?:[^()]|\([^()]*\))*\))?\??/g, '{$1}')
    .replace('*', '{wildcard}')
    .replaceAll('\0', ':')

const schemaIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

type Json = Readonly<Record<string, unknown>>

/** Part of an OpenAPI operation object: what the `schema` of a Fastify route says. */
const toOperationObject = (path: string, schema: Json, shared: Json): Json => {
  const body =
    schema['body'] === undefined ? undefined : contentOf(schema['body'], schema['consumes'], shared)
  const parameters = [
    ...pathParameters(path, toJsonSchema(schema['params'], shared)),
    ...parametersIn('query', toJsonSchema(schema['querystring'] ?? schema['query'], shared)),
    ...parametersIn('header', toJsonSchema(schema['headers'], shared)).filter(
      ({ name }) => !isReserved(name),
    ),
  ]
  return {
    ...pick(schema, [
      'operationId',
      'summary',
      'description',
      'tags',
      'deprecated',
      'security',
      'externalDocs',
    ]),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: body } }),
    ...(isRecord(schema['response']) && { responses: responsesOf(schema, shared) }),
  }
}

const pick = (from: Json, keys: readonly string[]): Json =>
  Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]))

interface ShownParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: unknown
  readonly schema: Json
}

const parametersIn = (place: ShownParameter['in'], schema: Json): readonly ShownParameter[] => {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(asRecord(schema['properties'])).map(([name, property]) => {
    const { description, ...rest } = asRecord(property)
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
    }
  })
}

/** Every name in the path, whether the schema says something of it or not. */
const pathParameters = (path: string, schema: Json): readonly ShownParameter[] => {
  const said = parametersIn('path', schema)
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '')
  return names.map(
    (name) =>
      said.find((parameter) => parameter.name === name) ?? {
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      },
  )
}

/** OpenAPI has other places for these headers, and ignores them among the parameters. */
const isReserved = (name: string): boolean =>
  ['accept', 'content-type', 'authorization'].includes(name.toLowerCase())

const responsesOf = (schema: Json, shared: Json): Json =>
  Object.fromEntries(
    Object.entries(asRecord(schema['response'])).map(([status, response]) => {
      const { description } = asRecord(response)
      const empty = asRecord(response)['type'] === 'null'
      return [
        status === 'default' ? status : status.toUpperCase(),
        {
          description: typeof description === 'string' ? description : 'The reply of the application.',
          ...(!empty && { content: contentOf(response, schema['produces'], shared) }),
        },
      ]
    }),
  )

/** Fastify takes a schema, or a schema for each media type. */
const contentOf = (given: unknown, mediaTypes: unknown, shared: Json): Json => {
  const { content } = asRecord(given)
  const entries = isRecord(content)
    ? Object.entries(content).map(([type, media]) => [type, asRecord(media)['schema']] as const)
    : (Array.isArray(mediaTypes) ? mediaTypes : ['application/json']).map(
        (type) => [String(type), given] as const,
      )
  return Object.fromEntries(entries.map(([type, schema]) => [type, { schema: toJsonSchema(schema, shared) }]))
}

/** A schema that stands alone: shared schemas are put in its place, what is no JSON Schema is left out. */
const toJsonSchema = (given: unknown, shared: Json): Json => asRecord(inline(converted(given), shared, []))

/** Zod and others convert themselves (Standard JSON Schema); the parts of plain JSON Schemas are used as they are. */
const converted = (given: unknown): unknown => {
  const standard = asRecord(given)['~standard']
  if (standard === undefined) return given
  const { input } = asRecord(asRecord(standard)['jsonSchema'])
  try {
    return typeof input === 'function' ? input({ target: 'draft-2020-12' }) : {}
  } catch {
    return {}
  }
}

const inline = (schema: unknown, shared: Json, within: readonly string[]): unknown => {
  if (Array.isArray(schema)) return schema.map((part) => inline(part, shared, within))
  if (!isRecord(schema)) return schema
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const id = reference.replace(/#$/, '')
    // What points to itself or into another schema would need a place of its own in the document.
    return within.includes(id)
      ? {}
      : inline(Object.hasOwn(shared, id) ? shared[id] : {}, shared, [...within, id])
  }
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id' && key !== '$schema')
      .map(([key, part]) => [key, inline(part, shared, within)]),
  )
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const asRecord = (value: unknown): Json => (isRecord(value) ? value : {})
