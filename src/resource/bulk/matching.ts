import { authorise } from '../../controller/permissions.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { problem } from '../../error/errors.ts'
import type { Model } from '../../model/model.ts'
import { hasOperation } from '../../model/operations.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import type { Condition } from '../../query/ast.ts'
import type { BulkRequest } from '../../query/bulk.ts'
import { relatedModels, withGuards } from '../../query/related.ts'
import type { Row } from '../../source/source.ts'
import { reachOf } from '../reach.ts'
import type { Resource } from '../resource.ts'
import { boundedRows } from './rows.ts'

/** The records that a request is about. */
export interface Matching {
  /** Holds for them, together with the scope. */
  readonly filter: Condition
  /** In the order of their keys. */
  readonly rows: readonly Row[]
  /** Whether something gets the records, before or after they are written. */
  readonly isKept: boolean
}

/** Whether clients may choose records by a filter, whose number tells as much as a list. */
export const takesFilters = (model: Model): boolean => hasOperation(model, 'list')

/**
 * Finds the records within the scope that match. Their number tells what a filter matches, so the caller must be allowed to read.
 *
 * @throws HttpError 401, 403; 400 if there are too many, or if they are too large together
 */
export function* matchingRecords(
  resource: Resource,
  scoped: ScopedCall,
  request: BulkRequest,
  act: 'update' | 'delete',
): Steps<Matching> {
  const { model, rules, source, bulkMax } = resource
  yield* authorise(resource, 'read', { call: scoped.call, session: source })
  const reach = yield* reachOf(resource, scoped, relatedModels(request, rules))
  const filter = withGuards(request.filter, model, reach)
  const order = model.primaryKey.map((field) => ({ field, direction: 'asc' as const }))
  const selection = { filter, order, limit: bulkMax + 1, offset: 0 }
  // Also where only their keys are needed: the transaction reads and writes all of them.
  const rows = yield* boundedRows(resource)(selection, scoped.guard)
  if (rows.length > bulkMax) throw tooMany(resource, yield* numberOf(resource, scoped, filter))
  return { filter, rows, isKept: needsRecords(resource, act) }
}

const needsRecords = ({ permissions, controller, files }: Resource, act: 'update' | 'delete'): boolean =>
  typeof permissions[act] === 'function' || controller?.hooks.afterCommit !== undefined || files !== undefined

function* numberOf(
  { store, rules: { countBound } }: Resource,
  { guard }: ScopedCall,
  filter: Condition,
): Steps<string> {
  const number = yield* wait(store.count(filter, guard, countBound + 1))
  return number > countBound ? `More than ${countBound}` : String(number)
}

const tooMany = ({ bulkMax }: Resource, number: string): Error =>
  problem(
    'too_many_records',
    `${number} records match. One request may write at most ${bulkMax}. Use a narrower filter.`,
  )
