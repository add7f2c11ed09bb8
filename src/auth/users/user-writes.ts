import type { Audited } from '../../model/audit.ts'
import type { Field } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { withUnfinished } from '../../model/soft-deletion.ts'
import { type Log, stderrLog } from '../../observe/log.ts'
import { type AuditedChange, type Author, recordWrite } from '../../operation/audit.ts'
import { withStamps } from '../../operation/stamps.ts'
import { type Steps, wait, waitInAnyMode } from '../../operation/steps.ts'
import { inTransaction, type Transactional } from '../../operation/transaction.ts'
import { type Condition, everything } from '../../query/ast.ts'
import { forLog, type ModelSource, type Row, type Session, SourceError } from '../../source/source.ts'
import { freeIdentifierCheck, releasedValues, takenBy } from './identifiers.ts'
import { isAbandoned, newMark } from './unfinished.ts'
import type { UserModel } from './users.ts'

/** The transactions of writes of users, and how they are recorded in the audit log. */
export interface Recording extends Omit<Transactional, 'source'> {
  /** @default not recorded */
  readonly audited?: Audited
}

/**
 * Writes of user records, with the stamps of new users and of changes by an author. With an author, the audit log has an entry,
 * which is stored in the transaction of the write.
 *
 * @throws SourceError from every method
 */
export interface UserWrites {
  /**
   * Creates a user. Replaces unfinished ones with the same identifiers whose registration is abandoned.
   *
   * @param values with the hash in the password column @param author @default not recorded
   */
  create(values: Row, author?: Author): Steps<Row>
  /** Removes unfinished users with one of these identifiers whose registration is abandoned. Returns whether there were some. */
  clear(values: Row): Steps<boolean>
  /**
   * Stores values, unless the record was deleted, or one of these fields has changed since it was read: `undefined`.
   *
   * @param author @default not recorded
   */
  change(row: Row, fields: readonly Field[], values: Row, author?: Author): Steps<Row | undefined>
  /**
   * Begins a registration: creates an unfinished user, who does not exist for any request. It is not recorded.
   */
  begin(values: Row): Steps<Row>
  /** Reads an unfinished user again. `undefined` if the application has deleted or finished this user. */
  unfinished(row: Row): Steps<Row | undefined>
  /** Finishes a registration, and records it as the creation of the user. `undefined` as for `unfinished`. */
  finish(row: Row, hash: string, author: Author): Steps<Row | undefined>
  /**
   * Deletes a user for good, finished or not, unless the stored hash differs from the one in the row. If the database refuses, for
   * example because other records refer to the user, it becomes an unfinished one without identifiers instead.
   *
   * @param author @default not recorded
   */
  remove(row: Row, author?: Author): Steps<void>
}

interface WritingParts {
  /** @default not recorded */
  readonly recording?: Recording | undefined
  /** @default stderr */
  readonly log?: Log | undefined
}

export const userWritesOf = (
  user: UserModel,
  source: ModelSource,
  { recording, log = stderrLog }: WritingParts = {},
): UserWrites => {
  const { model, key, claimed, password } = user
  const keyOf = (row: Row): readonly unknown[] => [ownValue(row, key.name)]
  const assertFree = freeIdentifierCheck(model, claimed, source)
  const whole = <T>(
    event: AuditedChange['event'],
    author: Author | undefined,
    work: (writing: Writing) => Steps<T>,
  ): Steps<T> => {
    const { audited } = recording ?? {}
    const isHeard = source.hooks?.hear(model, event) === true
    if (recording === undefined || !(isHeard || (audited && author)))
      return work({ session: source, record: unrecorded })
    const inside = (session: Session): Steps<T> =>
      audited === undefined || author === undefined
        ? work({ session, record: unrecorded })
        : work({ session, record: (change) => recordWrite(audited, author, change, session), locks: true })
    return inTransaction({ ...recording, source }, inside, () => !isHeard)
  }
  const all = withUnfinished(model)
  const stored: UserWrites['create'] = (given, author) => {
    const values = withStamps(model, author ?? anonymous, 'create', given)
    return whole('create', author, function* ({ session, record }) {
      yield* assertFree(values, undefined, session)
      const after = yield* waitInAnyMode(session.store(model).create(values))
      assertKept(user, values, after)
      yield* record({ event: 'create', after })
      return after
    })
  }
  const remove: UserWrites['remove'] = function* (row, author) {
    const guard = asRead(row, password)
    try {
      yield* whole('delete', author, function* ({ session, record }) {
        const before = yield* waitInAnyMode(session.store(all).take(keyOf(row), guard))
        if (before !== undefined) yield* record({ event: 'delete', before })
      })
    } catch (error) {
      if (mayPass(error)) throw error
      // A new mark: a registration that goes on must not finish this user.
      const values = { ...releasedValues(model, claimed), [password.name]: newMark() }
      const isHidden = yield* whole('update', author, function* ({ session, record }) {
        const after = yield* waitInAnyMode(session.store(all).update(keyOf(row), values, guard))
        if (after !== undefined) yield* record({ event: 'delete', before: row })
        return after !== undefined
      })
      if (isHidden) log.error(undeleted(ownValue(row, key.name)), forLog(source, error))
    }
  }
  function* clear(values: Row): Steps<boolean> {
    const conditions = takenBy(model, claimed, values)
    if (conditions.length === 0) return false
    const filter: Condition = { op: 'or', conditions }
    const order = [{ field: key.name, direction: 'asc' } as const]
    const limit = claimed.length ** 2 + model.uniques.length
    const found = yield* waitInAnyMode(
      source.store(all).list({ filter, order, limit, offset: 0 }, everything),
    )
    const abandoned = found.filter((row) => isAbandoned(row, password.name))
    for (const row of abandoned) {
      try {
        yield* remove(row)
      } catch (error) {
        if (mayPass(error)) throw error
        log.error('Could not remove a user of an abandoned registration', forLog(source, error))
      }
    }
    return abandoned.length > 0
  }
  const create: UserWrites['create'] = function* (values, author) {
    try {
      return yield* stored(values, author)
    } catch (error) {
      if (!(error instanceof SourceError && error.kind === 'unique' && (yield* clear(values)))) throw error
      return yield* stored(values, author)
    }
  }
  return Object.freeze<UserWrites>({
    ...{ create, clear },
    change: (row, fields, given, author) => {
      const values = author ? withStamps(model, author, 'update', given) : given
      return whole('update', author, function* ({ session, record, locks }) {
        const store = session.store(model)
        // Others may have changed other fields since the record was read.
        const before = locks ? yield* waitInAnyMode(store.read(keyOf(row), everything, 'lock')) : row
        const conditions = fields.map((field) => asRead(row, field))
        const after = yield* waitInAnyMode(store.update(keyOf(row), values, { op: 'and', conditions }))
        assertKept(user, values, after)
        if (after !== undefined) yield* record({ event: 'update', before, after })
        return after
      })
    },
    begin: (values) => create({ ...values, [password.name]: newMark() }),
    unfinished: (row) => waitInAnyMode(source.store(all).read(keyOf(row), asRead(row, password))),
    finish: (row, hash, author) =>
      whole('update', author, function* ({ session, record }) {
        const values = { [password.name]: hash }
        const store = session.store(all)
        const after = yield* waitInAnyMode(store.update(keyOf(row), values, asRead(row, password)))
        assertKept(user, values, after)
        if (after !== undefined) yield* record({ event: 'create', after })
        return after
      }),
    remove,
  })
}

/** @throws Error if code of the application, such as a hook of the ORM that hashes passwords, has changed the hash */
const assertKept = ({ model, password }: UserModel, values: Row, after: Row | undefined): void => {
  const given = ownValue(values, password.name)
  const kept = ownValue(after ?? {}, password.name)
  // A CHAR column is filled with spaces.
  if (given === undefined || typeof kept !== 'string' || kept.trimEnd() === given) return
  throw new Error(
    `${model.name}.${password.name}: a hook, setter, listener or trigger of the application has changed the hash, so the user could not log in. Let it leave values that begin with $argon2 or ! as they are, or remove it.`,
  )
}

/** Who registers a user. */
const anonymous: Author = Object.freeze({ caller: undefined })

/** What a write runs in, and how it is recorded. */
interface Writing {
  readonly session: Session
  readonly record: (change: AuditedChange) => Steps<void>
  /** Whether the record is read and locked first. */
  readonly locks?: true
}

const undeleted = (key: unknown): string =>
  `Could not delete user ${String(key)}, whose registration was refused or abandoned. The record stays, without its identifiers, and no request finds it. Delete it together with the records that refer to it, and add "on delete cascade" to their foreign keys`

/** Whether the same write may succeed later. */
const mayPass = (error: unknown): boolean =>
  error instanceof SourceError && ['contended', 'lost', 'unavailable'].includes(error.kind)

const unrecorded = (): Steps<void> => wait(undefined)

/** Holds while a field has the value that was read. */
const asRead = (row: Row, { name: field }: Field): Condition => {
  const value = ownValue(row, field) ?? null
  return value === null ? { op: 'is-null', field } : { op: 'eq', field, value }
}
