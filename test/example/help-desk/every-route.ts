import { attachment, type Json, type Send } from './stage.ts'

/** A request that the document describes, with a key in its path and its body. */
export interface Attempt {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body: unknown
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> }
}

/**
 * Every operation of the document on the record with this key. Bodies have every member that their schema allows: numbers are the
 * key, texts are the text, and roles the highest one. Accounts and sessions are left out.
 */
export const attemptsOn = async (send: Send, key: number, text: string): Promise<readonly Attempt[]> => {
  const { json } = await send('GET', '/openapi.json')
  const paths = json['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>
  const { schemas } = json['components'] as { readonly schemas: Readonly<Record<string, Json>> }
  const bodyOf = (path: string, { requestBody }: Operation): unknown => {
    if (requestBody === undefined) return undefined
    if ('multipart/form-data' in requestBody.content)
      return attachment(path.startsWith('/attachments/') ? key : undefined, text)
    const { schema = {} } = requestBody.content['application/json'] ?? {}
    return madeBy(schema, { schemas, key, text })
  }
  return Object.entries(paths)
    .filter(([path]) => !path.startsWith('/auth/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => methods.includes(method))
        .map(([method, operation]) => ({
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path: path.replaceAll(/\{\w+\}/g, String(key)),
          body: bodyOf(path, operation),
        })),
    )
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
