import fc from 'fast-check'
import type { Model, Operation } from 'modelrest'
import type { JsonSchema } from '../../../src/model/codec.ts'
import { type Link, type Unique, valuesOf } from './values.ts'

/** A body as it is generated: an object with `Link`s and `Unique`s in it, or text that is sent as it is. */
export type Body =
  | { readonly object: Readonly<Record<string, unknown>> }
  | { readonly mutant: Readonly<Record<string, unknown>>; readonly raw: Readonly<Record<string, string>> }
  | { readonly text: string }
  | { readonly bytes: Uint8Array }
  | { readonly copy: Readonly<Record<string, unknown>> }
  /** Sent as a form, with these images. */
  | {
      readonly form: Readonly<Record<string, unknown>>
      readonly images: Readonly<Record<string, Uint8Array>>
    }
  | { readonly none: true }

const linkTo = (model: string, field: string): fc.Arbitrary<Link> =>
  fc.nat().map((pick) => ({ link: { model, field, pick } }))

const unique = (maxLength: number, isEmail: boolean): fc.Arbitrary<Unique> =>
  fc
    .string({ unit: isEmail ? fc.constantFrom(...'aZ09') : 'grapheme-ascii', maxLength: 20 })
    .map((text) => ({ unique: { text, maxLength, isEmail } }))

const memberOf = (model: Model, name: string, schema: JsonSchema): fc.Arbitrary<unknown> => {
  const relation = model.relations.find(({ kind, fields }) => kind === 'to-one' && fields.includes(name))
  const field = model.fields.find((candidate) => candidate.name === name)
  if (relation !== undefined) {
    const reference = relation.references[relation.fields.indexOf(name)] ?? 'id'
    const link = linkTo(relation.model, reference)
    return field?.nullable ? fc.oneof(link, fc.constant(null)) : link
  }
  // Files come with forms alone; a client cannot make up their URLs.
  if (field?.kind === 'image') return fc.constant(null)
  const isUnique = model.uniques.some((fields) => fields.length === 1 && fields[0] === name)
  return isUnique ? unique(field?.maxLength ?? 40, schema['format'] === 'email') : valuesOf(schema)
}

/** Bodies that the operation takes. */
export const validBodies = (
  model: Model,
  operation: Operation,
): fc.Arbitrary<Readonly<Record<string, unknown>>> => {
  const { properties = {}, required = [] } = (operation.body?.schema.schema ?? {}) as {
    properties?: Readonly<Record<string, JsonSchema>>
    required?: readonly string[]
  }
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, memberOf(model, name, schema)]),
  )
  return fc.record(members, { requiredKeys: [...required] })
}

const pngStart = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52]

/** What is an image by its beginning. */
const images = fc.uint8Array({ maxLength: 10_000 }).map((rest) => Uint8Array.from([...pngStart, ...rest]))

/** Forms with an image in each field for one, or in none. */
export const forms = (model: Model, operation: Operation, isGood: boolean): fc.Arbitrary<Body> => {
  const fields = model.fields.filter(({ kind }) => kind === 'image').map(({ name }) => name)
  const bytes = isGood ? images : fc.oneof(images, fc.uint8Array({ maxLength: 100 }))
  const files = fc.dictionary(fc.constantFrom(...fields), bytes, { noNullPrototype: true })
  return fc.record({
    form: validBodies(model, operation).map((object) => omitted(object, fields)),
    images: fields.length === 0 ? fc.constant({}) : files,
  })
}

const omitted = (
  object: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** JSON texts that have gone wrong in implementations of JSON. */
const nastyJson = [
  ...['1e400', '-1e400', '9.999999999999999999', '9007199254740993', '-0', '0.1e-400', '1E+2', '00', '.5'],
  ...['NaN', 'Infinity', 'undefined', "'x'", '"\\u0000"', '"\\ud800"', '"\\x"', '"', '\u0001'],
  ...['[]', '{}', '[[[[[]]]]]', '{"__proto__":{"x":1}}', '{"constructor":{"prototype":1}}', 'null', 'true'],
  ...[`${'['.repeat(5000)}${']'.repeat(5000)}`, `"${'x'.repeat(3000)}"`, '"9.90"', '"1e2"', '" 1 "', '""'],
  ...['"2026-02-30T00:00:00Z"', '"2026-01-01"', '"0000-01-01T00:00:00Z"', '"9999-12-31T23:59:59-23:59"'],
]

const names = (model: Model): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...model.fields.map(({ name }) => name)) },
    fc.constantFrom('__proto__', 'constructor', 'toString', 'ID', '', ' ', 'a/b', 'a~b'),
    fc.string({ unit: 'binary', maxLength: 10 }),
  )

/** Bodies that are mostly refused: valid ones with a change, and things that are no JSON objects at all. */
export const noiseBodies = (model: Model, operation: Operation): fc.Arbitrary<Body> => {
  const valid = validBodies(model, operation)
  const mutant = fc.record({
    mutant: valid,
    raw: fc.dictionary(
      names(model),
      fc.oneof(
        fc.constantFrom(...nastyJson),
        fc.json({ maxDepth: 3 }),
        fc.string({ unit: 'binary', maxLength: 200 }).map((value) => JSON.stringify(value)),
        fc.double().map(String),
        fc.bigInt().map(String),
      ),
      { minKeys: 1, maxKeys: 3, noNullPrototype: false },
    ),
  })
  const missing = fc.tuple(valid, fc.nat()).map(([object, which]) => ({ object: without(object, which) }))
  return fc.oneof(
    { weight: 6, arbitrary: mutant },
    { weight: 2, arbitrary: missing },
    { weight: 2, arbitrary: fc.json().map((text) => ({ text })) },
    fc.constantFrom(...nastyJson).map((text) => ({ text })),
    fc.string({ unit: 'binary' }).map((text) => ({ text })),
    fc.tuple(fc.json(), fc.nat()).map(([text, end]) => ({ text: text.slice(0, end % (text.length + 1)) })),
    fc.uint8Array({ maxLength: 100 }).map((bytes) => ({ bytes })),
    fc.constant({ none: true as const }),
  )
}

const without = (
  object: Readonly<Record<string, unknown>>,
  which: number,
): Readonly<Record<string, unknown>> => {
  const keys = Object.keys(object)
  const gone = keys[which % Math.max(keys.length, 1)]
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== gone))
}
