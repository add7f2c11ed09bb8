import { hash } from 'node:crypto'
import type { Issue } from '../error/errors.ts'
import { fileFieldsOf, kinds } from '../model/kinds/index.ts'
import { isPrintable } from '../model/kinds/text.ts'
import type { Field, Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import { type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import { type Condition, everything } from '../query/ast.ts'
import { readEitherForm } from '../schema/columns.ts'
import { bodyRefusal } from '../schema/issues.ts'
import { serialiserOf } from '../schema/serialiser.ts'
import { type ModelSource, type Row, type Session, SourceError } from '../source/source.ts'
import type { Subject, TokenClaims } from './tokens.ts'
import { printable } from './user-columns.ts'
import { type UserModel, type UserRecords, userRecordsOf } from './users.ts'

/** User records. @throws SourceError from every method */
export interface Accounts extends UserRecords {
  /** The user with this identifier, as it was typed. `undefined` if it matches none or several. */
  find(by: Field | 'any', text: string): Steps<Row | undefined>
  /**
   * The user of a token. `undefined` if the user is deleted, even if another user has the key now, and if the password has
   * changed since the token was issued.
   */
  named(claims: TokenUser): Steps<Row | undefined>
  /** The user of a token, if neither deleted nor disabled. */
  active(claims: TokenUser): Steps<Row | undefined>
  /** Whether another user may get the key of a deleted one. */
  readonly keysComeAgain: boolean
  /** @param values with the hash in the password column */
  create(values: Row): Steps<Row>
  /**
   * Replaces the hash. `undefined` if the record was deleted, or if its hash has changed meanwhile: the new hash then
   * stays.
   */
  setPassword(row: Row, hash: string): Steps<Row | undefined>
  /** Stores values, unless the record was deleted, or one of these fields has changed since it was read: `undefined`. */
  change(row: Row, fields: readonly Field[], values: Row): Steps<Row | undefined>
  /** Deletes a user, unless the stored hash differs from the one in the row. */
  remove(row: Row): Steps<void>
  /** The key in the form of the claim `sub`. */
  toSub(row: Row): string
  /** The subject of new tokens. @param iat the second before the user was checked */
  subjectOf(row: Row, iat: number): Subject
  /** The claim `sub` for a key, or for its form in JSON. `undefined` if it cannot be a key. */
  subOf(id: unknown): string | undefined
  /** The key in a claim `sub`. `undefined` if it cannot be a key. */
  idOf(sub: string): unknown
  /** The stored hash. `undefined` if this user cannot log in with a password. */
  hashIn(row: Row): string | undefined
  /** A user as JSON, in the detail schema. */
  shown(row: Row): Steps<string>
}

type TokenUser = Pick<TokenClaims, 'sub' | 'account'>

/** Replaces the keys of files in a user's record with their URLs. */
export type ShowUser = (row: Row) => Steps<Row>

/** @param show Absent if users are not served, and thus neither are their files */
export const accountsOf = (
  user: UserModel,
  source: ModelSource,
  show: ShowUser = withoutFiles(user.model),
): Accounts => {
  const { model, key, identifiers, claimed, password } = user
  const store = source.store(model)
  const { record } = serialiserOf(model)
  const idIn = (row: Row): unknown => ownValue(row, key.name)
  const idOf = (sub: string): unknown => {
    const reading = kinds[key.kind].readText(sub, key)
    return reading.ok ? reading.value : undefined
  }
  const toSub = (row: Row): string => String(kinds[key.kind].write(idIn(row), key))
  const hashIn = (row: Row): string | undefined => {
    const stored = ownValue(row, password.name)
    return typeof stored === 'string' && stored !== '' ? stored : undefined
  }
  const keysComeAgain = key.comesAgain === true
  // The hash has a random salt: this value is unique to the account, changes with the password, and cannot be used to guess
  // the password.
  const accountIn = (row: Row): string | undefined => {
    const stored = hashIn(row)
    // Without a password, two users of the same key would have the same value.
    if (stored === undefined && keysComeAgain) return undefined
    return hash('sha256', `account\n${toSub(row)}\n${stored ?? ''}`, 'buffer')
      .subarray(0, 16)
      .toString('base64url')
  }
  function* named(claims: TokenUser): Steps<Row | undefined> {
    const id = idOf(claims.sub)
    const row = id === undefined ? undefined : yield* read(id)
    if (row === undefined || (claims.account === undefined && !keysComeAgain)) return row
    return claims.account !== undefined && claims.account === accountIn(row) ? row : undefined
  }
  function* change(row: Row, fields: readonly Field[], values: Row): Steps<Row | undefined> {
    const conditions = fields.map((field) => asRead(row, field))
    return yield* waitInAnyMode(store.update([idIn(row)], values, { op: 'and', conditions }))
  }
  const { read, withoutPassword } = userRecordsOf(model, source)
  const assertFree = freeIdentifierCheck(model, claimed, source)
  return Object.freeze<Accounts>({
    *find(by, text) {
      const fields = by === 'any' ? identifiers : [by]
      const filter = identifierCondition(fields, text)
      if (filter === undefined) return undefined
      const order = [{ field: key.name, direction: 'asc' } as const]
      const found = yield* waitInAnyMode(store.list({ filter, order, limit: 3, offset: 0 }, everything))
      // Old records may differ only in case: an exact match wins.
      const exact = found.filter((row) => fields.some(({ name }) => ownValue(row, name) === text.trim()))
      const [only, another] = exact.length > 0 ? exact : found
      return another === undefined ? only : undefined
    },
    read,
    named,
    *active(claims) {
      const row = yield* named(claims)
      return row === undefined || isDisabled(row) ? undefined : row
    },
    keysComeAgain,
    *create(values) {
      yield* assertFree(values)
      return yield* waitInAnyMode(store.create(values))
    },
    setPassword: (row, stored) => change(row, [password], { [password.name]: stored }),
    change,
    *remove(row) {
      yield* waitInAnyMode(store.remove([idIn(row)], asRead(row, password)))
    },
    toSub,
    subjectOf: (row, iat) => {
      const account = accountIn(row)
      return { sub: toSub(row), iat, ...(account !== undefined && { account }) }
    },
    subOf: (id) => {
      const reading = readEitherForm(id, key)
      return reading.ok ? String(kinds[key.kind].write(reading.value, key)) : undefined
    },
    idOf,
    hashIn,
    *shown(row) {
      return record(yield* show(row))
    },
    withoutPassword,
  })
}

/** Holds while a field has the value that was read. */
const asRead = (row: Row, { name: field }: Field): Condition => {
  const value = ownValue(row, field) ?? null
  return value === null ? { op: 'is-null', field } : { op: 'eq', field, value }
}

const withoutFiles = (model: Model): ShowUser => {
  const none = Object.fromEntries(fileFieldsOf(model).map(({ name }) => [name, null]))
  return (row) => wait({ ...row, ...none })
}

/** A user is disabled if one of these columns is false. SQLite may store a boolean as a number. */
const activeNames = ['is_active', 'isActive']
const falseValues: readonly unknown[] = [false, 0, 0n]

/** A user is disabled if one of these columns is not null. */
const disabledNames = ['disabled_at', 'disabledAt']

export const isDisabled = (row: Row): boolean =>
  activeNames.some((name) => falseValues.includes(ownValue(row, name))) ||
  disabledNames.some((name) => (ownValue(row, name) ?? null) !== null)

/** Also finds identifiers that an earlier application stored without normalizing them. */
const identifierCondition = (fields: readonly Field[], text: string): Condition | undefined => {
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
    const texts = identifiers
      .map(({ name }) => ownValue(values, name))
      .filter((value) => typeof value === 'string')
    if (texts.length === 0 || isUniqueInDatabase(model, identifiers)) return
    const names = identifiers.map(({ name }) => name)
    const any = names.map((field): Condition => ({ op: 'in', field, values: texts }))
    const isKnown: Condition = { op: 'or', conditions: any }
    const others = keys.map((field): Condition => ({ op: 'ne', field, value: ownValue(own, field) }))
    const isOther: Condition = { op: 'or', conditions: others }
    const filter: Condition = own === undefined ? isKnown : { op: 'and', conditions: [isKnown, isOther] }
    const store = session.store(model)
    const [other] = yield* waitInAnyMode(store.list({ filter, order, limit: 1, offset: 0 }, everything))
    if (other === undefined) return
    const known = names.map((name) => ownValue(other, name))
    throw new SourceError('unique', {
      fields: names.filter((name) => known.includes(ownValue(values, name))),
    })
  }
}

const isUniqueInDatabase = ({ uniques, primaryKey }: Model, identifiers: readonly Field[]): boolean => {
  const [only, ...more] = identifiers
  const isOnly = (names: readonly string[]): boolean => names.length === 1 && names[0] === only?.name
  return more.length === 0 && [primaryKey, ...uniques].some(isOnly)
}
