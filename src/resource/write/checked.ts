import { isDeepStrictEqual } from 'node:util'
import type { CommitEvent } from '../../controller/controller.ts'
import { recordBy, runHook, writtenContext } from '../../controller/hooks.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { problem } from '../../error/errors.ts'
import type { Audited } from '../../model/audit.ts'
import { type Awaitable, after } from '../../model/objects.ts'
import { withDeleted } from '../../model/soft-deletion.ts'
import { type Author, recordWrite } from '../../operation/audit.ts'
import { PromiseRefused, type Steps, wait } from '../../operation/steps.ts'
import { everything, fixedValues } from '../../query/ast.ts'
import { keyValues } from '../../source/record-keys.ts'
import { type Row, SourceError } from '../../source/source.ts'
import { authoriseRecord, changedRow, existing } from '../parts/record.ts'
import { narrowedScope, type RecordScope, recordsInside, type ScopedWrites } from '../parts/records.ts'
import type { CallerAccess, Resource, WriteTarget } from '../parts/resource.ts'
import type {
  BoundReference,
  Change,
  Stored,
  Transaction,
  WriteContext,
  WriteContextInside,
} from './change.ts'
import { changesFiles } from './files.ts'
import { assertMatch, matchCondition, needsLock } from './if-match.ts'
import { assertInReach, assertStoredInReach } from './references.ts'

const none: readonly BoundReference[] = []

/**
 * Runs the statement of a change. Returns the stored record, or the deleted one.
 *
 * @throws HttpError 404, 412
 */
export const statement = (writing: WriteContext, change: Change, records: ScopedWrites): Awaitable<Row> =>
  change.verb === 'create' ? records.create(change.values) : changed(writing, change, records)

const changed = (
  { target, scoped, among, missing }: WriteContext,
  { verb, key = [], values, match }: Change,
  records: ScopedWrites,
): Awaitable<Row> => {
  const reached = narrowedScope(scoped, among)
  const scope = narrowedScope(reached, matchCondition(match))
  const row = verb === 'delete' ? deleted(target, key, records, scope) : records.update(scope, key, values)
  return changedRow(target.model, row, () => {
    if (missing !== undefined) throw missing()
    return after(records.read(reached, key), (left) => {
      if (left !== undefined) assertMatch(match, left)
      return left
    })
  })
}

/** `undefined`: no record matches. Reads the record only for hooks and files, so that a record with unrepresentable values can be deleted too. */
const deleted = (
  {
    access: { controller },
    records: { audited },
    bodies: { files },
  }: Pick<Resource, 'access' | 'records' | 'bodies'>,
  key: readonly unknown[],
  records: ScopedWrites,
  scope: RecordScope,
): Awaitable<Row | undefined> => {
  const { afterDelete, afterCommit } = controller?.hooks ?? {}
  const hasFiles = files !== undefined && files.fields.length > 0
  if (afterDelete !== undefined || afterCommit !== undefined || hasFiles || audited !== undefined)
    return records.take(scope, key)
  return after(records.remove(scope, key), (isRemoved) => (isRemoved ? {} : undefined))
}

/**
 * Writes a record whose hook has run, and runs the hook that follows.
 *
 * @param between what happens before that hook
 */
export function* written(
  writing: WriteContextInside,
  change: Change,
  between?: (stored: Stored) => Steps<void>,
): Steps<Stored> {
  const { target, scoped, transaction } = writing
  const event = eventOf(change)
  if (runsOrmHooks(target, event)) transaction.endRetries()
  const stored = yield* noting(checkedWrite(writing, change), () =>
    transaction.refused?.({ target, scoped, change }),
  )
  if (between !== undefined) yield* between(stored)
  if (hasAfterHook(target.access, event)) transaction.endRetries()
  return yield* afterHook(writing, stored)
}

function* noting<T>(steps: Steps<T>, refused: () => void): Steps<T> {
  try {
    return yield* steps
  } catch (error) {
    if (error instanceof SourceError) refused()
    throw error
  }
}

/** Whether the ORM runs hooks in a write. A soft deletion of modelrest is an update. */
export const runsOrmHooks = (
  { model, records: { source } }: Pick<Resource, 'model' | 'records'>,
  event: CommitEvent,
): boolean => {
  const act = event === 'delete' && model.softDelete !== undefined ? 'update' : event
  return source.hooks?.hear(model, act) === true
}

const afterHooks = { create: 'afterCreate', update: 'afterUpdate', delete: 'afterDelete' } as const

export const hasAfterHook = ({ controller }: CallerAccess, event: CommitEvent): boolean =>
  controller?.hooks[afterHooks[event]] !== undefined

/** Runs the hook that follows a write in its transaction. */
function* afterHook({ target, scoped, transaction }: WriteContextInside, stored: Stored): Steps<Stored> {
  const { access } = target
  const { call } = scoped
  const event = eventOf(stored.change)
  const given = yield* runHook(access.controller, afterHooks[event], call, (hook) =>
    hook(call.request, { ...stored.record }, writtenContext(transaction.session, call, stored.before)),
  )
  if (given === undefined) return stored
  const shown = event === 'delete' ? given : recordBy(access, afterHooks[event], call, given)
  return { ...stored, shown }
}

/** Writes a record in a transaction, with all checks that must hold at that moment. */
function* checkedWrite(writing: WriteContextInside, change: Change): Steps<Stored> {
  const { target, scoped, transaction } = writing
  const { key } = change
  const isAsked = isDecided(target.access, eventOf(change))
  const locksFirst =
    isAsked ||
    needsLock(change.match) ||
    // Requests that write the same related records run one after the other.
    change.below !== undefined
  const record = change.locked ?? (key !== undefined && locksFirst ? yield* locked(writing, key) : undefined)
  if (record !== undefined && isAsked)
    yield* authoriseChanged(target.access, scoped, transaction, change, record)
  if (record !== undefined) assertMatch(change.match, record)
  return yield* permittedWrite(writing, { ...change, locked: record })
}

const locked = (
  { target: { model, records }, scoped, transaction }: WriteContextInside,
  key: readonly unknown[],
): Steps<Row> => wait(existing(model, records.inside(transaction.session).lock(scoped, key)))

/** The same for a write that is permitted already. */
export function* permittedWrite(writing: WriteContextInside, change: Change): Steps<Stored> {
  const { target, scoped, transaction } = writing
  const { model, records } = target
  const { audited } = records
  const { session } = transaction
  const { verb, key, references = none } = change
  const isDeleted = verb === 'delete'
  const open = references.length > 0 ? yield* assertInReach(writing, change) : none
  // No other request may change the record before this write.
  const found =
    change.locked ??
    (key !== undefined && needsBefore(target, change) ? yield* locked(writing, key) : undefined)
  const record = yield* wait(statement(writing, change, records.inside(session)))
  if (open.length > 0) yield* assertStoredInReach(open, record, session)
  if (!isDeleted && scoped.guard !== everything) {
    const stored = keyValues(record, model.primaryKey)
    // The application may delete the record by the update.
    const all = recordsInside(session, withDeleted(model))
    if ((yield* wait(all.read(scoped, stored))) === undefined)
      throw problem('forbidden', 'You may not create a record outside your scope, or move one out of it.')
  }
  const before = isDeleted ? record : found
  if (audited !== undefined) {
    const after = isDeleted ? undefined : record
    yield* recordWrite(audited, authorOf(audited, scoped), { event: eventOf(change), before, after }, session)
  }
  return { ...storedAs(target, change, record), ...(before && { before }) }
}

/** Whether hooks follow that get the record as it was. */
export const showsBefore = ({ controller }: CallerAccess, event: CommitEvent): boolean =>
  event === 'update' &&
  (controller?.hooks.afterUpdate !== undefined || controller?.hooks.afterCommit !== undefined)

/** Whether hooks, files or the audit log need the record as it was. */
const needsBefore = ({ access, records, bodies }: WriteTarget, change: Change): boolean => {
  const { audited } = records
  const { files } = bodies
  if (eventOf(change) !== 'update') return false
  return (
    showsBefore(access, 'update') ||
    audited !== undefined ||
    (files !== undefined && changesFiles(files, change))
  )
}

/** Whether a permission is asked about the record. */
export const isDecided = ({ permissions }: CallerAccess, event: CommitEvent): boolean =>
  event !== 'create' && typeof permissions[event] === 'function'

/** Checks the permission of a locked record again, unless it is the same as at the first check. */
export function* authoriseChanged(
  access: CallerAccess,
  scoped: ScopedCall,
  { session }: Transaction,
  { verb, seen }: Pick<Change, 'verb' | 'seen'>,
  record: Row,
): Steps<void> {
  if (isDeepStrictEqual(record, seen)) return
  try {
    yield* authoriseRecord(access, verb === 'delete' ? verb : 'update', scoped, record, session)
  } catch (error) {
    // The first check could wait, but this one cannot. A retried request checks the current record.
    if (error instanceof Error && error.cause instanceof PromiseRefused)
      throw new SourceError('contended', { cause: error })
    throw error
  }
}

export const storedAs = (target: WriteTarget, change: Change, record: Row): Stored => ({
  target,
  change,
  record,
  shown: record,
})

/** What hooks and the audit log hear of it. */
export const eventOf = ({ verb }: Pick<Change, 'verb'>): CommitEvent =>
  verb === 'create' || verb === 'delete' ? verb : 'update'

/** The caller, and the columns that the scope of the entries sets, as for a record that the caller creates. */
export const authorOf = (
  { entries }: Audited,
  { call, guards }: Pick<ScopedCall, 'call' | 'guards'>,
): Author => {
  const fixed = fixedValues(guards?.get(entries.name) ?? everything)
  const columns = Object.fromEntries([...fixed].filter(([name]) => !entries.primaryKey.includes(name)))
  return { caller: call.caller, columns }
}
