import { anyOf } from '../../controller/scope.ts'
import { pointerTo } from '../../error/errors.ts'
import { kinds } from '../../model/kinds/index.ts'
import { hidesRecords } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import type { Steps } from '../../operation/steps.ts'
import { both, type Condition, everything } from '../../query/ast.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import type { RecordStore, Row } from '../../source/source.ts'
import { boundedRows } from '../bounded-rows.ts'
import type { Plan } from './plan.ts'
import type { Together } from './relations.ts'

/** The values of the foreign key that refers to a parent. @throws HttpError 422 if nothing can refer to it */
export const foreignValues = ({ relation, foreign, references }: Together, parent: Row): Row => {
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

/** Holds for the records with these values. */
export const equalTo = (values: Row): Condition => ({
  op: 'and',
  conditions: Object.entries(values).map(([field, value]) => ({ op: 'eq', field, value })),
})

/** The same for keys that databases consider equal. */
export const keyText = ({ keys }: Pick<Together, 'keys'>, values: readonly unknown[]): string =>
  JSON.stringify(keys.map((field, at) => kinds[field.kind].write(values[at], field)))

export const keyIn = ({ keys }: Pick<Together, 'keys'>, row: Row): readonly unknown[] =>
  keys.map(({ name }) => ownValue(row, name))

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
 * @param most the maximum number of records
 * @throws HttpError 422 if the parent has more
 */
export function* currentOf(
  plan: Pick<Plan, 'together' | 'scoped' | 'isWhole' | 'farReach'>,
  parent: Row,
  keys: readonly (readonly unknown[])[],
  store: RecordStore,
  most: number,
): Steps<Current> {
  const { together, scoped, isWhole, farReach } = plan
  const { relation, target, far } = together
  const filter = isWhole ? equalTo(parent) : both(equalTo(parent), among(together, keys))
  const order = target.model.primaryKey.map((field) => ({ field, direction: 'asc' as const }))
  const read = boundedRows(target, store)
  const listed = function* (guard: Condition): Steps<Current['rows']> {
    const rows = yield* read({ filter, order, limit: most + 1, offset: 0 }, guard)
    if (rows.length > most) throw tooMany(relation.name, most)
    return new Map(rows.map((row) => [keyText(together, keyIn(together, row)), row]))
  }
  // To the store, a condition on a hidden record does not hold.
  const mayBeHidden = far !== undefined && hidesRecords(target.scopes.modelOf(far.model))
  if (far === undefined || (farReach === everything && !mayBeHidden)) {
    const rows = yield* listed(scoped.guard)
    return { rows, reached: rows }
  }
  const reached = yield* listed(
    both(scoped.guard, { op: 'related', relation: far.name, condition: farReach }),
  )
  // Foreign keys that may leave the scope may also have left it before.
  const isBound = target.scopedReferences.some(({ name }) => name === far.name)
  return { rows: isBound ? reached : yield* listed(scoped.guard), reached }
}

/** Holds for the records with these keys. */
export const among = (
  { keys }: Pick<Together, 'keys'>,
  values: readonly (readonly unknown[])[],
): Condition => {
  const [only, another] = keys
  if (only === undefined) return everything
  if (another === undefined) return { op: 'in', field: only.name, values: values.map(([value]) => value) }
  return anyOf(values.map((key) => equalTo(Object.fromEntries(keys.map(({ name }, at) => [name, key[at]])))))
}

const tooMany = (name: string, most: number): Error =>
  bodyRefusal([
    {
      pointer: pointerTo([name]),
      code: 'too_long',
      detail: `${name} has more than ${most} records, which one request cannot replace. Write them one by one at their own endpoints.`,
    },
  ])
