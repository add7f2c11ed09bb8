import type { ScopedCall } from '../../controller/scope.ts'
import { problem } from '../../error/errors.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import type { Condition } from '../../query/ast.ts'
import type { BulkRequest } from '../../query/bulk.ts'
import { queryFields } from '../../query/fields.ts'
import { relatedModels, withGuards } from '../../query/related.ts'
import type { Row } from '../../source/source.ts'
import { permit } from '../parts/record.ts'
import { narrowedScope } from '../parts/records.ts'
import type { Resource, Rules, WriteTarget } from '../parts/resource.ts'
import { keyIn } from '../parts/target.ts'
import { byKey } from './below.ts'
import { type Change, locating, type Stored, type WriteContextInside } from './change.ts'
import { written } from './checked.ts'
import { rowsToWrite, writeMany } from './many.ts'
import { prepared } from './prepare.ts'
import { boundReferences } from './references.ts'
import { afterCommits } from './run.ts'

/** The records that a request is about. */
export interface Matching {
  /** Holds for them, together with the scope. */
  readonly filter: Condition
  /** In the order of their keys: whole records if they are kept, otherwise their keys. */
  readonly rows: readonly Row[]
  /** Whether something gets the records, before or after they are written. */
  readonly isKept: boolean
}

/**
 * Finds the records within the scope that match. Their number tells what a filter matches, so the caller must be allowed to read.
 *
 * @param bytes what is stored in each of them, in JSON
 * @throws HttpError 401, 403; 400 if there are too many, or if they are too large together
 */
export function* matchingRecords(
  target: WriteTarget,
  scoped: ScopedCall,
  request: BulkRequest,
  { verb, bytes }: { readonly verb: 'update' | 'delete'; readonly bytes: number },
): Steps<Matching> {
  const { model, access, records, rules } = target
  const { bulkMax } = rules
  yield* permit(access, 'list', scoped)
  const reach = yield* access.reach(scoped, relatedModels(request, rules))
  const filter = withGuards(request.filter, model, reach)
  const { key: order } = queryFields(model)
  const selection = { filter, order, limit: bulkMax + 1, offset: 0, fields: model.primaryKey }
  const found = yield* wait(records.list(scoped, selection))
  if (found.length > bulkMax) throw tooMany(rules, yield* numberOf(target, scoped, filter))
  const isKept = needsRecords(target, verb)
  const rows = yield* rowsToWrite(target, scoped, found, { isKept, bytes, isDelete: verb === 'delete' })
  return { filter, rows, isKept }
}

const needsRecords = (
  { access: { permissions, controller }, bodies: { files } }: Pick<Resource, 'access' | 'bodies'>,
  act: 'update' | 'delete',
): boolean =>
  typeof permissions[act] === 'function' || controller?.hooks.afterCommit !== undefined || files !== undefined

function* numberOf(
  { records, rules: { countBound } }: Pick<Resource, 'records' | 'rules'>,
  scoped: ScopedCall,
  filter: Condition,
): Steps<string> {
  const number = yield* wait(records.count(scoped, filter, countBound + 1))
  return number > countBound ? `More than ${countBound}` : String(number)
}

const tooMany = ({ bulkMax }: Rules, number: string): Error =>
  problem(
    'too_many_records',
    `${number} records match. One request may write at most ${bulkMax}. Use a narrower filter.`,
  )

/** What happens to all records that match. */
export type MatchingChange = Pick<Change, 'verb' | 'values' | 'sent' | 'fields'>

/** Changes or deletes the records that match, and returns how many. A record that has changed and no longer matches stays. */
export function* changeMatching(
  target: WriteTarget,
  scoped: ScopedCall,
  matching: Matching,
  what: MatchingChange,
): Steps<number> {
  const { rows, isKept } = matching
  const { access, records } = target
  const verb = what.verb === 'delete' ? 'delete' : 'update'
  if (isKept)
    for (const row of rows) yield* locating(target, scoped.call, [], () => permit(access, verb, scoped, row))
  if (rows.length === 0) return 0
  const references = yield* boundReferences(access, scoped, what)
  const change: Change = { ...what, path: [], references }
  const { count, done } = yield* writeMany(records, (transaction) =>
    changeAll({ target, scoped, transaction }, change, matching),
  )
  afterCommits(done, scoped)
  return count
}

function* changeAll(
  { target, scoped, transaction }: WriteContextInside,
  change: Change,
  { filter, rows, isKept }: Matching,
): Steps<{ readonly count: number; readonly done: readonly Stored[] }> {
  const writing: WriteContextInside = {
    ...{ target, scoped, transaction, among: filter },
    missing: () => new NoLongerMatching(),
  }
  const isRead = isKept || needsRecord(target, change)
  const inside = target.records.inside(transaction.session)
  const matching = narrowedScope(scoped, filter)
  const done: Stored[] = []
  let count = 0
  const all = rows.map((row) => ({ ...change, key: keyIn(target, row), ...(isKept && { seen: row }) }))
  for (const one of byKey(target, all)) {
    const { key = [] } = one
    const row = isRead ? yield* wait(inside.lock(matching, key)) : rowOf(target, key)
    if (row === undefined) continue
    const steps = () => changeOne(writing, isRead ? { ...one, locked: row } : one, row)
    const stored = yield* locating(target, scoped.call, one.path, steps, transaction.failed)
    if (stored === undefined) continue
    count += 1
    // All of them at once would need much memory.
    if (isKept) done.push(stored)
  }
  return { count, done }
}

/** Whether something needs more of a record than its key before the statement. The statement checks the filter itself. */
const needsRecord = (
  { access: { controller }, records: { audited } }: Pick<Resource, 'access' | 'records'>,
  { verb }: Change,
): boolean =>
  verb === 'delete'
    ? controller?.hooks.beforeDelete !== undefined
    : controller?.hooks.beforeUpdate !== undefined || audited !== undefined

const rowOf = ({ keys }: WriteTarget, key: readonly unknown[]): Row =>
  Object.fromEntries(keys.map(({ name }, at) => [name, key[at]]))

class NoLongerMatching extends Error {
  override readonly name: string = 'NoLongerMatching'
}

function* changeOne(writing: WriteContextInside, change: Change, row: Row): Steps<Stored | undefined> {
  try {
    return yield* prepared(writing, change, row, written)
  } catch (error) {
    if (error instanceof NoLongerMatching) return undefined
    throw error
  }
}
