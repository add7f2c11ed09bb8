import type { OpenApiDocument } from '../../src/index.ts'

type Json = Readonly<Record<string, unknown>>

/** A request that the document describes, with a key in its path and its body. */
export interface Attempt {
  readonly name: string
  /** The `operationId`. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** What is put into the requests. */
export interface Filling {
  /** The key in paths, filters and numbers of bodies. */
  readonly key: number
  readonly text: string
  /** The form of a path that takes files. */
  readonly form: (path: string, filling: Filling) => FormData
  /** The key of a record in a path. @default key */
  readonly keyIn?: (path: string) => string
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly $ref: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> }
}

/**
 * Every operation of the document on the record with this key: those that have the parameter also for deleted records, and those
 * with a filter also with one. Bodies have every member that their schema allows: numbers are the
 * key, texts are the text, and roles the highest one. Accounts and sessions are left out.
 */
export const attemptsIn = (document: OpenApiDocument, filling: Filling): readonly Attempt[] => {
  const { key, text, form, keyIn = () => String(key) } = filling
  const paths = document['paths'] as unknown as Readonly<Record<string, Readonly<Record<string, Operation>>>>
  const { schemas } = document['components'] as { readonly schemas: Readonly<Record<string, Json>> }
  const bodiesOf = (path: string, { requestBody }: Operation): readonly unknown[] => {
    if (requestBody === undefined) return [undefined]
    if ('multipart/form-data' in requestBody.content) return [form(path, filling)]
    const { schema = {} } = requestBody.content['application/json'] ?? {}
    const { oneOf = [schema] } = schemas[String(schema['$ref']).split('/').at(-1) ?? ''] ?? {}
    return (oneOf as readonly Json[]).map((one) => madeBy(one, { schemas, key, text }))
  }
  return Object.entries(paths)
    .filter(([path]) => !path.includes('/auth/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => methods.includes(method))
        .flatMap(([method, operation]) =>
          queriesOf(operation, key).flatMap((query) =>
            bodiesOf(path, operation).map((body) => ({
              name: `${method.toUpperCase()} ${path}`,
              id: operation.operationId,
              method: method.toUpperCase(),
              path: path.replaceAll(/\{\w+\}/g, () => keyIn(path)) + query,
              body,
            })),
          ),
        ),
    )
}

const queriesOf = ({ parameters = [] }: Operation, key: number): readonly string[] => {
  const has = (name: string): boolean => parameters.some(({ $ref }) => $ref?.endsWith(name))
  return [
    '',
    ...(has('Deleted') ? ['?deleted=only', '?deleted=with'] : []),
    ...(has('DryRun') ? [`?id=${key}`, `?id=${key}&dry_run=true`] : []),
  ]
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

interface Made {
  readonly schemas: Readonly<Record<string, Json>>
  readonly key: number
  readonly text: string
}

const madeBy = (schema: Json, made: Made): unknown => {
  const { $ref, anyOf, type, items, properties, enum: values } = schema
  if (typeof $ref === 'string') return madeBy(made.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, made)
  if (Array.isArray(anyOf)) return madeBy(anyOf[0], made)
  if (Array.isArray(values)) return values.findLast((value) => value !== null)
  const kind = [type].flat()[0]
  if (kind === 'array') return [madeBy(items as Json, made)]
  if (kind === 'integer') return made.key
  if (kind === 'string') return made.text
  const members = Object.entries(Object(properties) as Readonly<Record<string, Json>>)
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      name === 'email' ? `${made.text}@example.com` : madeBy(member, made),
    ]),
  )
}

const order = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

const rankOf = ({ method, path }: Attempt): number =>
  2 * order.indexOf(method) + (method === 'DELETE' && path.includes('?') ? 1 : 0)

/**
 * What adds records comes before what changes them. What ends records comes last, those that belong to others first, as the document
 * has them last, and many at once at the very end.
 */
export const inOrder = (attempts: readonly Attempt[]): readonly Attempt[] =>
  [
    ...attempts.filter(({ method }) => method !== 'DELETE'),
    ...attempts.filter(({ method }) => method === 'DELETE').toReversed(),
  ].toSorted((one, other) => rankOf(one) - rankOf(other))
