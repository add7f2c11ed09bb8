import { hash } from 'node:crypto'
import { fileFieldsOf, kinds } from '../model/kinds/index.ts'
import type { Field, Model } from '../model/model.ts'
import { type Awaitable, ownValue } from '../model/objects.ts'
import { runNested, type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import { type Condition, everything } from '../query/ast.ts'
import { readEitherForm } from '../schema/columns.ts'
import { serialiserOf } from '../schema/serialiser.ts'
import { type ModelSource, type Row, SourceError } from '../source/source.ts'
import type { Subject } from './sessions.ts'
import type { TokenClaims } from './tokens.ts'
import { normalised, passwordColumnOf } from './user-columns.ts'
import type { UserModel } from './users.ts'

/**
 * The records of users.
 *
 * @throws SourceError from every act, for what the database refuses
 */
export interface Accounts extends UserRecords {
  /**
   * The user that is known by a text, as it was typed. Two users that it could mean are none.
   *
   * @param by the identifier that was named, or any of them
   */
  find(by: Field | 'any', text: string): Steps<Row | undefined>
  /** The user that a token names. `undefined`: the user is gone, even if the key is another user's now. */
  named(claims: TokenUser): Steps<Row | undefined>
  /** The same if a session of theirs may go on: neither deleted nor disabled. */
  active(claims: TokenUser): Steps<Row | undefined>
  /** Whether the key in a token may be another user's by now, so that the record must be read to tell. */
  mayBeAnothers(claims: TokenUser): boolean
  /** @param values with the hash in the password's column */
  create(values: Row): Steps<Row>
  /**
   * Puts another hash in the place of the one that the row has, and gives the record as it is then. `undefined`: it has
   * another one meanwhile, which stays, or is gone.
   */
  setPassword(row: Row, hash: string): Steps<Row | undefined>
  /** Deletes a user whose hash is still the one that the row has. */
  remove(row: Row): Steps<void>
  /** A user's key, as the claim `sub` has it. */
  toSub(row: Row): string
  /** A user, as new tokens name them. @param iat the second before the user was checked */
  subjectOf(row: Row, iat: number): Subject
  /** The same of a key in either form. `undefined`: it can be none. */
  subOf(id: unknown): string | undefined
  /** The key that a claim `sub` means. `undefined`: it can be none. */
  idOf(sub: string): unknown
  /** The stored hash. `undefined`: this user cannot log in with a password. */
  hashIn(row: Row): string | undefined
  /** A user as JSON, in the detail schema. */
  shown(row: Row): Steps<string>
}

/** What a token says of its user. */
type TokenUser = Pick<TokenClaims, 'sub' | 'account'>

/** A user's record with the URLs of its files in the place of their keys. */
export type ShowUser = (row: Row) => Steps<Row>

/** @param show Absent: users are not served, so that their files are not either */
export const accountsOf = (
  user: UserModel,
  source: ModelSource,
  show: ShowUser = withoutFiles(user.model),
): Accounts => {
  const { model, key, identifiers, password } = user
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
  const mayBeAnothers = ({ account }: TokenUser): boolean => key.comesAgain === true || account !== undefined
  const accountIn = (row: Row): string | undefined => accountMark(toSub(row), hashIn(row))
  function* named(claims: TokenUser): Steps<Row | undefined> {
    const id = idOf(claims.sub)
    const row = id === undefined ? undefined : yield* read(id)
    if (row === undefined || !mayBeAnothers(claims)) return row
    return claims.account !== undefined && claims.account === accountIn(row) ? row : undefined
  }
  const asRead = (row: Row): Condition => ({
    op: 'eq',
    field: password.name,
    value: ownValue(row, password.name),
  })
  const { read, withoutPassword } = userRecordsOf(model, source)
  const assertFree = freeIdentifierCheck(model, identifiers, source)
  return Object.freeze<Accounts>({
    *find(by, text) {
      const fields = by === 'any' ? identifiers : [by]
      const filter = identifierCondition(fields, text)
      if (filter === undefined) return undefined
      const order = [{ field: key.name, direction: 'asc' } as const]
      const found = yield* waitInAnyMode(store.list({ filter, order, limit: 3, offset: 0 }, everything))
      // Of before there may be another that differs in case: whoever types theirs exactly is known.
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
    mayBeAnothers,
    *create(values) {
      yield* assertFree(values)
      return yield* waitInAnyMode(store.create(values))
    },
    setPassword: (row, stored) =>
      waitInAnyMode(store.update([idIn(row)], { [password.name]: stored }, asRead(row))),
    *remove(row) {
      yield* waitInAnyMode(store.remove([idIn(row)], asRead(row)))
    },
    toSub,
    subjectOf: (row, iat) => {
      const account = key.comesAgain === true ? accountIn(row) : undefined
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

/**
 * Tells an account from a later one with the same key: the salt in a stored hash is random, so that no two are the same,
 * and that the holder of a token cannot try passwords on it. It changes with the password.
 */
const accountMark = (sub: string, stored: string | undefined): string | undefined =>
  stored === undefined
    ? undefined
    : hash('sha256', `account\n${sub}\n${stored}`, 'buffer').subarray(0, 16).toString('base64url')

const withoutFiles = (model: Model): ShowUser => {
  const none = Object.fromEntries(fileFieldsOf(model).map(({ name }) => [name, null]))
  return (row) => wait({ ...row, ...none })
}

/** Columns that say no to a user where they are false. SQLite may keep a boolean as a number. */
const activeNames = ['is_active', 'isActive']
const falseValues: readonly unknown[] = [false, 0, 0n]

/** Columns that say no to a user where they hold anything. */
const disabledNames = ['disabled_at', 'disabledAt']

/** Whether a user may not come in. */
export const isDisabled = (row: Row): boolean =>
  activeNames.some((name) => falseValues.includes(ownValue(row, name))) ||
  disabledNames.some((name) => (ownValue(row, name) ?? null) !== null)

/** Records of before may have an identifier as it was typed once: that form is looked for too. */
const identifierCondition = (fields: readonly Field[], text: string): Condition | undefined => {
  const values = [...new Set([normalised(text), text.trim()])]
  const conditions = fields.flatMap((field): readonly Condition[] => {
    const readable = values.filter((value) => value !== '' && kinds[field.kind].readText(value, field).ok)
    return readable.length === 0 ? [] : [{ op: 'in', field: field.name, values: readable }]
  })
  const [only, ...more] = conditions
  return only === undefined || more.length === 0 ? only : { op: 'or', conditions }
}

/** @throws SourceError `unique` where another user is known by one of these identifiers already */
export type AssertFree = (values: Row, own?: Row) => Steps<void>

/**
 * Sees to it that a text means one user. The database does that for a column; that a user name is not another's address,
 * with which they could not log in any more, it does not.
 */
export const freeIdentifierCheck = (
  model: Model,
  identifiers: readonly Field[],
  source: ModelSource,
): AssertFree => {
  const store = source.store(model)
  const keys = model.primaryKey
  const order = keys.map((field) => ({ field, direction: 'asc' }) as const)
  return function* (values, own) {
    const texts = identifiers
      .map(({ name }) => ownValue(values, name))
      .filter((value) => typeof value === 'string')
    if (texts.length === 0 || isUniqueInDatabase(model, identifiers)) return
    const any = identifiers.map(({ name }): Condition => ({ op: 'in', field: name, values: texts }))
    const isKnown: Condition = { op: 'or', conditions: any }
    const isOther: Condition = {
      op: 'or',
      conditions: keys.map((field) => ({ op: 'ne', field, value: ownValue(own ?? {}, field) })),
    }
    const filter: Condition = own === undefined ? isKnown : { op: 'and', conditions: [isKnown, isOther] }
    const [other] = yield* waitInAnyMode(store.list({ filter, order, limit: 1, offset: 0 }, everything))
    if (other === undefined) return
    const names = identifiers.map(({ name }) => name)
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

/** Users as hooks see them. */
interface UserRecords {
  /** @param id in the form of the key */
  read(id: unknown): Steps<Row | undefined>
  withoutPassword(row: Row): Row
}

/** The records of a user model, whichever way its users log in. */
export const userRecordsOf = (model: Model, source: ModelSource): UserRecords => {
  const store = source.store(model)
  const password = passwordColumnOf(model)?.name
  return Object.freeze<UserRecords>({
    read: (id) => waitInAnyMode(store.read([id], everything)),
    withoutPassword: (row) =>
      Object.freeze(Object.fromEntries(Object.entries(row).filter(([name]) => name !== password))),
  })
}

/** Milliseconds. Clients decide how long their body takes. */
const LONG_AGO = 1000

/**
 * A caller's record without the password, for hooks: `context.user()`. It is read once, and again where that was more than a
 * second ago; null where it is gone.
 *
 * @param id in the form of the key
 */
export const currentUser = (users: UserRecords, id: unknown): (() => Awaitable<Row | null>) => {
  let asked: { readonly user: Awaitable<Row | null>; readonly at: number } | undefined
  function* find(): Steps<Row | null> {
    const row = yield* users.read(id)
    return row === undefined ? null : users.withoutPassword(row)
  }
  return () => {
    const now = performance.now()
    if (asked === undefined || now - asked.at >= LONG_AGO) asked = { user: runNested(find()), at: now }
    return asked.user
  }
}
