import type { Audited } from '../../model/audit.ts'
import type { Field } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { withDeleted } from '../../model/soft-deletion.ts'
import { type Author, type Change, recordWrite } from '../../operation/audit.ts'
import { withStamps } from '../../operation/stamps.ts'
import { type Steps, wait, waitInAnyMode } from '../../operation/steps.ts'
import { inTransaction, type Transactional } from '../../operation/transaction.ts'
import { type Condition, everything } from '../../query/ast.ts'
import type { ModelSource, Row, Session } from '../../source/source.ts'
import { freeIdentifierCheck } from './identifiers.ts'
import type { UserModel } from './users.ts'

/** How writes of users are recorded in the audit log. */
export interface Recording extends Omit<Transactional, 'source'> {
  readonly audited: Audited
}

/**
 * Writes of user records, with the stamps of new users and of changes by an author. With an author, the audit log has an entry,
 * which is stored in the transaction of the write.
 *
 * @throws SourceError from every method
 */
export interface UserWrites {
  /** @param values with the hash in the password column @param author @default not recorded */
  create(values: Row, author?: Author): Steps<Row>
  /**
   * Stores values, unless the record was deleted, or one of these fields has changed since it was read: `undefined`.
   *
   * @param author @default not recorded
   */
  change(row: Row, fields: readonly Field[], values: Row, author?: Author): Steps<Row | undefined>
  /** The same for a user whose creation was not recorded: this change is recorded as the creation. */
  complete(row: Row, fields: readonly Field[], values: Row, author: Author): Steps<Row | undefined>
  /** Deletes a user for good, unless the stored hash differs from the one in the row. @param author @default not recorded */
  remove(row: Row, author?: Author): Steps<void>
}

export const userWritesOf = (user: UserModel, source: ModelSource, recording?: Recording): UserWrites => {
  const { model, key, claimed, password } = user
  const keyOf = (row: Row): readonly unknown[] => [ownValue(row, key.name)]
  const assertFree = freeIdentifierCheck(model, claimed, source)
  const whole = <T>(author: Author | undefined, work: (writing: Writing) => Steps<T>): Steps<T> => {
    if (recording === undefined || author === undefined) return work({ session: source, record: unrecorded })
    const { audited } = recording
    return inTransaction({ ...recording, source }, (session) =>
      work({ session, record: (change) => recordWrite(audited, author, change, session), locks: true }),
    )
  }
  function* changed(
    { session, locks }: Writing,
    [row, fields, values]: readonly [Row, readonly Field[], Row],
  ): Steps<{ readonly before: Row | undefined; readonly after: Row | undefined }> {
    const store = session.store(model)
    // Others may have changed other fields since the record was read.
    const before = locks ? yield* waitInAnyMode(store.read(keyOf(row), everything, 'lock')) : row
    const conditions = fields.map((field) => asRead(row, field))
    const after = yield* waitInAnyMode(store.update(keyOf(row), values, { op: 'and', conditions }))
    return { before, after }
  }
  return Object.freeze<UserWrites>({
    create: (given, author) => {
      const values = withStamps(model, author ?? anonymous, 'create', given)
      return whole(author, function* ({ session, record }) {
        yield* assertFree(values, undefined, session)
        const after = yield* waitInAnyMode(session.store(model).create(values))
        yield* record({ event: 'create', after })
        return after
      })
    },
    change: (row, fields, given, author) => {
      const values = author ? withStamps(model, author, 'update', given) : given
      return whole(author, function* (writing) {
        const { before, after } = yield* changed(writing, [row, fields, values])
        if (after !== undefined) yield* writing.record({ event: 'update', before, after })
        return after
      })
    },
    complete: (row, fields, values, author) =>
      whole(author, function* (writing) {
        const { after } = yield* changed(writing, [row, fields, values])
        if (after !== undefined) yield* writing.record({ event: 'create', after })
        return after
      }),
    remove: (row, author) =>
      whole(author, function* ({ session, record }) {
        const store = session.store(withDeleted(model))
        const before = yield* waitInAnyMode(store.take(keyOf(row), asRead(row, password)))
        if (before !== undefined) yield* record({ event: 'delete', before })
      }),
  })
}

/** Who registers a user. */
const anonymous: Author = Object.freeze({ caller: undefined })

/** What a write runs in, and how it is recorded. */
interface Writing {
  readonly session: Session
  readonly record: (change: Change) => Steps<void>
  /** Whether the record is read and locked first. */
  readonly locks?: true
}

const unrecorded = (): Steps<void> => wait(undefined)

/** Holds while a field has the value that was read. */
const asRead = (row: Row, { name: field }: Field): Condition => {
  const value = ownValue(row, field) ?? null
  return value === null ? { op: 'is-null', field } : { op: 'eq', field, value }
}
