import { assertCaller } from '../../controller/permissions.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { type Issue, problem } from '../../error/errors.ts'
import type { Steps } from '../../operation/steps.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import type { ModelRecords, Rules } from '../parts/resource.ts'
import type { WriteTarget } from '../parts/target.ts'
import { byKey } from './below.ts'
import type { Change, Changes, Stored, Transaction, WriteContextInside } from './change.ts'
import { written } from './checked.ts'
import { type Current, noRows } from './current.ts'
import { namingDeleted } from './deleted.ts'
import { type BodyElement, elementKeys } from './elements.ts'
import { byKeyText, sentKeyText } from './keys.ts'
import { locating } from './places.ts'
import { readChanges, withReferences } from './plan.ts'
import { prepared } from './prepare.ts'
import { rowsWithKeys } from './rows.ts'
import { afterCommits, transacted } from './run.ts'

/** @throws HttpError 400 for an array without records, or with too many */
export const assertMany = ({ bulkMax }: Rules, { length }: readonly unknown[]): void => {
  if (length === 0) throw problem('no_records', 'The array must contain at least one record.')
  if (length > bulkMax)
    throw problem(
      'too_many_records',
      `The array has ${length} records. One request may write at most ${bulkMax}.`,
    )
}

/** Reads the elements of an array. @throws HttpError 401, 403, 404; 422 that names the mistakes of all elements */
export function* readMany(
  target: WriteTarget,
  scoped: ScopedCall,
  elements: readonly BodyElement[],
): Steps<Changes> {
  const issues: Issue[] = []
  const keys = elementKeys(target, elements, issues)
  if (issues.length > 0) throw bodyRefusal(issues)
  const current = keys.size === 0 ? noRows : yield* existingOf(target, scoped, keys)
  const planning = { target, scoped, current, parent: {}, issues, permitted: 'create' as const }
  const all = yield* readChanges(planning, elements, keys)
  if (issues.length > 0) throw bodyRefusal(issues)
  return { target, scoped, all }
}

/** The records that elements name by their keys. @throws HttpError 404 for records that do not exist; 401 */
function* existingOf(
  target: WriteTarget,
  scoped: ScopedCall,
  keys: ReadonlyMap<BodyElement, readonly unknown[]>,
): Steps<Current> {
  const { permissions } = target.resource.access
  const rows = byKeyText(target, yield* rowsWithKeys(target, scoped, [...keys.values()]))
  const absent = [...keys].flatMap(([{ path }, key]) => (rows.has(sentKeyText(target, key)) ? [] : [path]))
  if (absent.length === 0) return { rows, reached: rows }
  // Otherwise the 404 would tell anonymous callers which records exist.
  if (typeof permissions.update === 'function' && permissions.read === 'authenticated')
    assertCaller(scoped.call)
  throw target.missing(absent)
}

/** Writes records in one transaction. */
export const writeMany = <T>(records: ModelRecords, work: (transaction: Transaction) => Steps<T>): Steps<T> =>
  namingDeleted((refused) => transacted(records, work, refused))

/** Changes the records of an array, and returns the writes in the order of the array. */
export function* changeEach(changes: Changes): Steps<readonly Stored[]> {
  const { target, scoped, all } = yield* withReferences(changes)
  const done = yield* writeMany(target.resource.records, function* (transaction) {
    const writing: WriteContextInside = { target, scoped, transaction }
    const stored = new Map<Change, Stored>()
    for (const change of byKey(target, all)) {
      const steps = () => prepared(writing, change, change.seen ?? {}, written)
      stored.set(change, yield* locating(target, scoped.call, change.path, steps, transaction.failed))
    }
    return all.flatMap((change) => stored.get(change) ?? [])
  })
  afterCommits(done, scoped)
  return done
}
