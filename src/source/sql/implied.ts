import type { FieldKind } from '../../model/model.ts'
import { both, type Condition, everything, hasRelation, withParts } from '../../query/ast.ts'
import type { BoundField, BoundTable, RelationStep } from './bound-table.ts'
import type { TypeFacts } from './types.ts'

/** The least or the greatest value of a field. */
type Range = Extract<Condition, { readonly value: unknown }> & { readonly op: 'lt' | 'le' | 'gt' | 'ge' }

/**
 * Records with an `id` above 5 are related only to those whose `order_id` is. No planner concludes that from `order_id = id`:
 * PostgreSQL, which may join the indexes of both, would read the second one from its beginning.
 *
 * @returns the conditions, which hold for the same records
 */
export const withImpliedRanges = (
  conditions: readonly Condition[],
  table: BoundTable,
): readonly Condition[] => {
  if (!conditions.some(hasRelation)) return conditions
  const ranges = conditions.flatMap(rangesIn)
  if (ranges.length === 0) return conditions
  return conditions.map((condition) => narrowed(condition, ranges, table))
}

const rangeOps: ReadonlySet<Condition['op']> = new Set(['lt', 'le', 'gt', 'ge'])

export const isRange = (condition: Condition): condition is Range => rangeOps.has(condition.op)

/** Those that hold for every record. */
const rangesIn = (condition: Condition): readonly Range[] => {
  if (condition.op === 'and') return condition.conditions.flatMap(rangesIn)
  return isRange(condition) ? [condition] : []
}

const narrowed = (condition: Condition, ranges: readonly Range[], table: BoundTable): Condition => {
  if (condition.op !== 'related') return withParts(condition, (part) => narrowed(part, ranges, table))
  const { fields, target, references, through } = table.relationOf(condition.relation)
  if (through === undefined) {
    const implied = impliedBy(ranges, table, { fields, target, references })
    return { ...condition, condition: both(condition.condition, implied) }
  }
  const implied = impliedBy(ranges, table, { fields, target: through.target, references: through.fields })
  return { ...condition, link: both(condition.link ?? everything, implied) }
}

/** What the ranges of a table say about the other end of a step. */
const impliedBy = (
  ranges: readonly Range[],
  table: BoundTable,
  { fields, target, references }: RelationStep,
): Condition => {
  const implied = ranges.flatMap((range) => {
    const at = fields.indexOf(range.field)
    const reference = references.at(at)
    if (at < 0 || reference === undefined) return []
    const isAlike = areAlike(table.fieldOf(range.field), target.fieldOf(reference))
    return isAlike ? [{ ...range, field: reference }] : []
  })
  return implied.length === 0 ? everything : { op: 'and', conditions: implied }
}

/** Those whose order is that of their values, whatever the column. */
const ordered: readonly FieldKind[] = ['integer', 'bigint', 'uuid']

/** Equal values of both columns have the same place in the order of both, and each column accepts the values of the other one. */
const areAlike = ({ column: one }: BoundField, { column: other }: BoundField): boolean =>
  ordered.includes(one.stored.kind) &&
  ![one, other].some(({ isMapped, field, stored }) => isMapped || field.kind !== stored.kind) &&
  isSameType(one.stored, other.stored)

const isSameType = (one: TypeFacts, other: TypeFacts): boolean =>
  one.kind === other.kind &&
  one.form === other.form &&
  one.minimum === other.minimum &&
  one.maximum === other.maximum
