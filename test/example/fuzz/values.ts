import fc from 'fast-check'
import type { JsonSchema } from '../../../src/model/codec.ts'

/** Stands in a generated body for the key of a record that exists; which one is known only when the request is sent. */
export interface Link {
  readonly link: { readonly model: string; readonly field: string; readonly pick: number }
}

/** Stands for a text that no record has yet. */
export interface Unique {
  readonly unique: { readonly text: string; readonly maxLength: number; readonly isEmail: boolean }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isLink = (value: unknown): value is Link => isRecord(value) && isRecord(value['link'])
export const isUnique = (value: unknown): value is Unique => isRecord(value) && isRecord(value['unique'])

/** Text that every database stores: no U+0000, and a half of a surrogate pair is never generated. */
const text = (maxLength = 40, minLength = 0): fc.Arbitrary<string> =>
  fc
    .string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 40) })
    .map((value) => value.replaceAll('\0', '0'))

const dateTime = (pattern: string | undefined): fc.Arbitrary<string> => {
  const form = new RegExp(pattern ?? '')
  return fc
    .date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
    .map((date) => {
      const iso = date.toISOString()
      return form.test(iso) ? iso : iso.replace(/\.\d+/, '')
    })
}

const string = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const { format, pattern, maxLength, minLength } = schema as {
    format?: string
    pattern?: string
    maxLength?: number
    minLength?: number
  }
  if (format === 'date-time') return dateTime(pattern)
  return pattern === undefined ? text(maxLength, minLength) : fc.stringMatching(new RegExp(pattern))
}

const object = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<Record<string, JsonSchema>>
    required?: readonly string[]
  }
  const members = Object.entries(properties).map(([name, each]) => [name, valuesOf(each)] as const)
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required], noNullPrototype: true })
}

const byType: Readonly<Record<string, (schema: JsonSchema) => fc.Arbitrary<unknown>>> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  string,
  integer: ({ minimum, maximum }) =>
    fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: Number(minimum), max: Number(maximum) })),
  object,
  number: () =>
    fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
}

/** Values that fit a JSON Schema, as far as those of the library go. */
export const valuesOf = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const { enum: values, anyOf, type, $ref } = schema
  if ($ref !== undefined) throw new Error(`${$ref} is not resolved.`)
  if (Array.isArray(values)) return fc.constantFrom(...values)
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((each: JsonSchema) => valuesOf(each)))
  if (type === undefined) return fc.jsonValue({ maxDepth: 3 })
  const types = Array.isArray(type) ? type : [type]
  return fc.oneof(
    ...types.map((name: string) => {
      const make = byType[name]
      if (make === undefined) throw new Error(`There is no generator for the type ${name}.`)
      return make(schema)
    }),
  )
}
