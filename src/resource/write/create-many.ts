import type { ScopedCall } from '../../controller/scope.ts'
import { HttpError } from '../../error/errors.ts'
import { withDeleted } from '../../model/soft-deletion.ts'
import { recordCreates } from '../../operation/audit.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { everything } from '../../query/ast.ts'
import { mostKeys } from '../../source/record-keys.ts'
import { type Row, type Session, SourceError } from '../../source/source.ts'
import { type InsideRecords, recordsInside } from '../parts/records.ts'
import type { WriteTarget } from '../parts/resource.ts'
import { among, keyIn, partsOf } from '../parts/target.ts'
import {
  type Change,
  type Changes,
  isState,
  locating,
  type Stored,
  type Transaction,
  type WriteContextInside,
} from './change.ts'
import { authorOf, hasAfterHook, runsOrmHooks, storedAs, written } from './checked.ts'
import { writeMany } from './many.ts'
import { prepared } from './prepare.ts'
import { areInReach } from './references.ts'
import { afterCommits } from './run.ts'

class OutOfScope extends Error {
  override readonly name: string = 'OutOfScope'
}

/**
 * Stores new records in few statements. If that is refused, the transaction is repeated with a statement for each record, to find the
 * one that is refused.
 */
export function* createAll(changes: Changes): Steps<readonly Stored[]> {
  const { records, access } = changes.target
  // Set once all hooks have run and nothing is stored yet.
  const together: { ready?: readonly Change[] } = {}
  const work = function* (transaction: Transaction): Steps<readonly Stored[]> {
    delete together.ready
    const writing = { ...changes, transaction }
    const { createMany } = records.inside(transaction.session)
    if (createMany === undefined || hasAfterHook(access, 'create'))
      return yield* createEach(writing, changes.all)
    const all: Change[] = []
    for (const change of changes.all) all.push(yield* preparedIn(writing, change))
    // One of the foreign keys is missing, or is known only once its record is stored.
    if (!(yield* areInReach(all, transaction.session))) return yield* createEach(writing, all, true)
    together.ready = all
    return yield* createTogether(writing, all, createMany)
  }
  let done: readonly Stored[]
  try {
    done = yield* writeMany(records, work)
  } catch (error) {
    if (together.ready === undefined || !isRefusal(error)) throw error
    done = yield* createAgain({ ...changes, all: together.ready })
  }
  afterCommits(done, changes.scoped)
  return done
}

/** One by one, after their hooks have run in a transaction that was rolled back. */
const createAgain = (changes: Changes): Steps<readonly Stored[]> => {
  const { target } = changes
  return writeMany(target.records, function* (transaction) {
    const done = yield* createEach({ ...changes, transaction }, changes.all, true)
    const isHooked = target.access.controller?.hooks.beforeCreate !== undefined
    if (!isHooked && !runsOrmHooks(target, 'create')) return done
    // The statements of the hooks were rolled back, and hooks run once.
    transaction.endRetries()
    throw new SourceError('contended')
  })
}

/** Whether one of the records is refused: by the scope, by the audit log, or by the database. */
const isRefusal = (error: unknown): boolean =>
  error instanceof OutOfScope ||
  error instanceof HttpError ||
  (error instanceof SourceError && !isState(error))

const preparedIn = (writing: WriteContextInside, change: Change): Steps<Change> => {
  const { target, scoped, transaction } = writing
  return locating(
    target,
    scoped.call,
    change.path,
    () => prepared(writing, change, undefined, (_writing, ready) => wait(ready)),
    transaction.failed,
  )
}

/** @param areReady their hooks have run already. @default false */
function* createEach(
  writing: WriteContextInside,
  changes: readonly Change[],
  areReady = false,
): Steps<readonly Stored[]> {
  const { target, scoped, transaction } = writing
  const done: Stored[] = []
  for (const change of changes) {
    const ready = areReady ? change : yield* preparedIn(writing, change)
    const steps = () => written(writing, ready)
    done.push(yield* locating(target, scoped.call, change.path, steps, transaction.failed))
  }
  return done
}

/** @throws OutOfScope if one of the records is */
function* createTogether(
  { target, scoped, transaction }: WriteContextInside,
  changes: readonly Change[],
  createMany: NonNullable<InsideRecords['createMany']>,
): Steps<readonly Stored[]> {
  const { audited } = target.records
  const { session } = transaction
  if (runsOrmHooks(target, 'create')) transaction.endRetries()
  const rows = yield* wait(createMany(changes.map(({ values }) => values)))
  if (scoped.guard !== everything && !(yield* areInScope(target, rows, scoped, session)))
    throw new OutOfScope()
  if (audited !== undefined) yield* recordCreates(audited, authorOf(audited, scoped), rows, session)
  return changes.map((change, at) => storedAs(target, change, rows[at] ?? {}))
}

/** Whether all of the records are within the scope. A hook may create some that are deleted softly. */
function* areInScope(
  target: WriteTarget,
  rows: readonly Row[],
  scoped: ScopedCall,
  session: Session,
): Steps<boolean> {
  const records = recordsInside(session, withDeleted(target.model))
  for (const part of partsOf(rows, mostKeys(target.model.primaryKey))) {
    const keys = part.map((row) => keyIn(target, row))
    if ((yield* wait(records.count(scoped, among(target, keys)))) !== part.length) return false
  }
  return true
}
