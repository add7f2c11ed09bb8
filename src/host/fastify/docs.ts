import { isRecord } from '../../error/record.ts'
import type { HostRoute, Operation } from '../../operation/operation.ts'
import type { DeclaredRoute, FastifyApp } from './app.ts'
import { isOurs } from './routes.ts'

const unshown: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS'])

/** Collects the routes that the application declares from now on, in this context and below. */
export const collectRoutes = (app: FastifyApp): (() => readonly HostRoute[]) => {
  const routes: DeclaredRoute[] = []
  app.addHook('onRoute', (route) => {
    if (!isOurs(route.config)) routes.push(route)
  })
  return () =>
    routes.flatMap((route) => {
      const schema = asRecord(route.schema)
      const path = toTemplate(route.url)
      if (schema['hide'] === true) return []
      return [route.method]
        .flat()
        .filter((method) => !unshown.has(method))
        .map((method) => ({ method, path, operation: toOperation(schema, app.getSchemas()) }))
    })
}

type Json = Readonly<Record<string, unknown>>

/** `/users/:id(^\\d+$)/*` -> `/users/{id}/{wildcard}`. `::` is a literal colon. */
const toTemplate = (url: string): string =>
  url
    .replaceAll('::', '\0')
    .replaceAll(/:([A-Za-z0-9_]+)(\((?:[^()]|\([^()]*\))*\))?\??/g, '{$1}')
    .replace('*', '{wildcard}')
    .replaceAll('\0', ':')

const copied = ['operationId', 'summary', 'description', 'tags', 'deprecated', 'security', 'externalDocs']

/**
 * Converts the `schema` of a Fastify route into a part of an OpenAPI operation object. Plugins such as `@fastify/swagger`
 * do the same for OpenAPI 2.0 or 3.0, with their own components, and not every application has one.
 */
const toOperation = (schema: Json, shared: Json): Json => {
  const { consumes, produces, response } = schema
  const read = (name: string): unknown => standalone(schema[name], shared)
  const body = read('body')
  const parameters = [
    ...parametersIn('path', read('params')),
    ...parametersIn('query', read('querystring') ?? read('query')),
    ...parametersIn('header', read('headers')).filter(({ name }) => !reserved.has(name.toLowerCase())),
  ]
  return {
    ...Object.fromEntries(
      Object.entries(schema).filter(([name, value]) => copied.includes(name) && value !== undefined),
    ),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: contentOf(body, consumes) } }),
    ...(isRecord(response) && { responses: responsesOf(response, produces, shared) }),
  }
}

/** OpenAPI describes these headers elsewhere and ignores them as parameters. */
const reserved: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

const parametersIn = (place: 'path' | 'query' | 'header', given: unknown) => {
  const { properties, required } = asRecord(given)
  return Object.entries(asRecord(properties)).map(([name, property]) => {
    const { description, ...schema } = asRecord(property)
    return {
      name,
      in: place,
      required: place === 'path' || (Array.isArray(required) && required.includes(name)),
      ...(description !== undefined && { description }),
      schema,
    }
  })
}

const responsesOf = (responses: Json, mediaTypes: unknown, shared: Json): Json =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      // A reference may have a description next to it.
      const { description, type } = asRecord(response)
      return [
        status === 'default' ? status : status.toUpperCase(),
        {
          description: typeof description === 'string' ? description : 'The response of the application.',
          ...(type !== 'null' && { content: contentOf(standalone(response, shared), mediaTypes) }),
        },
      ]
    }),
  )

/** Fastify accepts one schema, or one per media type. */
const contentOf = (given: unknown, mediaTypes: unknown): Json => {
  const { content } = asRecord(given)
  const entries: readonly (readonly [string, unknown])[] = isRecord(content)
    ? Object.entries(content).map(([type, media]) => [type, asRecord(media)['schema']])
    : (Array.isArray(mediaTypes) ? mediaTypes : ['application/json']).map((type) => [String(type), given])
  return Object.fromEntries(entries.map(([type, schema]) => [type, { schema: asRecord(schema) }]))
}

/**
 * Makes schemas self-contained: references are replaced by the shared schemas. A schema that is not a JSON Schema, such as
 * one of Zod, converts itself (Standard JSON Schema) or is omitted.
 */
const standalone = (schema: unknown, shared: Json, within: readonly string[] = []): unknown => {
  if (Array.isArray(schema)) return schema.map((part) => standalone(part, shared, within))
  if (!isRecord(schema)) return schema
  const { $ref: reference, '~standard': standard } = schema
  if (standard !== undefined) return standalone(converted(standard), shared, within)
  if (typeof reference === 'string') {
    const id = reference.replace(/#$/, '')
    if (id.startsWith(COMPONENT)) return { $ref: `#/components/schemas/${id.slice(COMPONENT.length)}` }
    // References to itself or into another schema would need a component in the document.
    const isOwn = !within.includes(id) && Object.hasOwn(shared, id)
    return isOwn ? standalone(shared[id], shared, [...within, id]) : {}
  }
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id' && key !== '$schema')
      .map(([key, part]) => [key, standalone(part, shared, within)]),
  )
}

const COMPONENT = 'modelrest:'

/**
 * Lets schemas of the application's own responses refer to those of the document: `{ $ref: 'modelrest:Problem#' }`. Fastify
 * must know each. It takes any object for them, because what it removed or changed would be missing in the response.
 */
export const shareSchemas = (app: FastifyApp, operations: readonly Operation[]): void => {
  const names = operations.flatMap(({ tag, success: { schema } }) =>
    tag === undefined || schema === undefined ? [] : [schema.name],
  )
  for (const name of new Set(['Problem', ...names])) {
    const $id = COMPONENT + name
    if (!Object.hasOwn(app.getSchemas(), $id))
      app.addSchema({ $id, type: 'object', additionalProperties: true })
  }
}

const converted = (standard: unknown): Json => {
  const { input } = asRecord(asRecord(standard)['jsonSchema'])
  try {
    // A copy, because the result may contain `~standard` again.
    return typeof input === 'function' ? { ...asRecord(input({ target: 'draft-2020-12' })) } : {}
  } catch {
    return {}
  }
}

const asRecord = (value: unknown): Json => (isRecord(value) ? value : {})
