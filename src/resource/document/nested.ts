import type { ProblemCode } from '../../error/codes.ts'
import type { JsonSchema } from '../../model/codec.ts'
import { isFileField, kinds } from '../../model/kinds/index.ts'
import type { Field } from '../../model/model.ts'
import { capital, plural, quoted } from '../../model/naming.ts'
import { ownValue } from '../../model/objects.ts'
import { fittingExample } from '../../schema/custom/example.ts'
import { exampleOf } from '../../schema/example.ts'
import { anyJson, jsonSchemasOf, type NamedSchema, propertiesOf } from '../../schema/json-schema.ts'
import { membersOf } from '../../schema/members.ts'
import { type Bodies, isScoped, type NestedTarget, type Resource, type Rules } from '../parts/resource.ts'

export type BodyKind = 'create' | 'update' | 'replace'

/** The schema of a body, with a member for each relation that is written with the record. */
export const nestedSchema = (
  resource: Pick<Resource, 'model' | 'bodies' | 'rules'>,
  which: BodyKind,
): NamedSchema => {
  const own = resource.bodies.jsonSchemas[which]
  if (resource.model.write === undefined) return own
  const members = () => resource.bodies.nested().map((nested) => memberOf(resource, nested, which))
  return Object.freeze({
    name: own.name,
    get schema(): JsonSchema {
      const added = Object.fromEntries(members().map(({ name, schema }) => [name, schema]))
      return { ...own.schema, properties: { ...propertiesOf(own.schema), ...added } }
    },
    get uses(): readonly NamedSchema[] {
      return [...(own.uses ?? []), ...members().flatMap(({ uses }) => uses)]
    },
  })
}

/** The example of a body, with an element for each relation. */
export const nestedExample = (
  resource: Pick<Resource, 'model' | 'bodies'>,
  which: BodyKind,
  example: unknown,
): unknown => {
  if (example === undefined || resource.model.write === undefined) return example
  const added = resource.bodies.nested().flatMap((nested) => {
    const value = exampleIn(nested, which)
    return value === undefined ? [] : [[nested.relation.name, value] as const]
  })
  return { ...Object(example), ...Object.fromEntries(added) }
}

/** The problems that the writes of related records add. */
export const nestedProblems = ({ nested }: Bodies, which: BodyKind): readonly ProblemCode[] =>
  nested().flatMap(({ access, otherEnd }) => {
    const { permissions, controller } = access
    const ofRecords =
      which === 'create' ? [permissions.create] : [permissions.create, permissions.update, permissions.delete]
    const acts = otherEnd === undefined ? ofRecords : [otherEnd.permissions.read]
    return [
      ...(which === 'create' ? [] : (['still_referenced', 'page_too_large'] as const)),
      ...(acts.every((permission) => permission === 'public')
        ? []
        : (['unauthenticated', 'forbidden'] as const)),
      ...(isScoped(access) ? (['forbidden'] as const) : []),
      ...(controller === undefined ? [] : (['rejected'] as const)),
    ]
  })

interface Member {
  readonly name: string
  readonly schema: JsonSchema
  readonly uses: readonly NamedSchema[]
}

const memberOf = (
  resource: Pick<Resource, 'model' | 'rules'>,
  nested: NestedTarget,
  which: BodyKind,
): Member => {
  const { relation, keys } = nested
  const { name, model: other } = relation
  const many = plural(other)
  const list = (items: JsonSchema, description: string): JsonSchema => ({
    ...{ type: 'array', items, maxItems: resource.rules.maxChildren },
    description,
  })
  if (nested.isLink) {
    const change = which === 'create' ? '' : ' Others are no longer related to it.'
    const description = `The keys of the ${many} that the record is related to.${change}`
    return { name, schema: list(keySchema(keys), description), uses: keyUses(keys) }
  }
  const base = resource.model.name + capital(name)
  if (which === 'create') {
    const element = createdIn(base, nested)
    return { name, schema: list(refTo(element), `The ${many} to create with the record.`), uses: [element] }
  }
  if (which === 'replace') {
    const element = replacedIn(base, nested)
    const description = `All ${many} of the record. An element that has the key of one of them replaces it, other elements are created, and those that are missing are deleted.`
    return { name, schema: list(refTo(element), description), uses: [element] }
  }
  const changes = changesIn(resource.rules, base, nested)
  return { name, schema: refTo(changes), uses: [changes] }
}

const refTo = ({ name }: NamedSchema): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** The key of a related record: a value, or an array of several. */
const keySchema = (keys: readonly Field[]): JsonSchema => {
  const [only, another] = keys
  if (only !== undefined && another === undefined) return kinds[only.kind].schema(only)
  const size = { minItems: keys.length, maxItems: keys.length }
  return {
    type: 'array',
    items: refTo(anyJson),
    ...size,
    description: `The key: ${quoted(keys.map(({ name }) => name))}.`,
  }
}

const keyUses = (keys: readonly Field[]): readonly NamedSchema[] => (keys.length === 1 ? [] : [anyJson])

const keyProperties = (keys: readonly Field[]): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(keys.map((field) => [field.name, kinds[field.kind].schema(field)]))

const requiredIn = ({ schema }: NamedSchema): readonly unknown[] =>
  Array.isArray(schema['required']) ? schema['required'] : []

const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly unknown[],
): JsonSchema => ({
  type: 'object',
  ...(required.length > 0 && { required }),
  properties,
  additionalProperties: false,
})

const createdIn = (base: string, { part }: NestedTarget): NamedSchema => {
  const { create } = part.bodies.jsonSchemas
  return { name: `${base}Create`, schema: create.schema, uses: create.uses ?? [] }
}

/** An element of a PUT is a new record, or with its key an existing one: it requires what both of them do. */
const replacedIn = (base: string, { part, keys }: NestedTarget): NamedSchema => {
  const { create, replace } = part.bodies.jsonSchemas
  const names = keys.map(({ name }) => name)
  const sent = new Set<unknown>([...requiredIn(replace), ...names])
  const properties = {
    ...keyProperties(keys),
    ...propertiesOf(create.schema),
    ...propertiesOf(replace.schema),
  }
  const required = requiredIn(create).filter((name) => sent.has(name))
  return {
    name: `${base}Replace`,
    schema: objectOf(properties, required),
    uses: [...(create.uses ?? []), ...(replace.uses ?? [])],
  }
}

const changesIn = ({ maxChildren }: Rules, base: string, nested: NestedTarget): NamedSchema => {
  const { relation, keys, part } = nested
  const { update } = part.bodies.jsonSchemas
  const created = createdIn(base, nested)
  const names = keys.map(({ name }) => name)
  const updated: NamedSchema = {
    name: `${base}Update`,
    schema: objectOf({ ...keyProperties(keys), ...propertiesOf(update.schema) }, names),
    uses: update.uses ?? [],
  }
  const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items, maxItems: maxChildren })
  const properties = {
    create: list(refTo(created)),
    update: list(refTo(updated)),
    delete: list(keySchema(keys)),
  }
  const description = `The ${plural(relation.model)} to create, to change and to delete. Others stay as they are.`
  return {
    name: `${base}Changes`,
    schema: { ...objectOf(properties, []), description },
    uses: [created, updated, ...keyUses(keys)],
  }
}

const exampleIn = (nested: NestedTarget, which: BodyKind): unknown => {
  const { keys, part, model } = nested
  const record = exampleOf(model, 'detail')
  const values = keys.map(({ name }) => ownValue(record, name))
  if (nested.isLink) return [values.length === 1 ? values[0] : values]
  const created = bodyExample(part, 'create')
  if (created === undefined) return undefined
  return which === 'update' ? { create: [created] } : [created]
}

type Example = Readonly<Record<string, unknown>>

/** An example body in JSON. `undefined` if it requires a file, which JSON cannot send. */
export const bodyExample = (
  resource: Pick<Resource, 'model' | 'bodies'>,
  which: BodyKind,
): Example | undefined =>
  membersOf(resource.model, which).some(({ field, required }) => required && isFileField(field))
    ? undefined
    : knownExample(resource, which)

/** The same without regard to files. `undefined` if a custom schema has none. */
export const knownExample = (
  { model, bodies: { jsonSchemas } }: Pick<Resource, 'model' | 'bodies'>,
  which: BodyKind,
): Example | undefined =>
  jsonSchemas[which] === jsonSchemasOf(model)[which]
    ? exampleOf(model, which)
    : fittingExample(model, which, jsonSchemas[which].schema)
