import { randomBytes } from 'node:crypto'
import type { Issue } from '../../error/errors.ts'
import { kinds } from '../../model/kinds/index.ts'
import { isPrintable } from '../../model/kinds/text.ts'
import type { Field, Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { withUnfinished } from '../../model/soft-deletion.ts'
import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import { type Condition, everything } from '../../query/ast.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import { type ModelSource, type Row, type Session, SourceError } from '../../source/source.ts'
import { printable } from './user-columns.ts'

/** Also finds identifiers that an earlier application stored without normalizing them. */
export const identifierCondition = (fields: readonly Field[], text: string): Condition | undefined => {
  const values = [...new Set([normalised(text), text.trim()])]
  const conditions = fields.flatMap((field): readonly Condition[] => {
    const readable = values.filter((value) => value !== '' && kinds[field.kind].readText(value, field).ok)
    return readable.length === 0 ? [] : [{ op: 'in', field: field.name, values: readable }]
  })
  const [only, ...more] = conditions
  return only === undefined || more.length === 0 ? only : { op: 'or', conditions }
}

/**
 * Normalizes identifiers.
 *
 * @param record the stored record, whose email address may be older than the check
 * @throws HttpError 422 for an identifier that is empty, too long or not printable in this form, and for a new `email`
 * that is not an address
 */
export const withNormalised = (identifiers: readonly Field[], values: Row, record?: Row): Row => {
  const texts = new Map<string, string>()
  const issues: Issue[] = []
  for (const field of identifiers) {
    const value = ownValue(values, field.name)
    if (typeof value !== 'string') continue
    const text = normalised(value)
    texts.set(field.name, text)
    const isNew = value !== ownValue(record, field.name)
    issues.push(...issuesOf(field, value, text, isNew))
  }
  if (issues.length > 0) throw bodyRefusal(issues)
  return { ...values, ...Object.fromEntries(texts) }
}

/** Checks only the form, because no rule about names and domains holds for every address. */
const addressForm = /^[^\s@]+@[^\s@]+$/

/** Whether an identifier must be an email address. */
export const isAddress = ({ name }: Field): boolean => name === 'email'

const issuesOf = (field: Field, value: string, text: string, isNew: boolean): readonly Issue[] => {
  const pointer = `/${field.name}`
  if (text === '') return [{ pointer, code: 'too_short', detail: `${field.name} is empty.` }]
  // A custom schema or a hook has not checked the value, and normalizing may introduce characters.
  const reading = kinds[field.kind].read(isPrintable(value) ? text : value, printable(field))
  if (!reading.ok)
    return [{ pointer, code: reading.code, detail: `${field.name} must be ${reading.expected}.` }]
  if (!isNew || !isAddress(field) || addressForm.test(text)) return []
  const detail = `${field.name} must be an email address, such as ada@example.com.`
  return [{ pointer, code: 'invalid_format', detail }]
}

/**
 * Normalizes an identifier, such as an email address or a user name: trimmed, in Unicode form NFKC and in lower case.
 * This form is stored and searched for.
 *
 * @example `normalised(' Ada@Example.COM ')` is `ada@example.com`.
 */
export const normalised = (text: string): string => inOneForm(inOneForm(text))

/** Applied twice: the lower-case form of a character may have another NFKC form, which may begin with a space. */
const inOneForm = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(FINAL_SIGMA, SIGMA).trim()

/** The Greek sigma has two lower-case forms, depending on its position in the word. */
const SIGMA = '\u03c3'
const FINAL_SIGMA = '\u03c2'

/**
 * Ensures that an identifier belongs to only one user. A unique constraint covers one column; it does not prevent a user
 * name that is the email address of another user, who could then not log in.
 *
 * The check takes the transaction that it is part of, if there is one.
 *
 * @throws SourceError `unique` if another user has one of these identifiers
 */
export const freeIdentifierCheck = (
  model: Model,
  identifiers: readonly Field[],
  source: ModelSource,
): ((values: Row, own?: Row, session?: Session) => Steps<void>) => {
  const keys = model.primaryKey
  const order = keys.map((field) => ({ field, direction: 'asc' }) as const)
  return function* (values, own, session = source) {
    const conditions = holding(identifiers, values)
    if (conditions.length === 0 || isUniqueInDatabase(model, identifiers)) return
    const names = identifiers.map(({ name }) => name)
    const isKnown: Condition = { op: 'or', conditions }
    const others = keys.map((field): Condition => ({ op: 'ne', field, value: ownValue(own, field) }))
    const isOther: Condition = { op: 'or', conditions: others }
    const filter: Condition = own === undefined ? isKnown : { op: 'and', conditions: [isKnown, isOther] }
    // A deleted user may be restored, and an unfinished one finished.
    const store = session.store(withUnfinished(model))
    const [other] = yield* waitInAnyMode(store.list({ filter, order, limit: 1, offset: 0 }, everything))
    if (other === undefined) return
    const known = names.map((name) => ownValue(other, name))
    throw new SourceError('unique', {
      fields: names.filter((name) => known.includes(ownValue(values, name))),
    })
  }
}

/** Hold for users who have one of these identifiers, in whichever column. */
const holding = (identifiers: readonly Field[], values: Row): readonly Condition[] => {
  const texts = identifiers
    .map(({ name }) => ownValue(values, name))
    .filter((value) => typeof value === 'string')
  return texts.length === 0 ? [] : identifiers.map(({ name: field }) => ({ op: 'in', field, values: texts }))
}

/** Hold for the users with whose identifiers and unique values the database, or `freeIdentifierCheck`, refuses a new one. */
export const takenBy = (model: Model, identifiers: readonly Field[], values: Row): readonly Condition[] => {
  const equal = model.uniques
    .filter((names) => names.every((name) => (ownValue(values, name) ?? null) !== null))
    .map((names): Condition => {
      const conditions = names.map((field) => ({ op: 'eq', field, value: ownValue(values, field) }) as const)
      return { op: 'and', conditions }
    })
  return [...holding(identifiers, values), ...equal]
}

/**
 * The values with which a record gives up its identifiers and its other unique texts: null, or a random text. Keys stay, because other
 * records have them.
 */
export const releasedValues = (model: Model, identifiers: readonly Field[]): Row => {
  const unique = new Set([...identifiers.map(({ name }) => name), ...model.uniques.flat()])
  const released = model.fields.flatMap((field): readonly (readonly [string, unknown])[] => {
    const { name, kind, nullable, generated, foreign, maxLength = Number.POSITIVE_INFINITY } = field
    if (!unique.has(name) || generated || foreign === true || model.primaryKey.includes(name)) return []
    if (nullable) return [[name, null]]
    const end = isAddress(field) ? '@user.invalid' : ''
    const text = `${randomBytes(16)
      .toString('hex')
      .slice(0, Math.max(1, maxLength - end.length))}${end}`
    return kinds[kind].textual && kinds[kind].read(text, field).ok ? [[name, text]] : []
  })
  return Object.fromEntries(released)
}

const isUniqueInDatabase = ({ uniques, primaryKey }: Model, identifiers: readonly Field[]): boolean => {
  const [only, ...more] = identifiers
  const isOnly = (names: readonly string[]): boolean => names.length === 1 && names[0] === only?.name
  return more.length === 0 && [primaryKey, ...uniques].some(isOnly)
}
