import { pointerTo } from '../../error/errors.ts'
import { hidesRecords } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { both, type Condition, everything } from '../../query/ast.ts'
import { queryFields } from '../../query/fields.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import { type Row, type Session, SourceError } from '../../source/source.ts'
import { existing } from '../parts/record.ts'
import { boundedRows, narrowedScope } from '../parts/records.ts'
import type { NestedTarget, WriteTarget } from '../parts/resource.ts'
import { among, byKeyText, equalTo, keyIn, sentKeyText } from '../parts/target.ts'
import {
  type Change,
  type ChangeVerb,
  type Current,
  locating,
  type NestedChanges,
  noRows,
  nothingSent,
  type Stored,
  type Transaction,
  type WriteContextInside,
} from './change.ts'
import { written } from './checked.ts'
import { isCreatable } from './plan.ts'
import { prepared } from './prepare.ts'

/**
 * Writes the records below another one, which is stored in this transaction. Deletes first and creates last, so that a new record may
 * take a unique value of an old one.
 */
export function* writeBelow(
  { change, record }: Stored,
  below: readonly NestedChanges[],
  transaction: Transaction,
): Steps<readonly Stored[]> {
  const done: Stored[] = []
  for (const changes of below) {
    const { target, scoped } = changes
    const parent = foreignValues(target, record)
    const current = yield* currentBelow(changes, parent, { isNew: change.verb === 'create', transaction })
    const writing = { ...{ target, scoped, parent, transaction }, among: equalTo(parent) }
    const all = [...deletesOf(changes, current), ...changes.all.filter(({ verb }) => verb !== 'delete')]
    for (const each of byKey(target, all).toSorted((a, b) => order[a.verb] - order[b.verb])) {
      const steps = () => writeNested(writing, current, each)
      const stored = yield* locating(target, scoped.call, each.path, steps, transaction.failed)
      if (stored !== undefined) done.push(stored)
    }
  }
  return done
}

/**
 * The order of keys, so that requests that write the same records lock them in the same order and do not wait for each other.
 * Records without a key follow in the order of the body.
 */
export const byKey = (target: WriteTarget, changes: readonly Change[]): readonly Change[] => {
  const texts = new Map(changes.map((change) => [change, change.key && sentKeyText(target, change.key)]))
  return changes.toSorted((one, other) => {
    const [a, b] = [texts.get(one), texts.get(other)]
    if (a === b) return 0
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1
    return a < b ? -1 : 1
  })
}

const order: Readonly<Record<ChangeVerb, number>> = {
  delete: 0,
  update: 1,
  replace: 1,
  restore: 1,
  create: 2,
}

/** The existing records, while the lock on the parent makes other requests wait. */
function* currentBelow(
  changes: NestedChanges,
  parent: Row,
  { isNew, transaction }: { readonly isNew: boolean; readonly transaction: Transaction },
): Steps<Current> {
  const keys = changes.all.flatMap(({ key }) => (key === undefined ? [] : [key]))
  if (isNew || (!changes.isWhole && keys.length === 0)) return noRows
  return yield* currentOf(changes, parent, keys, transaction.session)
}

/** Those of the body, and those of records that appeared since it was read. */
const deletesOf = ({ target, all, isWhole }: NestedChanges, { reached }: Current): readonly Change[] => {
  const planned = all.filter(({ verb }) => verb === 'delete')
  if (!isWhole) return planned
  const textOf = ({ key }: Change): string => (key === undefined ? '' : sentKeyText(target, key))
  const wanted = new Set(all.filter(({ verb }) => verb !== 'delete').map(textOf))
  const known = new Map(planned.map((change) => [textOf(change), change]))
  const path = [target.relation.name]
  return [...reached]
    .filter(([text]) => !wanted.has(text))
    .map(
      ([text, row]) =>
        known.get(text) ?? {
          ...{ ...nothingSent, verb: 'delete', path, key: keyIn(target, row) },
        },
    )
}

function* writeNested(
  writing: WriteContextInside,
  current: Current,
  change: Change,
): Steps<Stored | undefined> {
  const { target, transaction } = writing
  const { key, verb } = change
  const row = key && current.rows.get(sentKeyText(target, key))
  if (verb === 'create') {
    // A link that exists stays.
    if (row !== undefined && target.isLink) return undefined
    // The set has changed since the body was read. Only a repeated request reads its values as those of an existing child.
    if (row !== undefined) {
      transaction.endRetries()
      throw new SourceError('contended')
    }
    return yield* prepared(writing, change, undefined, written)
  }
  // Its values were read as those of an existing child, and a retried request creates it.
  if (row === undefined && verb === 'replace' && isCreatable(target, key)) throw new SourceError('contended')
  const stored = yield* wait(existing(target.model, row))
  return yield* prepared(writing, change, stored, written)
}

/** The values of the foreign key that refers to a parent. @throws HttpError 422 if nothing can refer to it */
export const foreignValues = ({ relation, foreign, references }: NestedTarget, parent: Row): Row => {
  const values = references.map((name) => ownValue(parent, name) ?? null)
  if (values.includes(null))
    throw bodyRefusal([
      {
        pointer: pointerTo([relation.name]),
        code: 'invalid',
        detail: `${relation.name} cannot be written while ${references.join(' or ')} is null.`,
      },
    ])
  return Object.fromEntries(foreign.map((name, at) => [name, values[at]]))
}

/**
 * Reads the records of a parent: all of them if the body has the whole set, else those with the keys.
 *
 * @param parent values of the foreign key
 * @param transaction reads them as the transaction has them. @default as they are committed
 * @throws HttpError 422 if the parent has more
 */
export function* currentOf(
  { target, scoped, isWhole, farReach }: Omit<NestedChanges, 'all'>,
  parent: Row,
  keys: readonly (readonly unknown[])[],
  transaction?: Session,
): Steps<Current> {
  const { relation, model, access, records, far } = target
  const { maxChildren: most } = target.rules
  const filter = isWhole ? equalTo(parent) : both(equalTo(parent), among(target, keys))
  const { key: order } = queryFields(model)
  const read = boundedRows(records)
  const reads = transaction === undefined ? records : records.inside(transaction)
  const listed = function* (also?: Condition): Steps<Current['rows']> {
    const rows = yield* read(reads, narrowedScope(scoped, also), {
      filter,
      order,
      limit: most + 1,
      offset: 0,
    })
    if (rows.length > most) throw tooMany(relation.name, most)
    return byKeyText(target, rows)
  }
  // To the store, a condition on a hidden record does not hold.
  const mayBeHidden = far !== undefined && hidesRecords(access.scopes.modelOf(far.model))
  if (far === undefined || (farReach === everything && !mayBeHidden)) {
    const rows = yield* listed()
    return { rows, reached: rows }
  }
  const reached = yield* listed({ op: 'related', relation: far.name, condition: farReach })
  // Foreign keys that may leave the scope may also have left it before.
  const isBound = access.scopedReferences.some(({ name }) => name === far.name)
  return { rows: isBound ? reached : yield* listed(), reached }
}

const tooMany = (name: string, most: number): Error =>
  bodyRefusal([
    {
      pointer: pointerTo([name]),
      code: 'too_long',
      detail: `${name} has more than ${most} records, which one request cannot replace. Write them one by one at their own endpoints.`,
    },
  ])
