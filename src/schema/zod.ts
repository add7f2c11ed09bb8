import { z } from 'zod'
import { type KindField, type Reading, refused } from '../model/codec.ts'
import { kinds } from '../model/kinds/index.ts'
import { integerBounds } from '../model/kinds/number.ts'
import { isPrintable, isStorable } from '../model/kinds/text.ts'
import type { FieldKind, Model } from '../model/model.ts'
import { lazyRecord, onceFor } from '../model/objects.ts'
import { isReply, type Member, membersOf, type SchemaName, schemaNames } from './members.ts'

/** One schema of a model: a strict Zod object that can be looked into (`shape`) and extended. */
type ModelSchema = z.ZodObject<Readonly<Record<string, z.ZodType>>, z.core.$strict>

/**
 * The Zod schemas of a model.
 *
 * `list` and `detail` describe records as they are sent; `list` requires the key alone, since clients choose the fields.
 * `create`, `update` and `replace` read a JSON body, and their output is what is stored: a decimal in its exact form, a
 * date-time as a `Date` where the column is one. No default is applied: the database does that.
 *
 * @example
 * ```ts
 * import type { ModelSchemas } from 'modelrest'
 *
 * export const namesOf = ({ create }: ModelSchemas): string[] => Object.keys(create.shape)
 * ```
 */
export type ModelSchemas = Readonly<Record<SchemaName, ModelSchema>>

/** The schemas of a model, each made when it is first asked for. */
export const schemasOf: (model: Model) => ModelSchemas = onceFor((model: Model) =>
  lazyRecord(schemaNames, (which) => {
    const schema = z.strictObject(shapeOf(model, which))
    models.set(schema, model)
    return schema
  }),
)

const models = new WeakMap<z.ZodType, Model>()

/** The model that a generated schema is of. A schema that was extended is of none. */
export const modelOfSchema = (schema: z.ZodType): Model | undefined => models.get(schema)

const shapeOf = (model: Model, which: SchemaName): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(
    membersOf(model, which).map((member) => [member.field.name, memberSchema(member, which)]),
  )

const memberSchema = ({ field, required }: Member, which: SchemaName): z.ZodType => {
  const value = zodKinds[field.kind][isReply(which) ? 'reply' : 'body'](field)
  const orNull = field.nullable ? value.nullable() : value
  return required ? orNull : orNull.optional()
}

/** A kind of field in Zod. Null and absence are the caller's. */
interface ZodRow {
  /** Reads a value of a body. Its output has the field's form, as it is stored. */
  readonly body: (field: KindField) => z.ZodType
  /** Checks a value of a reply, as it is sent. */
  readonly reply: (field: KindField) => z.ZodType
}

/** Words for whatever Zod finds wrong: those of the table of kinds, so that they say what is allowed. */
const inWords = (
  field: KindField,
): { readonly error: (issue: { readonly input?: unknown }) => string | undefined } => ({
  error: ({ input }) => {
    const read = readValue(input, field)
    return read.ok ? undefined : `Expected ${read.expected}.`
  },
})

const both = (schema: ZodRow['body']): ZodRow => ({ body: schema, reply: schema })

const storedText = (field: KindField): z.ZodString => {
  const string = z.string(inWords(field))
  const limited = field.maxLength === undefined ? string : string.max(field.maxLength)
  return limited.refine(isStorable, { params: { code: 'invalid_format' } })
}

/** What is stored already may have come another way: a reply shows it as it is. */
const text: ZodRow = {
  body: (field) =>
    field.printable === true
      ? storedText(field).refine(isPrintable, { params: { code: 'invalid_format' } })
      : storedText(field),
  reply: storedText,
}

/** Null never gets to the table of kinds: where it may be, it is let through before. */
const readValue = (value: unknown, field: KindField): Reading =>
  value === null ? refused('not_nullable', kinds[field.kind].noun) : kinds[field.kind].read(value, field)

/** Kinds whose JSON is not what is stored: the table of kinds reads them. */
const reading = (field: KindField): z.ZodType =>
  z.unknown().transform((value, context) => {
    const read = readValue(value, field)
    if (read.ok) return read.value
    context.issues.push({
      code: 'custom',
      input: value,
      ...(read.path !== undefined && { path: [...read.path] }),
      message: `Expected ${read.expected}.`,
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
 * Zod would look at every element, whatever is wrong with those before it, and make an issue of each: those of a body are
 * read by the table of kinds.
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

/** A part of a multipart body sends it; a reply shows where it is. */
const sentAsPart: ZodRow = { body: reading, reply: (field) => z.string(inWords(field)) }

/** One row for each kind, real Zod schemas where there is one, so that they can be looked into and extended. */
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
