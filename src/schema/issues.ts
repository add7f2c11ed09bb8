import type { z } from 'zod'
import { type IssueCode, issueCodes } from '../error/codes.ts'
import {
  boundedIssues,
  type HttpError,
  type Issue,
  pointerTo,
  problem,
  shortened,
  suggest,
} from '../error/errors.ts'
import { isReadable, type Model } from '../model/model.ts'
import { onceFor } from '../model/objects.ts'
import { modelOfSchema } from './zod.ts'

/**
 * The body as the schema reads it.
 *
 * @throws HttpError 422 `invalid_body` with an entry in `errors` for each place that is wrong.
 */
export const validateBody = (
  schema: z.ZodType<Record<string, unknown>>,
  body: unknown,
): Record<string, unknown> => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw bodyRefusal([NOT_AN_OBJECT])
  const result = schema.safeParse(hasInheritedName(schema) ? withoutPrototype(body) : body)
  if (result.success) return result.data
  throw bodyRefusal(issuesOf(result.error.issues, body, schema))
}

/** The keys that an object's schema names. */
const keysOf = (schema: z.ZodType): readonly string[] =>
  'shape' in schema ? Object.keys(Object(schema.shape)) : []

/** A column may be named `constructor`: every object has one, so that an absent field would be there. */
const hasInheritedName = onceFor((schema: z.ZodType) => keysOf(schema).some(isInherited))

/** Whether every object has something by this name. */
export const isInherited = (name: string): boolean => name in Object.prototype

/** A body that has nothing but what was sent. */
export const withoutPrototype = (body: object): Record<string, unknown> =>
  Object.assign(Object.create(null), body)

/** The refusal of a body for what is wrong with it: 422 `invalid_body`. */
export const bodyRefusal = (found: Iterable<Issue>): HttpError => {
  const errors = boundedIssues(found)
  const [first, ...more] = errors
  const others = more.length === 0 ? '' : ` ${more.length} more in errors.`
  return problem('invalid_body', `The body does not fit the schema. ${first?.detail ?? ''}${others}`, {
    errors,
  })
}

/** The issue of a body that is no object at all. */
export const NOT_AN_OBJECT: Issue = Object.freeze({
  pointer: '',
  code: 'wrong_type',
  detail: 'The body must be a JSON object.',
})

/**
 * What Zod found wrong, in our codes: a JSON pointer (RFC 6901) says where, the detail what is allowed. One after the
 * other, as a body of unknown keys has as many as there are keys.
 */
export function* issuesOf(
  found: readonly z.core.$ZodIssue[],
  body: unknown,
  schema: z.ZodType,
): Generator<Issue, void, undefined> {
  for (const issue of found) {
    if (issue.code !== 'unrecognized_keys') yield valueIssue(issue, body)
    else for (const key of issue.keys) yield unknownKey(key, issue.path, schema)
  }
}

type Path = readonly PropertyKey[]

const unknownKey = (key: string, path: Path, schema: z.ZodType): Issue => {
  const name = shortened(key)
  const model = modelOfSchema(schema)
  const isTop = path.length === 0 && 'shape' in schema
  if (isTop && model !== undefined && isReadableIn(model, key)) return readOnly(key)
  return {
    pointer: pointerTo([...path, key]),
    code: 'unknown_key',
    detail: `There is no ${name} here.${isTop ? suggest(name, keysOf(schema)) : ''}`,
  }
}

const isReadableIn = (model: Model, key: string): boolean =>
  model.fields.some((field) => field.name === key && isReadable(field))

const readOnly = (key: string): Issue => ({
  pointer: pointerTo([key]),
  code: 'read_only',
  detail: `${shortened(key)} cannot be written here. Leave it out.`,
})

/** The issue of a key that a client sent and may not write. */
export const unwritableKeyIssue = (key: string, model: Model): Issue =>
  isReadableIn(model, key)
    ? readOnly(key)
    : { pointer: pointerTo([key]), code: 'unknown_key', detail: `There is no ${shortened(key)} here.` }

const valueIssue = (issue: z.core.$ZodIssue, body: unknown): Issue => {
  const sent = sentAt(body, issue.path)
  const pointer = pointerTo(issue.path)
  // A rule that somebody added to a schema: what it says stands, whatever was sent.
  if (issue.code === 'custom' && codeIn(issue) === undefined)
    return { pointer, code: 'invalid', detail: issue.message }
  const code = sent.there ? codes[issue.code](issue, sent.value) : 'required'
  return { pointer, code, detail: detailPrefix(code, issue.path) + issue.message }
}

const codeIn = ({ params }: z.core.$ZodIssueCustom): IssueCode | undefined => {
  const code: unknown = params?.['code']
  return typeof code === 'string' && isIssueCode(code) ? code : undefined
}

const isIssueCode = (code: string): code is IssueCode => Object.hasOwn(issueCodes, code)

const prefixes: Readonly<Partial<Record<IssueCode, string>>> = {
  required: 'is missing',
  not_nullable: 'cannot be null',
}

/** How a detail begins where it has to say which field it is about. */
export const detailPrefix = (code: IssueCode, path: Path): string => {
  const lead = prefixes[code]
  return lead === undefined ? '' : `${shortened(String(path.at(-1) ?? 'The body'))} ${lead}. `
}

/** What a body has at a place. */
export type Sent = { readonly there: false } | { readonly there: true; readonly value: unknown }

export const sentAt = (body: unknown, path: Path): Sent => {
  let value = body
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return { there: false }
    value = Reflect.get(value, part)
  }
  return { there: true, value }
}

type CodeRule = (issue: z.core.$ZodIssue, sent: unknown) => IssueCode

const always =
  (code: IssueCode): CodeRule =>
  () =>
    code

const nullOr =
  (code: CodeRule): CodeRule =>
  (issue, sent) =>
    sent === null ? 'not_nullable' : code(issue, sent)

/** Texts and arrays have a length, numbers a range. */
const bound =
  (length: IssueCode): CodeRule =>
  (issue) =>
    'origin' in issue && (issue.origin === 'string' || issue.origin === 'array') ? length : 'out_of_range'

const codes: Readonly<Record<z.core.$ZodIssue['code'], CodeRule>> = {
  invalid_type: nullOr(always('wrong_type')),
  invalid_value: nullOr((_issue, sent) => (typeof sent === 'string' ? 'not_in_enum' : 'wrong_type')),
  invalid_union: nullOr(always('wrong_type')),
  invalid_format: always('invalid_format'),
  too_big: bound('too_long'),
  too_small: bound('too_short'),
  not_multiple_of: always('out_of_range'),
  unrecognized_keys: always('unknown_key'),
  invalid_key: always('invalid'),
  invalid_element: always('invalid'),
  custom: nullOr((issue) => (issue.code === 'custom' ? codeIn(issue) : undefined) ?? 'invalid'),
}
