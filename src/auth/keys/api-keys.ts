import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { kinds, timeIn, timeOf } from '../../model/kinds/index.ts'
import { type Field, fieldOf } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { type Author, recordWrite } from '../../operation/audit.ts'
import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import { inTransaction } from '../../operation/transaction.ts'
import { type Condition, everything } from '../../query/ast.ts'
import type { ModelSource, Row, Session } from '../../source/source.ts'
import type { Recording } from '../users/user-writes.ts'
import type { KeyAccess, KeyModel } from './key-model.ts'

/** An API key as it is stored. Times are in milliseconds since 1970. */
export interface ApiKey {
  readonly id: string
  /** The claim `sub` of its user. */
  readonly sub: string
  readonly name: string
  readonly access: KeyAccess
  /** The claim `account` of its user when the key was created. */
  readonly account: string | undefined
  readonly created: number
  readonly expires: number | undefined
  readonly used: number | undefined
}

/** The most keys of a user that have not expired. */
export const MOST_KEYS = 50

export type NewApiKey = Pick<ApiKey, 'sub' | 'name' | 'access' | 'account' | 'expires'>

/** The API keys of all users. @throws SourceError from every method */
export interface ApiKeys {
  /** @param digest see {@link digestOf} */
  find(digest: string): Steps<ApiKey | undefined>
  /** Those of a user, the newest first. */
  of(sub: string): Steps<readonly ApiKey[]>
  /**
   * Removes the keys of the user that are over, and stores another one.
   *
   * @param isOver whether a key can never be used again
   * @param isStill runs in the transaction: whether the user, who is locked there, may have it
   * @returns `undefined`: the user may not have it, `many`: the user has as many as possible
   */
  create(
    given: NewApiKey & { readonly digest: string; readonly isOver: (key: ApiKey) => boolean },
    author: Author,
    isStill: (session: Session) => Steps<boolean>,
  ): Steps<ApiKey | 'many' | undefined>
  /** `false`: it does not exist any more. */
  remove(key: ApiKey, author: Author): Steps<boolean>
  /** Stores when it was used. Another process may have done so meanwhile. */
  used(key: ApiKey, now: number): Steps<void>
}

/** Keys are random, so a fast hash is enough: there is nothing to guess. */
export const digestOf = (text: string): string => hash('sha256', text, 'hex')

/** The text of a new key, which only its user gets. */
export const newKeyText = (prefix: string): string => `${prefix}_${randomBytes(32).toString('base64url')}`

const isSameDigest = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** A value of a field from its text, such as the claim `sub`. */
const readIn = (field: Field, text: string): unknown => {
  const reading = kinds[field.kind].readText(text, field)
  if (!reading.ok) throw new Error(`${field.name} of an API key cannot hold the key of its user.`)
  return reading.value
}

export const isExpired = ({ expires }: ApiKey): boolean => expires !== undefined && expires <= Date.now()

export const apiKeysOf = (
  { model, key: primary, owner }: KeyModel,
  source: ModelSource,
  recording: Recording,
): ApiKeys => {
  const createdAt = fieldOf(model, 'created_at')
  const expiresAt = fieldOf(model, 'expires_at')
  const usedAt = fieldOf(model, 'last_used_at')
  const textIn = (row: Row, name: string): string => String(ownValue(row, name) ?? '')
  const timeAt = (row: Row, field: Field): number | undefined => {
    const value = ownValue(row, field.name) ?? null
    return value === null ? undefined : timeOf(field, value)
  }
  const stored = (row: Row): ApiKey => ({
    id: String(kinds[primary.kind].write(ownValue(row, primary.name), primary)),
    sub: String(kinds[owner.kind].write(ownValue(row, owner.name), owner)),
    ...{ name: textIn(row, 'name'), access: textIn(row, 'access') === 'write' ? 'write' : 'read' },
    account: textIn(row, 'account') || undefined,
    created: timeAt(row, createdAt) ?? 0,
    ...{ expires: timeAt(row, expiresAt), used: timeAt(row, usedAt) },
  })
  const idOf = ({ id }: Pick<ApiKey, 'id'>): readonly unknown[] => [readIn(primary, id)]
  const listed = function* (filter: Condition, session: Session): Steps<readonly ApiKey[]> {
    const order = [
      { field: createdAt.name, direction: 'desc' },
      { field: primary.name, direction: 'desc' },
    ] as const
    const store = session.store(model)
    const rows = yield* waitInAnyMode(
      store.list({ filter, order, limit: 2 * MOST_KEYS, offset: 0 }, everything),
    )
    return rows.map(stored)
  }
  const of = function* (sub: string, session: Session = source): Steps<readonly ApiKey[]> {
    const keys = yield* listed({ op: 'eq', field: owner.name, value: readIn(owner, sub) }, session)
    // A database may take other strings as equal.
    return keys.filter((key) => key.sub === sub)
  }
  const { audited } = recording
  const removed = function* (key: ApiKey, author: Author, session: Session): Steps<boolean> {
    const before = yield* waitInAnyMode(session.store(model).take(idOf(key), everything))
    if (before !== undefined && audited !== undefined)
      yield* recordWrite(audited, author, { event: 'delete', before }, session)
    return before !== undefined
  }
  const inOne = <T>(work: (session: Session) => Steps<T>): Steps<T> =>
    inTransaction({ ...recording, source }, work)
  return {
    *find(digest) {
      const filter: Condition = { op: 'eq', field: 'hash', value: digest }
      const order = [{ field: primary.name, direction: 'asc' }] as const
      const rows = yield* waitInAnyMode(
        source.store(model).list({ filter, order, limit: 1, offset: 0 }, everything),
      )
      const row = rows.find((one) => isSameDigest(textIn(one, 'hash'), digest))
      return row && stored(row)
    },
    of,
    create: ({ digest, isOver, ...given }, author, isStill) =>
      inOne(function* (session) {
        if (!(yield* isStill(session))) return undefined
        const others = yield* of(given.sub, session)
        for (const other of others.filter(isOver)) yield* removed(other, author, session)
        if (others.filter((other) => !isOver(other)).length >= MOST_KEYS) return 'many'
        const after = yield* waitInAnyMode(
          session.store(model).create({
            ...{ name: given.name, access: given.access, hash: digest, account: given.account ?? null },
            [owner.name]: readIn(owner, given.sub),
            [createdAt.name]: timeIn(createdAt, Date.now()),
            [expiresAt.name]: given.expires === undefined ? null : timeIn(expiresAt, given.expires),
            [usedAt.name]: null,
          }),
        )
        if (audited !== undefined) yield* recordWrite(audited, author, { event: 'create', after }, session)
        return stored(after)
      }),
    remove: (key, author) => inOne((session) => removed(key, author, session)),
    *used(key, now) {
      yield* waitInAnyMode(
        source.store(model).update(idOf(key), { [usedAt.name]: timeIn(usedAt, now) }, everything),
      )
    },
  }
}
