import { z } from 'zod'
import { type KindField, type Reading, refused } from '../model/codec.ts'
import { kinds } from '../model/kinds/index.ts'
import { integerBounds } from '../model/kinds/number.ts'
import { isPrintable, isStorable } from '../model/kinds/text.ts'
import type { FieldKind, Model } from '../model/model.ts'
import { lazyRecord, onceFor } from '../model/objects.ts'
import { isReply, membersOf, type SchemaMember, type SchemaName, schemaNames } from './members.ts'

/** One schema of a model: a strict Zod object with `shape` and `extend`. */
type ModelSchema = z.ZodObject<Readonly<Record<string, z.ZodType>>, z.core.$strict>

/**
 * The Zod schemas of a model.
 *
 * `list` and `detail` describe records in responses. `list` requires only the key, because clients choose the fields.
 * `create`, `update` and `replace` read a JSON body, and their output is stored: a decimal in its exact form, a date-time
 * as a `Date` if the column holds dates. They apply no defaults; the database does.
 *
 * @example
 * ```ts
 * import type { ModelSchemas } from 'modelrest'
 *
 * export const namesOf = ({ create }: ModelSchemas): string[] => Object.keys(create.shape)
 * ```
 */
export type ModelSchemas = Readonly<Record<SchemaName, ModelSchema>>

/** The schemas of a model, each created on first use. */
export const schemasOf: (model: Model) => ModelSchemas = onceFor((model: Model) =>
  lazyRecord(schemaNames, (which) => {
    const schema = z.strictObject(shapeOf(model, which))
    models.set(schema, model)
    return schema
  }),
)

const models = new WeakMap<z.ZodType, Model>()

/** The model of a generated schema. `undefined` for extended schemas. */
export const modelOfSchema = (schema: z.ZodType): Model | undefined => models.get(schema)

const shapeOf = (model: Model, which: SchemaName): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(
    membersOf(model, which).map((member) => [member.field.name, memberSchema(member, which)]),
  )

const memberSchema = ({ field, required }: SchemaMember, which: SchemaName): z.ZodType => {
  const value = zodKinds[field.kind][isReply(which) ? 'reply' : 'body'](field)
  const orNull = field.nullable ? value.nullable() : value
  return required ? orNull : orNull.optional()
}

/** A kind of field in Zod. Callers handle null and absence. */
interface ZodRow {
  /** Reads a value of a body. Its output is the value to store, in the form of the field. */
  readonly body: (field: KindField) => z.ZodType
  /** Checks a value of a response. */
  readonly reply: (field: KindField) => z.ZodType
}

/** Replaces the messages of Zod with those of the table of kinds, which say what is allowed. */
const inWords = (
  field: KindField,
): { readonly error: (issue: { readonly input?: unknown }) => string | undefined } => ({
  error: ({ input }) => {
    const read = readValue(input, field)
    return read.ok ? undefined : `must be ${read.expected}.`
  },
})

const both = (schema: ZodRow['body']): ZodRow => ({ body: schema, reply: schema })

const storedText = (field: KindField): z.ZodString => {
  const string = z.string(inWords(field))
  const limited = field.maxLength === undefined ? string : string.max(field.maxLength)
  return limited.refine(isStorable, { params: { code: 'invalid_format' } })
}

/** Stored values may come from elsewhere, so responses show them unchecked. */
const text: ZodRow = {
  body: (field) => {
    const { minLength = 0, printable } = field
    const string = minLength === 0 ? storedText(field) : storedText(field).min(minLength)
    return printable === true ? string.refine(isPrintable, { params: { code: 'invalid_format' } }) : string
  },
  reply: storedText,
}

/** Null never reaches the table of kinds. If it is allowed, it has been accepted before. */
const readValue = (value: unknown, field: KindField): Reading =>
  value === null ? refused('not_nullable', kinds[field.kind].noun) : kinds[field.kind].read(value, field)

/** For kinds whose JSON differs from the stored form: the table of kinds reads them. */
const reading = (field: KindField): z.ZodType =>
  z.unknown().transform((value, context) => {
    const read = readValue(value, field)
    if (read.ok) return read.value
    context.issues.push({
      code: 'custom',
      input: value,
      ...(read.path !== undefined && { path: [...read.path] }),
      message: `must be ${read.expected}.`,
      params: { code: read.code },
    })
    return z.NEVER
  })

const readable =
  (field: KindField) =>
  (value: unknown): boolean =>
    readValue(value, field).ok

const sentAsString: ZodRow = {
  body: reading,
  reply: (field) =>
    z
      .string(inWords(field))
      .refine(readable(field), { ...inWords(field), params: { code: 'invalid_format' } }),
}

const sentAsItIs: ZodRow = {
  body: reading,
  reply: (field) => z.unknown().refine(readable(field), inWords(field)),
}

/**
 * In a body, the table of kinds reads arrays, because Zod would check every element and report an issue for each.
 */
const array: ZodRow = {
  body: reading,
  reply: (field) => {
    const { element, size } = field
    const inner = element === undefined ? z.unknown() : zodKinds[element.kind].reply(element)
    const elements = z.array(element?.nullable === true ? inner.nullable() : inner, inWords(field))
    return size === undefined ? elements : elements.length(size)
  },
}

/** A part of a multipart body uploads it; a response shows its URL. */
const sentAsPart: ZodRow = { body: reading, reply: (field) => z.string(inWords(field)) }

/** One row per kind. Native Zod schemas where possible, so that applications can inspect and extend them. */
const zodKinds: Readonly<Record<FieldKind, ZodRow>> = Object.freeze({
  text,
  token: text,
  enum: both((field) => z.enum(field.values ?? [], inWords(field))),
  uuid: {
    body: (field) => z.guid(inWords(field)).toLowerCase(),
    reply: (field) => z.guid(inWords(field)),
  },
  boolean: both((field) => z.boolean(inWords(field))),
  integer: both((field) => {
    const { minimum, maximum } = integerBounds(field)
    return z.number(inWords(field)).int({ abort: true }).min(minimum).max(maximum)
  }),
  float: both((field) => {
    const number = z.number(inWords(field))
    const above = field.minimum === undefined ? number : number.min(Number(field.minimum))
    return field.maximum === undefined ? above : above.max(Number(field.maximum))
  }),
  bigint: sentAsString,
  decimal: sentAsString,
  date: sentAsString,
  time: sentAsString,
  datetime: sentAsString,
  localdatetime: sentAsString,
  bytes: sentAsString,
  file: sentAsPart,
  image: sentAsPart,
  json: sentAsItIs,
  opaque: { body: reading, reply: () => z.unknown() },
  array,
})
