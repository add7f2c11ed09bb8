import { ownValue } from '../../model/objects.ts'
import { aggregatedKind } from '../../query/aggregate-kinds.ts'
import { decimalText, exactAverage, unitsOf } from '../../query/aggregate-rows.ts'
import { type Aggregate, type Aggregation, columnName } from '../../query/ast.ts'
import { shownFields, sizeOf, sizingOf } from '../sizing.ts'
import { type RecordStore, type Row, SourceError } from '../source.ts'
import { decoded } from '../sql/bound-table.ts'
import type { Delegate } from './client.ts'
import { type PrismaTranslation, whereOf } from './conditions.ts'
import type { PrismaMapped } from './describe.ts'
import { isOverflow } from './errors.ts'
import { sortOf } from './sorting.ts'

/** Groups and functions as Prisma has them. Averages are computed from sums, because its own are floating-point numbers. */
export const aggregateOf =
  (by: PrismaTranslation, delegate: Delegate, mapped: PrismaMapped): NonNullable<RecordStore['aggregate']> =>
  async ({ filter, groups, aggregates, order, limit }, guard, admits) => {
    const names = groups.map(({ field }) => field)
    for (const name of names) assertExact(by, mapped, name)
    for (const { field, fn } of aggregates) if (field !== undefined) assertExact(by, mapped, field, fn)
    const common = { where: whereOf(by, mapped, filter, guard), ...selectOf(mapped, aggregates) }
    const keys = order.map((key) => sortKeyOf(mapped, aggregates, key))
    const orderBy = keys.map((key) => key.orderBy)
    const read = async (): Promise<readonly Row[]> =>
      names.length === 0
        ? [await delegate.aggregate(common)]
        : nullsLargest(by.family === 'pg' ? [] : keys, limit, (take, having) =>
            delegate.groupBy({ ...common, by: names, orderBy, take, ...having }),
          )
    const rows = await read().catch((error: unknown): never => {
      const { field = '' } = aggregates.find(({ fn }) => fn === 'sum' || fn === 'avg') ?? {}
      throw isOverflow(error) ? inexact(field) : error
    })
    const noting = sizingOf(mapped.model).admitting(admits, shownFields({ groups, aggregates }))
    if (!(await noting(rows.map(sizeOf)))) return []
    return rows.map((row) =>
      Object.fromEntries([
        ...names.map((name) => [name, shown(mapped, name, ownValue(row, name))]),
        ...aggregates.map((aggregate) => [columnName(aggregate), resultOf(mapped, aggregate, row)]),
      ]),
    )
  }

interface GroupSortKey {
  readonly direction: 'asc' | 'desc'
  readonly orderBy: object
  /** The field of which a group may have no value. */
  readonly nullable: string | undefined
}

const sortKeyOf = (
  mapped: PrismaMapped,
  aggregates: readonly Aggregate[],
  { column, direction }: Aggregation['order'][number],
): GroupSortKey => {
  const of = aggregates.find((aggregate) => columnName(aggregate) === column)
  if (of === undefined)
    return { direction, orderBy: { [column]: sortOf(mapped, column, direction) }, nullable: undefined }
  const { fn, field = counted(mapped) } = of
  const mayBeNull = fn !== 'count' && mapped.fieldOf(field).field.nullable
  const orderBy = { [`_${fn}`]: { [field]: direction } }
  return { direction, orderBy, nullable: mayBeNull ? field : undefined }
}

/** MySQL and SQLite sort nulls as the smallest value, so groups without a value are read on their own. */
const nullsLargest = async (
  keys: readonly GroupSortKey[],
  limit: number,
  read: (limit: number, having?: object) => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const [only, another] = keys.filter(({ nullable }) => nullable !== undefined)
  const { nullable } = only ?? {}
  if (only === undefined || nullable === undefined) return read(limit)
  if (only !== keys[0] || another !== undefined) throw inexact(another?.nullable ?? nullable)
  const parts = [{ gt: 0 }, { equals: 0 }].map((_count) => ({ having: { [nullable]: { _count } } }))
  const rows: Row[] = []
  for (const part of only.direction === 'asc' ? parts : parts.toReversed())
    if (rows.length < limit) rows.push(...(await read(limit - rows.length, part)))
  return rows
}

/** Without a field, Prisma counts the records by a field that is never null. */
const counted = ({ model }: PrismaMapped): string => model.primaryKey[0] ?? ''

const selectOf = (mapped: PrismaMapped, aggregates: readonly Aggregate[]) => {
  const parts = aggregates.flatMap(({ fn, field = counted(mapped) }) =>
    (fn === 'avg' ? ['_sum', '_count'] : [`_${fn}`]).map((part) => ({ part, field })),
  )
  const chosen = Map.groupBy([{ part: '_count', field: counted(mapped) }, ...parts], ({ part }) => part)
  return Object.fromEntries(
    [...chosen].map(([part, of]) => [part, Object.fromEntries(of.map(({ field }) => [field, true]))]),
  )
}

const shown = ({ fieldOf }: PrismaMapped, name: string, stored: unknown): unknown => {
  const { field, codec } = fieldOf(name)
  return decoded(field, stored, codec.decode, () => 'a group of records')
}

const resultOf = (
  mapped: PrismaMapped,
  { fn, field: name = counted(mapped) }: Aggregate,
  row: Row,
): unknown => {
  const partOf = (part: string): unknown => ownValue(Object(ownValue(row, part)), name) ?? null
  const value = partOf(fn === 'avg' ? '_sum' : `_${fn}`)
  if (value === null) return null
  if (fn === 'count') return Number(value)
  const { field } = mapped.fieldOf(name)
  const { sum = 'float' } = aggregatedKind(field)
  const count = Number(partOf('_count'))
  if (sum === 'float' && (fn === 'sum' || fn === 'avg')) return Number(value) / (fn === 'avg' ? count : 1)
  const checked = shown(mapped, name, value)
  if (fn === 'min' || fn === 'max') return checked
  // The client has rounded it.
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw inexact(name)
  const text = typeof value === 'object' ? (value as { toFixed(): string }).toFixed() : String(value)
  const { units, digits } = unitsOf(text, field.scale)
  if (fn === 'avg') return exactAverage(units, digits, BigInt(count))
  return sum === 'decimal' ? decimalText(units, digits) : units
}

/** @param fn absent: the field groups records */
const assertExact = (
  { family }: PrismaTranslation,
  { fieldOf }: PrismaMapped,
  name: string,
  fn?: Aggregate['fn'],
): void => {
  const { kind, form, conditions } = fieldOf(name).field
  const isSum = fn === 'sum' || fn === 'avg'
  // The collation takes different strings for the same.
  const isCollated = conditions === 'inexact' && fn !== 'count'
  const isRounded = isSum && kind === 'decimal' && form === 'number'
  const isUnordered = (fn === 'min' || fn === 'max') && kind === 'uuid' && family === 'pg'
  if (isCollated || isRounded || isUnordered) throw inexact(name)
}

const inexact = (field: string): SourceError =>
  new SourceError('type', {
    fields: [field],
    cause: new Error(`Prisma cannot aggregate the values of ${field} exactly.`),
  })
