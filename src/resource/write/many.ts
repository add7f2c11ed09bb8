import { assertCaller } from '../../controller/permissions.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { type Issue, problem } from '../../error/errors.ts'
import { pauses, type Steps, wait } from '../../operation/steps.ts'
import { queryFields } from '../../query/fields.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import { mostKeys } from '../../source/record-keys.ts'
import { totalBytes } from '../../source/sizing.ts'
import type { Row } from '../../source/source.ts'
import { assertSize, heldAdmits, holdDecoded, writtenBytes } from '../parts/records.ts'
import type { ModelRecords, Rules, WriteTarget } from '../parts/resource.ts'
import { among, byKeyText, keyIn, sentKeyText } from '../parts/target.ts'
import { byKey } from './below.ts'
import {
  type Change,
  type Changes,
  type Current,
  locating,
  noRows,
  type Stored,
  type Transaction,
  type WriteContextInside,
} from './change.ts'
import { written } from './checked.ts'
import { namingDeleted } from './deleted.ts'
import { type BodyElement, elementKeys, readChanges, withReferences } from './plan.ts'
import { prepared } from './prepare.ts'
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
  const { permissions } = target.access
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
  const done = yield* writeMany(target.records, function* (transaction) {
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

/** How the records that match are written. */
interface MatchingWrite {
  /** Whether a hook, a permission or a file needs all of the records. */
  readonly isKept: boolean
  readonly isDelete: boolean
  /** What is stored in each of them, in JSON. */
  readonly bytes: number
}

/**
 * The records with these keys, or only their keys if nothing gets them all.
 *
 * @throws HttpError 400 `page_too_large` if their transaction would read and write too much
 */
export function* rowsToWrite(
  target: WriteTarget,
  scoped: ScopedCall,
  found: readonly Row[],
  { isKept, isDelete, bytes }: MatchingWrite,
): Steps<readonly Row[]> {
  const { records } = target
  const { audited } = records
  const copies = audited === undefined ? 1 : 2
  const sent = copies * bytes * found.length
  assertSize(records, sent)
  const isRead = isKept || !isDelete || audited !== undefined
  if (!isRead) return found
  const keys = found.map((row) => keyIn(target, row))
  const read = yield* measured(target, scoped, keys, { isDecoded: isKept, copies, before: sent })
  // One after the other: the record as it was, as it is stored, and the entry of both.
  if (!isKept) yield* holdDecoded(records, scoped, copies * (bytes + read.largest))
  else yield* holdDecoded(records, scoped, sent)
  return isKept ? read.rows : found
}

/** The records with these keys. @throws HttpError 400 `page_too_large` */
function* rowsWithKeys(
  target: WriteTarget,
  scoped: ScopedCall,
  keys: readonly (readonly unknown[])[],
): Steps<readonly Row[]> {
  return (yield* measured(target, scoped, keys, { isDecoded: true, copies: 1, before: 0 })).rows
}

/** The number of records in the first part, whose sizes are not known. */
const FIRST = 20

/** Reads records in parts, so that those that are too large together are not all in memory before they are refused. */
function* measured(
  target: WriteTarget,
  scoped: ScopedCall,
  keys: readonly (readonly unknown[])[],
  {
    isDecoded,
    copies,
    before,
  }: { readonly isDecoded: boolean; readonly copies: number; readonly before: number },
): Steps<{ readonly rows: readonly Row[]; readonly largest: number }> {
  const { records, model } = target
  const most = writtenBytes(records)
  const longest = mostKeys(model.primaryKey)
  const { key: order } = queryFields(model)
  const rows: Row[] = []
  const pause = pauses()
  let [bytes, largest, length] = [0, 0, FIRST]
  for (let at = 0; at < keys.length; ) {
    const part = keys.slice(at, at + length)
    at += part.length
    const selection = { filter: among(target, part), order, limit: part.length, offset: 0 }
    let own = 0
    const admits = heldAdmits(records, scoped.call, (sizes) => {
      // A source may repeat a read after a broken connection.
      own = totalBytes(sizes)
      for (const size of sizes) largest = Math.max(largest, size)
      return isDecoded && before + copies * (bytes + own) <= most
    })
    const found = yield* wait(records.list(scoped, selection, admits))
    assertSize(records, before + copies * (bytes + own))
    bytes += own
    rows.push(...found)
    const average = Math.max(1, bytes / at)
    length = Math.max(1, Math.min(longest, Math.floor(most / average)))
    yield* pause()
  }
  return { rows, largest }
}
