import { ownValue } from '../../model/objects.ts'
import { everything, type Hop, type Order, sortName } from '../../query/ast.ts'
import { normalForm } from '../../query/normal-form.ts'
import { relationOf } from '../../query/order.ts'
import type { Row } from '../source.ts'
import { decoded } from '../sql/bound-table.ts'
import type { PrismaTranslation } from './conditions.ts'
import type { MappedField, PrismaMapped } from './describe.ts'

/** Nulls are the largest value. Prisma refuses to place those of a field that has none. */
export const sortOf = (mapped: PrismaMapped, name: string, direction: 'asc' | 'desc'): unknown =>
  mapped.fieldOf(name).field.nullable
    ? { sort: direction, nulls: direction === 'asc' ? 'last' : 'first' }
    : direction

/** The members of records that a statement reads. */
export interface Select {
  readonly [name: string]: true | { readonly select: Select }
}

/** A sort key as Prisma has it. */
export interface SortKey {
  /** Under which rows have its value. */
  readonly name: string
  readonly via: readonly Hop[]
  readonly bound: MappedField
  readonly orderBy: object
  /** Adds what its value is read from. */
  selectedIn(select: Select): Select
  /** @param row a row of the client, with related records in it */
  valueIn(row: Row): unknown
}

export const sortKeyOf = (by: PrismaTranslation, mapped: PrismaMapped, key: Order): SortKey => {
  const { field, direction, via = [] } = key
  const name = sortName(key)
  let end = mapped
  const path = via.map(({ relation }) => {
    const along = end.along(relation).name
    end = by.mappedOf(relationOf(end.model, relation).model)
    return along
  })
  const bound = end.fieldOf(field)
  const orderBy = path.reduceRight<object>((inner, along) => ({ [along]: inner }), {
    [field]: sortOf(end, field, direction),
  })
  return {
    ...{ name, via, bound, orderBy },
    selectedIn: (select) => withPath(select, path, field),
    valueIn: (row) => {
      const record = path.reduce<unknown>((from, along) => ownValue(Object(from), along), row)
      return decoded(
        bound.field,
        ownValue(Object(record), field),
        bound.codec.decode,
        () => mapped.model.name,
      )
    },
  }
}

const withPath = (select: Select, [along, ...further]: readonly string[], field: string): Select => {
  if (along === undefined) return { ...select, [field]: true }
  const inside = ownValue(select, along)
  const own = typeof inside === 'object' ? inside.select : {}
  return { ...select, [along]: { select: withPath(own, further, field) } }
}

/**
 * Whether Prisma sorts by it with null as the largest value. It cannot place the nulls of a field that has none, which are those
 * of records without a related one. Other databases than PostgreSQL take them as the smallest value.
 *
 * @param known relations whose records exist for all records that are sorted
 */
export const isSorted = (
  { via, bound }: Pick<SortKey, 'via' | 'bound'>,
  { family }: Pick<PrismaTranslation, 'family'>,
  known: readonly (readonly Hop[])[],
): boolean =>
  (via.every(isOpen) && (via.length === 0 || family === 'pg' || bound.field.nullable)) ||
  known.some((hops) => via.every((hop, at) => isSame(hop, hops[at])))

const isOpen = ({ guard = everything }: Hop): boolean => normalForm(guard).op === 'always'

const isSame = ({ relation, guard }: Hop, other: Hop | undefined): boolean =>
  relation === other?.relation && guard === other.guard
