import type { z } from 'zod'
import type { IssueCode } from '../../error/codes.ts'
import { boundedIssues, type HttpError, type Issue, MAX_ISSUES, pointerTo } from '../../error/errors.ts'
import { isReadable, type Model } from '../../model/model.ts'
import { bodyRefusal, detailOf, issuesOf, sentAt } from '../issues.ts'
import { issuePath, type StandardIssue, type StandardSchema } from './standard-schema.ts'

export const customRefusal = (
  issues: readonly StandardIssue[],
  body: object,
  model: Model,
  schema: StandardSchema,
): HttpError => {
  const found = isZod(schema)
    ? boundedIssues(issuesOf(issues as readonly z.core.$ZodIssue[], body, schema))
    : standardIssues(issues, body)
  return bodyRefusal(withoutSecrets(found, body, model))
}

const isZod = (schema: StandardSchema): schema is StandardSchema & z.ZodType => '_zod' in schema

/** Issues with our codes and the messages of the schema. */
const standardIssues = (found: readonly StandardIssue[], body: unknown): readonly Issue[] =>
  found.slice(0, MAX_ISSUES).map((issue) => {
    const path = issuePath(issue)
    const code = standardCode(issue, sentAt(body, path))
    return { pointer: pointerTo(path), code, detail: detailOf(code, path, issue.message) }
  })

const standardCode = (issue: StandardIssue, sent: unknown): IssueCode => {
  const name = ruleName(issue)
  if (isUnknownKey(issue)) return 'unknown_key'
  if (ownRules.includes(name)) return 'invalid'
  if (sent === undefined) return 'required'
  if (sent === null) return 'not_nullable'
  const code = codesByName.get(name)
  if (code === 'not_in_enum' && !isOfType(sent, issue)) return 'wrong_type'
  return code ?? (Reflect.get(issue, 'kind') === 'schema' ? 'wrong_type' : 'invalid')
}

/** Whether it has the type of an allowed value. Assumes strings if the library does not name the values. */
const isOfType = (sent: unknown, issue: StandardIssue): boolean => {
  const errors: unknown = Reflect.get(issue, 'errors')
  const units = (Array.isArray(errors) ? errors : [issue]).filter((part: object) => 'unit' in part)
  if (units.length === 0) return typeof sent === 'string'
  return units.some((part: object) => typeof Reflect.get(part, 'unit') === typeof sent)
}

/** The name of the violated rule: `code` in ArkType, `type` next to `kind` in Valibot. */
const ruleName = (issue: StandardIssue): string => {
  const name: unknown = Reflect.get(issue, 'kind' in issue ? 'type' : 'code')
  return typeof name === 'string' ? name : ''
}

const isUnknownKey = (issue: StandardIssue): boolean => {
  const expected: unknown = Reflect.get(issue, 'expected')
  return ruleName(issue) === 'strict_object' ? expected === 'never' : expected === 'removed'
}

const namesByCode: Readonly<Partial<Record<IssueCode, string>>> = {
  too_short: 'min_length min_bytes min_graphemes min_words min_size min_entries non_empty minLength',
  too_long: 'max_length max_bytes max_graphemes max_words max_size max_entries maxLength',
  out_of_range: 'min_value max_value gt_value lt_value value multiple_of finite min max divisor after before',
  wrong_type: 'integer safe_integer domain proto',
  not_in_enum: 'picklist enum literal variant unit union',
  invalid_format: [
    'regex email rfc_email url uuid ulid nanoid cuid2 ip ipv4 ipv6 mac mac48 mac64 base64 bic credit_card decimal digits',
    'emoji hash hexadecimal hex_color imei octal slug starts_with ends_with includes isbn isrc jws_compact iso_date',
    'iso_date_time iso_time iso_time_second iso_timestamp iso_week length size bytes graphemes words entries',
    'pattern exactLength',
  ].join(' '),
}

/** Rule name of Valibot or ArkType -> our code. */
const codesByName: ReadonlyMap<string, IssueCode> = new Map(
  Object.entries(namesByCode).flatMap(([code, all]) =>
    all.split(' ').map((name): readonly [string, IssueCode] => [name, code as IssueCode]),
  ),
)

/** Rules that the application wrote. Their messages are kept, regardless of the value that was sent. */
const ownRules = 'check raw_check partial_check check_items every_item some_item custom predicate'.split(' ')

/** A message may repeat the whole value that was sent. */
const MAX_DETAIL = 300

/** With more secrets or a longer message, searching is too expensive: the message is replaced. */
const MAX_SECRETS = 100
const MAX_SEARCHED = 2000

/** Libraries repeat values that were sent. A message that repeats a value that clients may not read is replaced. */
export const withoutSecrets = (issues: readonly Issue[], body: object, model: Model): readonly Issue[] => {
  const secrets: string[] = []
  for (const text of secretsIn(body, model)) if (secrets.push(text) > MAX_SECRETS) break
  return issues.map((issue) => ({ ...issue, detail: searchedDetail(issue, secrets) }))
}

const searchedDetail = ({ detail }: Issue, secrets: readonly string[]): string => {
  const isSearchable = secrets.length <= MAX_SECRETS && detail.length <= MAX_SEARCHED
  if (secrets.length > 0 && !(isSearchable && secrets.every((secret) => !detail.includes(secret))))
    return 'The value is invalid.'
  return detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL)}…` : detail
}

function* secretsIn(body: object, model: Model): Generator<string, void, undefined> {
  for (const field of model.fields)
    if (!isReadable(field) && Object.hasOwn(body, field.name)) yield* textsIn(Reflect.get(body, field.name))
}

/**
 * The forms in which a message may repeat a value. Short values only in quotes, because every message contains an `a`.
 */
function* textsIn(value: unknown): Generator<string, void, undefined> {
  if (value === null || value === '') return
  if (typeof value === 'object') for (const inner of Object.values(value)) yield* textsIn(inner)
  else {
    const text = String(value)
    yield `"${text}"`
    yield JSON.stringify(text)
    if (text.length > 3) yield text
  }
}
