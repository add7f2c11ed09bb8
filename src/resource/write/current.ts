import { pointerTo } from '../../error/errors.ts'
import { hidesRecords } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import type { Steps } from '../../operation/steps.ts'
import { both, type Condition, everything } from '../../query/ast.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import type { Row, Session } from '../../source/source.ts'
import { boundedRows } from '../parts/bounded-rows.ts'
import { narrowedScope } from '../parts/records.ts'
import type { NestedTarget } from '../parts/target.ts'
import type { NestedChanges } from './change.ts'
import { among, byKeyText, equalTo } from './keys.ts'

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

/** The existing records of a parent, by the text of their key. */
export interface Current {
  readonly rows: ReadonlyMap<string, Row>
  /** Those of them that the caller can reach, and thus delete. */
  readonly reached: ReadonlyMap<string, Row>
}

export const noRows: Current = Object.freeze({ rows: new Map(), reached: new Map() })

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
  const { relation, resource, far } = target
  const { records } = resource
  const { maxChildren: most } = resource.rules
  const filter = isWhole ? equalTo(parent) : both(equalTo(parent), among(target, keys))
  const order = resource.model.primaryKey.map((field) => ({ field, direction: 'asc' as const }))
  const read = boundedRows(resource)
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
  const mayBeHidden = far !== undefined && hidesRecords(resource.access.scopes.modelOf(far.model))
  if (far === undefined || (farReach === everything && !mayBeHidden)) {
    const rows = yield* listed()
    return { rows, reached: rows }
  }
  const reached = yield* listed({ op: 'related', relation: far.name, condition: farReach })
  // Foreign keys that may leave the scope may also have left it before.
  const isBound = resource.access.scopedReferences.some(({ name }) => name === far.name)
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
