import { authorise } from '../../controller/permissions.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { problem } from '../../error/errors.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import type { Condition } from '../../query/ast.ts'
import type { BulkRequest } from '../../query/bulk.ts'
import { relatedModels, withGuards } from '../../query/related.ts'
import type { Row } from '../../source/source.ts'
import { reachOf } from '../reach.ts'
import type { Resource } from '../resource.ts'
import { rowsToWrite } from './rows.ts'

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
  resource: Resource,
  scoped: ScopedCall,
  request: BulkRequest,
  { verb, bytes }: { readonly verb: 'update' | 'delete'; readonly bytes: number },
): Steps<Matching> {
  const { model, rules, source, store, bulkMax } = resource
  yield* authorise(resource, 'read', { call: scoped.call, session: source })
  const reach = yield* reachOf(resource, scoped, relatedModels(request, rules))
  const filter = withGuards(request.filter, model, reach)
  const order = model.primaryKey.map((field) => ({ field, direction: 'asc' as const }))
  const selection = { filter, order, limit: bulkMax + 1, offset: 0, fields: model.primaryKey }
  const found = yield* wait(store.list(selection, scoped.guard))
  if (found.length > bulkMax) throw tooMany(resource, yield* numberOf(resource, scoped, filter))
  const isKept = needsRecords(resource, verb)
  const rows = yield* rowsToWrite(resource, scoped, found, { isKept, bytes, isDelete: verb === 'delete' })
  return { filter, rows, isKept }
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
