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
import { isRecord } from '../error/record.ts'
import { isReadable, type Model } from '../model/model.ts'
import { onceFor } from '../model/objects.ts'
import { modelOfSchema } from './zod.ts'

/** @throws HttpError 422 `invalid_body` with an entry in `errors` for each mistake */
export const validateBody = (
  schema: z.ZodType<Record<string, unknown>>,
  body: unknown,
): Record<string, unknown> => {
  if (!isRecord(body)) throw bodyRefusal([NOT_AN_OBJECT])
  const result = schema.safeParse(hasInheritedName(schema) ? withoutPrototype(body) : body)
  if (result.success) return result.data
  throw bodyRefusal(issuesOf(result.error.issues, body, schema))
}

const keysOf = (schema: z.ZodType): readonly string[] =>
  'shape' in schema ? Object.keys(Object(schema.shape)) : []

/** A column may be named `constructor`. Every object inherits one, so an absent field would seem present. */
const hasInheritedName = onceFor((schema: z.ZodType) => keysOf(schema).some(isInherited))

/** Whether every object inherits a property with this name. */
export const isInherited = (name: string): boolean => name in Object.prototype

/** The body without inherited properties. */
export const withoutPrototype = (body: object): Record<string, unknown> =>
  Object.assign(Object.create(null), body)

export const bodyRefusal = (found: Iterable<Issue>): HttpError => {
  const errors = boundedIssues(found)
  const [first, ...more] = errors
  const others = more.length === 0 ? '' : ` ${more.length} more in errors.`
  return problem('invalid_body', `The body does not match the schema. ${first?.detail ?? ''}${others}`, {
    errors,
  })
}

export const NOT_AN_OBJECT: Issue = Object.freeze({
  pointer: '',
  code: 'wrong_type',
  detail: 'The body must be a JSON object.',
})

/** Lazy, because a body can have as many issues as keys. */
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

type IssuePath = readonly PropertyKey[]

const unknownKey = (key: string, path: IssuePath, schema: z.ZodType): Issue => {
  const isTop = path.length === 0 && 'shape' in schema
  const model = isTop ? modelOfSchema(schema) : undefined
  const issue = unwritableKeyIssue(key, model, path)
  if (!isTop || issue.code === 'read_only') return issue
  const { write = [] } = model ?? {}
  // A relation that a body writes gets here only from the element of another one, which cannot contain it.
  const known = write.includes(key) ? keysOf(schema) : [...keysOf(schema), ...write]
  return { ...issue, detail: issue.detail + suggest(shortened(key), known) }
}

export const unwritableKeyIssue = (key: string, model: Model | undefined, path: IssuePath = []): Issue => {
  const isReadOnly = model?.fields.some((field) => field.name === key && isReadable(field)) === true
  const name = shortened(key)
  return {
    pointer: pointerTo([...path, key]),
    code: isReadOnly ? 'read_only' : 'unknown_key',
    detail: isReadOnly ? `${name} is read-only. Remove it.` : `Unknown field ${name}.`,
  }
}

const valueIssue = (issue: z.core.$ZodIssue, body: unknown): Issue => {
  const pointer = pointerTo(issue.path)
  // The message of a rule that the application added to a schema is kept, whatever was sent.
  if (issue.code === 'custom' && codeIn(issue) === undefined)
    return { pointer, code: 'invalid', detail: issue.message }
  const code = codeOf(issue, sentAt(body, issue.path))
  return { pointer, code, detail: detailOf(code, issue.path, issue.message) }
}

const codeIn = ({ params }: z.core.$ZodIssueCustom): IssueCode | undefined => {
  const code: unknown = params?.['code']
  return typeof code === 'string' && Object.hasOwn(issueCodes, code) ? (code as IssueCode) : undefined
}

/** A detail that names its field. `message` is a sentence, or the rest of one: `must be true or false.` */
export const detailOf = (code: IssueCode, path: IssuePath, message: string): string => {
  const name = nameOf(path)
  const isRest = message.startsWith('must be ')
  const rule = isRest ? `It ${message}` : message
  if (code === 'required') return `${name} is required. ${rule}`
  if (code === 'not_nullable') return `${name} cannot be null. ${rule}`
  return isRest ? `${name} ${message}` : message
}

/** `The body`, `price`, `tags[3]` */
const nameOf = (path: IssuePath): string => {
  const start = path.findLastIndex((part) => typeof part !== 'number')
  const [name, ...indexes] = path.slice(Math.max(start, 0))
  return shortened(String(name ?? 'The body')) + indexes.map((index) => `[${String(index)}]`).join('')
}

/** The value of a body at a path. `undefined`: nothing was sent. */
export const sentAt = (body: unknown, path: IssuePath): unknown => {
  let value = body
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = Reflect.get(value, part)
  }
  return value
}

const codes: Readonly<Record<z.core.$ZodIssue['code'], IssueCode>> = {
  invalid_type: 'wrong_type',
  invalid_value: 'not_in_enum',
  invalid_union: 'wrong_type',
  invalid_format: 'invalid_format',
  too_big: 'too_long',
  too_small: 'too_short',
  not_multiple_of: 'out_of_range',
  unrecognized_keys: 'unknown_key',
  invalid_key: 'invalid',
  invalid_element: 'invalid',
  custom: 'invalid',
}

const codeOf = (issue: z.core.$ZodIssue, sent: unknown): IssueCode => {
  if (sent === undefined) return 'required'
  if (sent === null) return 'not_nullable'
  if (issue.code === 'custom') return codeIn(issue) ?? 'invalid'
  if (issue.code === 'invalid_value' && typeof sent !== 'string') return 'wrong_type'
  const isBound = issue.code === 'too_big' || issue.code === 'too_small'
  // Strings and arrays have a length, numbers a range.
  const isLength = isBound && (issue.origin === 'string' || issue.origin === 'array')
  return isBound && !isLength ? 'out_of_range' : codes[issue.code]
}
