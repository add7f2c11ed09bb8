import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../error/record.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Operation } from '../operation/operation.ts'
import type { NamedSchema } from '../schema/json-schema.ts'

/** The schemas that an operation names. */
export const namedSchemasOf = ({ body, success }: Operation): readonly NamedSchema[] =>
  [body?.isEmpty ? undefined : body?.schema, body?.form?.schema, success.schema].filter(
    (named) => named !== undefined,
  )

/**
 * Gives each schema of the operations a unique name. Names are derived from models and fields, so two can be the same:
 * `Order.item_status` and `OrderItem.status` are both `OrderItemStatusEnum`. The first keeps its name, because generated
 * clients depend on it; another gets a number, such as `OrderItemStatusEnum2`.
 *
 * @param reserved schemas that keep their names
 */
export const withUniqueNames = <Shown extends Operation>(
  operations: readonly Shown[],
  reserved: NamedSchema,
): readonly Shown[] => {
  const variants = variantsOf([reserved, ...operations.flatMap(namedSchemasOf)])
  if ([...variants.values()].every(({ length }) => length === 1)) return operations
  const nameOf = namesFor(variants)
  const unique = (named: NamedSchema): NamedSchema => renamed(named, nameOf, new Map())
  return operations.map((operation) => {
    const { body, success } = operation
    const { form } = body ?? {}
    return {
      ...operation,
      success: { ...success, ...(success.schema && { schema: unique(success.schema) }) },
      ...(body && {
        body: {
          ...body,
          schema: unique(body.schema),
          ...(form && { form: { ...form, schema: unique(form.schema) } }),
        },
      }),
    }
  })
}

type Variants = ReadonlyMap<string, readonly JsonSchema[]>

/** Name -> the different schemas with that name, in their order. */
const variantsOf = (schemas: readonly NamedSchema[]): Variants => {
  const variants = new Map<string, JsonSchema[]>()
  const add = ({ name, schema, uses = [] }: NamedSchema): void => {
    const known = variants.get(name) ?? []
    variants.set(name, known)
    if (known.some((other) => isSame(other, schema))) return
    known.push(schema)
    for (const used of uses) add(used)
  }
  for (const named of schemas) add(named)
  return variants
}

const isSame = (one: JsonSchema, other: JsonSchema): boolean => one === other || isDeepStrictEqual(one, other)

const namesFor = (variants: Variants): ((named: NamedSchema) => string) => {
  const taken = new Set(variants.keys())
  const free = (name: string): string => {
    const numbered = freeName(name, taken)
    taken.add(numbered)
    return numbered
  }
  const names = new Map(
    [...variants].map(([name, schemas]) => [name, schemas.map((_, at) => (at === 0 ? name : free(name)))]),
  )
  return ({ name, schema }) => {
    const at = (variants.get(name) ?? []).findIndex((variant) => isSame(variant, schema))
    return names.get(name)?.[at] ?? name
  }
}

/** The name, or the name with the next free number. */
export const freeName = (wanted: string, taken: Pick<ReadonlySet<string>, 'has'>): string => {
  let name = wanted
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}${number}`
  return name
}

/** @param outer the names of the schemas that refer to this one: definitions of one schema may refer to each other */
const renamed = (
  named: NamedSchema,
  nameOf: (named: NamedSchema) => string,
  outer: ReadonlyMap<string, string>,
): NamedSchema => {
  const { schema, uses = [] } = named
  const name = nameOf(named)
  const names = new Map([
    ...outer,
    [named.name, name],
    ...uses.map((used) => [used.name, nameOf(used)] as const),
  ])
  return { name, schema: referring(schema, names), uses: uses.map((used) => renamed(used, nameOf, names)) }
}

const prefix = '#/components/schemas/'

const referring = (schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, within(keyword, value, names)]),
  )

const within = (keyword: string, value: unknown, names: ReadonlyMap<string, string>): unknown => {
  if (Array.isArray(value)) return value.map((inner) => within('', inner, names))
  if (isRecord(value)) return referring(value, names)
  if (keyword !== '$ref' || typeof value !== 'string' || !value.startsWith(prefix)) return value
  const name = value.slice(prefix.length)
  return prefix + (names.get(name) ?? name)
}
