import { hash } from 'node:crypto'
import { identify } from '../../controller/permissions.ts'
import { fileFieldsOf, kinds, timeIn } from '../../model/kinds/index.ts'
import type { Field, Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import type { Log } from '../../observe/log.ts'
import type { Author } from '../../operation/audit.ts'
import type { Call, Caller } from '../../operation/call.ts'
import type { Operation } from '../../operation/operation.ts'
import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import { everything } from '../../query/ast.ts'
import { readEitherForm } from '../../schema/columns.ts'
import { serialiserOf } from '../../schema/serialiser.ts'
import type { ModelSource, Row } from '../../source/source.ts'
import type { Subject, TokenClaims } from '../tokens/tokens.ts'
import { identifierCondition, normalised } from './identifiers.ts'
import { type Recording, type UserWrites, userWritesOf } from './user-writes.ts'
import { type UserModel, type UserRecords, userRecordsOf } from './users.ts'

/** User records. @throws SourceError from every method */
export interface Accounts extends UserRecords, UserWrites {
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
  /**
   * Replaces the hash. `undefined` if the record was deleted, or if its hash has changed meanwhile: the new hash then
   * stays.
   *
   * @param author @default not recorded
   */
  setPassword(row: Row, hash: string, author?: Author): Steps<Row | undefined>
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
  /**
   * A user as JSON, in the schema of `GET /auth/me`. If the user model is served, as its endpoint shows the user to the caller.
   *
   * @param subject of a new session: the user becomes the caller. @default the caller is known
   */
  shown(row: Row, call: Call, subject?: Subject): Steps<string>
}

type TokenUser = Pick<TokenClaims, 'sub' | 'account'>

/** How responses show users whose model is served. */
export interface ShownUsers {
  /** JSON text, as the endpoint of the record shows it to the caller. @throws errors of hooks */
  text(row: Row, call: Call): Steps<string>
  readonly success: Pick<Operation['success'], 'schema' | 'example'>
  /** The names of the models that responses show with a user, first that of the user. */
  readonly models: readonly string[]
}

interface AccountsParts {
  /** @default stderr */
  readonly log?: Log | undefined
  /** Absent if users are not served, and thus neither are their files. */
  readonly served?: ShownUsers | undefined
  /** @default writes are not recorded */
  readonly recording?: Recording | undefined
}

export const accountsOf = (
  user: UserModel,
  source: ModelSource,
  { served, ...writing }: AccountsParts = {},
): Accounts => {
  const { model, key, identifiers, password } = user
  const store = source.store(model)
  const { record } = serialiserOf(model)
  const noFiles = Object.fromEntries(fileFieldsOf(model).map(({ name }) => [name, null]))
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
  const { read, withoutPassword } = userRecordsOf(model, source)
  const writes = userWritesOf(user, source, writing)
  return Object.freeze<Accounts>({
    *find(by, text) {
      const fields = by === 'any' ? identifiers : [by]
      const filter = identifierCondition(fields, text)
      if (filter === undefined) return undefined
      const order = [{ field: key.name, direction: 'asc' } as const]
      const alike = yield* waitInAnyMode(store.list({ filter, order, limit: 3, offset: 0 }, everything))
      // A database may take other strings as equal, and each would have its own limit of failed logins.
      const found = alike.filter((row) => fields.some(({ name }) => isSameText(ownValue(row, name), text)))
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
    ...writes,
    setPassword: (row, stored, author) => writes.change(row, [password], { [password.name]: stored }, author),
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
    *shown(row, call, subject) {
      if (served === undefined) return record({ ...row, ...noFiles })
      if (subject !== undefined) {
        const { sub, iat, own } = subject
        identify(call, { id: idIn(row) as Caller['id'], claims: Object.freeze({ ...own?.claims, sub, iat }) })
        call.user = () => withoutPassword(row)
      }
      return yield* served.text(row, call)
    },
    withoutPassword,
  })
}

const isSameText = (stored: unknown, text: string): boolean =>
  typeof stored === 'string' && normalised(stored) === normalised(text)

/** A user is disabled if one of these columns is false. SQLite may store a boolean as a number. */
const activeNames = ['is_active', 'isActive']
const falseValues: readonly unknown[] = [false, 0, 0n]

/** A user is disabled if one of these columns is not null. */
const disabledNames = ['disabled_at', 'disabledAt']
const timeKinds: readonly string[] = ['datetime', 'localdatetime']

export const isDisabled = (row: Row): boolean =>
  activeNames.some((name) => falseValues.includes(ownValue(row, name))) ||
  disabledNames.some((name) => (ownValue(row, name) ?? null) !== null)

/** The values with which a user is disabled, or not any more. `undefined` if the model has no column for that. */
export const disabledValues = ({ fields }: Model, disabled: boolean): Row | undefined => {
  const values = fields.flatMap((field): readonly (readonly [string, unknown])[] => {
    const { name, kind, nullable, generated } = field
    if (generated) return []
    if (activeNames.includes(name) && kind === 'boolean') return [[name, !disabled]]
    if (!(disabledNames.includes(name) && nullable && timeKinds.includes(kind))) return []
    return [[name, disabled ? timeIn(field, Date.now()) : null]]
  })
  return values.length === 0 ? undefined : Object.fromEntries(values)
}
