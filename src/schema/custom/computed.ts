import { isRecord } from '../../error/record.ts'
import type { JsonSchema } from '../../model/codec.ts'
import { isJson } from '../../model/kinds/json.ts'
import { capital, wordsOf } from '../../model/naming.ts'
import { type Awaitable, after, onceFor, ownValue } from '../../model/objects.ts'
import { type NamedSchema, propertiesOf } from '../json-schema.ts'
import { fits } from './example.ts'
import { toNamedSchema } from './named.ts'
import { runnerOf } from './run.ts'
import type { StandardResult, StandardSchema } from './standard-schema.ts'
import { jsonSchemaOf, undocumented } from './vendors.ts'

/** A computed field in responses. */
export interface ComputedMember {
  readonly name: string
  /** The value to show. @throws Error if the schema refuses it or its output is not JSON */
  readonly check: (value: unknown) => Awaitable<unknown>
  /** Absent: its library does not describe it. */
  readonly schema?: NamedSchema
}

/** @param given a computed field of a model. `place` is named by the note, which is for startup */
export const computedMember = async (
  model: string,
  { name, schema, place }: { readonly name: string; readonly schema: StandardSchema; readonly place: string },
): Promise<{ readonly member: ComputedMember; readonly note?: string }> => {
  const json = await jsonSchemaOf(schema, 'output')
  const check = checking(place, schema)
  if (json === undefined)
    return {
      member: { name, check },
      note: undocumented(`${place}.schema`, schema, 'any JSON value'),
    }
  const named = toNamedSchema(model + wordsOf(name).map(capital).join(''), json)
  return { member: { name, check, schema: named } }
}

const checking = (place: string, schema: StandardSchema): ComputedMember['check'] => {
  const run = runnerOf({ place, schema, mayWait: true })
  const output = (result: StandardResult): unknown => {
    if (result.issues !== undefined)
      throw new Error(`its schema refuses a value: ${result.issues[0]?.message ?? 'no reason given'}`)
    if (!isJson(result.value)) throw new Error('a value is not JSON, such as a Date, NaN or undefined')
    return result.value
  }
  return (value) => after(run(value), output)
}

/** The schema of a record with its computed fields, which a list has only if they are chosen. */
export const withComputed = (
  record: NamedSchema,
  members: readonly ComputedMember[],
  isRequired: boolean,
): NamedSchema => {
  if (members.length === 0) return record
  const names = members.map(({ name }) => name)
  return Object.freeze({
    name: record.name,
    get schema(): JsonSchema {
      const { required } = record.schema
      return {
        ...record.schema,
        ...(isRequired && { required: [...(Array.isArray(required) ? required : []), ...names] }),
        properties: {
          ...propertiesOf(record.schema),
          ...Object.fromEntries(
            members.map(({ name, schema }) => [name, { ...schema?.schema, readOnly: true }]),
          ),
        },
      }
    },
    get uses(): readonly NamedSchema[] {
      return [...(record.uses ?? []), ...members.flatMap(usedBy)]
    },
  })
}

/** A schema that refers to itself needs its name. */
const usedBy = ({ schema }: ComputedMember): readonly NamedSchema[] => {
  if (schema === undefined) return []
  const { uses = [], name } = schema
  const text = JSON.stringify([schema.schema, uses])
  return text.includes(`"#/components/schemas/${name}"`) ? [...uses, schema] : uses
}

/** Example values of computed fields. A field without a known one is absent. */
export const computedExample = (members: readonly ComputedMember[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    members.flatMap(({ name, schema }) => {
      const value = schema && exampleFor(schema)
      return value === undefined ? [] : [[name, value.example]]
    }),
  )

const exampleFor = onceFor(({ schema }: NamedSchema): { readonly example: unknown } | undefined => {
  const example = candidatesFor(schema).find((value) => fits(value, schema))
  return example === undefined ? undefined : { example }
})

const values: Readonly<Record<string, readonly unknown[]>> = {
  integer: [3],
  number: [3, 0.5],
  boolean: [true],
  null: [null],
}

const texts: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00Z',
  email: 'ada@example.com',
  time: '09:30:00',
  uri: 'https://example.com/',
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
}

/** Schemas may be recursive. */
const MAX_DEPTH = 5

const candidatesFor = (given: unknown, depth = 0): readonly unknown[] => {
  if (!isRecord(given) || depth > MAX_DEPTH) return []
  const schema: JsonSchema = given
  const { type, examples, anyOf, oneOf, items, format, minimum, maximum } = schema
  const listed = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : [])
  const inner = (part: unknown): readonly unknown[] => candidatesFor(part, depth + 1)
  const types = Array.isArray(type) ? type : [type]
  const typed = types.flatMap((one): readonly unknown[] => {
    if (one === 'string') return [ownValue(texts, String(format)) ?? 'Example', '']
    if (one === 'array') return [inner(items).slice(0, 1), []]
    if (one !== 'object') return ownValue(values, String(one)) ?? []
    const members = Object.entries(propertiesOf(schema)).flatMap(([name, part]) =>
      inner(part)
        .slice(0, 1)
        .map((value) => [name, value]),
    )
    return [Object.fromEntries(members), {}]
  })
  return [
    ...[...listed(examples), schema['default'], ...listed(schema['enum'])],
    ...[...typed, minimum, maximum, ...[...listed(anyOf), ...listed(oneOf)].flatMap(inner)],
  ].filter((value) => value !== undefined)
}
