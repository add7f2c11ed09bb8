import { readEitherForm } from '../../model/either-form.ts'
import { fileFieldsOf } from '../../model/file-fields.ts'
import { kinds } from '../../model/kinds.ts'
import type { Field, Model } from '../../model/model.ts'
import { ownValue } from '../../model/own-value.ts'
import { type Steps, wait, waitInAnyMode } from '../../operation/steps.ts'
import { type Condition, everything } from '../../query/ast.ts'
import { serialiserOf } from '../../schema/serialiser.ts'
import type { ModelSource, Row } from '../../source/source.ts'
import { normalised } from './identifier.ts'
import { type UserRecords, userRecordsOf } from './records.ts'
import { assertingFree } from './taken.ts'
import type { UserModel } from './user-model.ts'

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
  /** The user that a token names. */
  readSub(sub: string): Steps<Row | undefined>
  /** @param values as `readRegistration` gives them, with the hash in the password's column */
  create(values: Row): Steps<Row>
  /** Puts another hash in the place of the one that the row has. One that was stored meanwhile stays. */
  setPassword(row: Row, hash: string): Steps<void>
  remove(id: unknown): Steps<void>
  /** A user's key, as the claim `sub` has it. */
  toSub(row: Row): string
  /** The same of a key in either form. `undefined`: it can be none. */
  subOf(id: unknown): string | undefined
  /** The key that a claim `sub` means. `undefined`: it can be none. */
  idOf(sub: string): unknown
  idIn(row: Row): unknown
  /** The stored hash. `undefined`: this user cannot log in with a password. */
  hashIn(row: Row): string | undefined
  /** A user as JSON, in the detail schema. */
  shown(row: Row): Steps<string>
  /** Says how a reply shows where files of users are. Until then, and where nobody says, it shows none. */
  showBy(show: ShowUser): void
}

/** A user's record with the URLs of its files in the place of their keys. */
export type ShowUser = (row: Row) => Steps<Row>

export const accountsOf = (user: UserModel, source: ModelSource): Accounts => {
  const { model, key, identifiers, password } = user
  const store = source.store(model)
  const { record } = serialiserOf(model)
  let show = withoutFiles(model)
  const idIn = (row: Row): unknown => ownValue(row, key.name)
  const idOf = (sub: string): unknown => {
    const reading = kinds[key.kind].readText(sub, key)
    return reading.ok ? reading.value : undefined
  }
  const { read, withoutPassword } = userRecordsOf(model, source)
  const assertFree = assertingFree(model, identifiers, source)
  return Object.freeze<Accounts>({
    *find(by, text) {
      const fields = by === 'any' ? identifiers : [by]
      const filter = knownAs(fields, text)
      if (filter === undefined) return undefined
      const order = [{ field: key.name, direction: 'asc' } as const]
      const found = yield* waitInAnyMode(store.list({ filter, order, limit: 3, offset: 0 }, everything))
      // Of before there may be another that differs in case: whoever types theirs exactly is known.
      const exact = found.filter((row) => fields.some(({ name }) => ownValue(row, name) === text.trim()))
      const [only, another] = exact.length > 0 ? exact : found
      return another === undefined ? only : undefined
    },
    read,
    *readSub(sub) {
      const id = idOf(sub)
      return id === undefined ? undefined : yield* read(id)
    },
    *create(values) {
      yield* assertFree(values)
      return yield* waitInAnyMode(store.create(values))
    },
    *setPassword(row, hash) {
      const name = password.name
      const asRead: Condition = { op: 'eq', field: name, value: ownValue(row, name) }
      yield* waitInAnyMode(store.update([idIn(row)], { [name]: hash }, asRead))
    },
    *remove(id) {
      yield* waitInAnyMode(store.remove([id], everything))
    },
    toSub: (row) => String(kinds[key.kind].write(idIn(row), key)),
    subOf: (id) => {
      const reading = readEitherForm(id, key)
      return reading.ok ? String(kinds[key.kind].write(reading.value, key)) : undefined
    },
    idOf,
    idIn,
    hashIn: (row) => {
      const hash = ownValue(row, password.name)
      return typeof hash === 'string' && hash !== '' ? hash : undefined
    },
    *shown(row) {
      return record(yield* show(row))
    },
    showBy: (given) => {
      show = given
    },
    withoutPassword,
  })
}

/** Where users are not served, their files are not either. */
const withoutFiles = (model: Model): ShowUser => {
  const none = Object.fromEntries(fileFieldsOf(model).map(({ name }) => [name, null]))
  return (row) => wait({ ...row, ...none })
}

/** Records of before may have an identifier as it was typed once: that form is looked for too. */
const knownAs = (fields: readonly Field[], text: string): Condition | undefined => {
  const values = [...new Set([normalised(text), text.trim()])]
  const conditions = fields.flatMap((field): readonly Condition[] => {
    const readable = values.filter((value) => value !== '' && kinds[field.kind].readText(value, field).ok)
    return readable.length === 0 ? [] : [{ op: 'in', field: field.name, values: readable }]
  })
  const [only, ...more] = conditions
  return only === undefined || more.length === 0 ? only : { op: 'or', conditions }
}
