import { ownValue } from '../../model/objects.ts'
import { aggregatedKind } from '../../query/aggregate-kinds.ts'
import { decimalText, exactAverage } from '../../query/aggregate-rows.ts'
import { type Aggregate, columnName } from '../../query/ast.ts'
import { type RecordStore, type Row, SourceError } from '../source.ts'
import type { Delegate } from './client.ts'
import { sortOf, type Translation, whereOf } from './conditions.ts'
import type { PrismaMapped } from './describe.ts'
import { isOverflow } from './errors.ts'

type Aggregating = NonNullable<RecordStore['aggregate']>

/** Groups and functions as Prisma has them. Averages are computed from sums, because its own are floating-point numbers. */
export const aggregateOf =
  (by: Translation, delegate: Delegate, mapped: PrismaMapped): Aggregating =>
  async ({ filter, groups, aggregates, order, limit }, guard) => {
    const where = whereOf(by, mapped, filter, guard)
    for (const { field, fn } of aggregates) if (field !== undefined) assertExact(by, mapped, field, fn)
    const selected = selectOf(mapped, aggregates)
    const names = groups.map(({ field }) => field)
    for (const name of names) assertExact(by, mapped, name)
    const ordered = order.map(({ column, direction }) => ({
      ...{ column, direction },
      of: aggregates.find((aggregate) => columnName(aggregate) === column),
    }))
    const grouped = (take: number, having?: object) =>
      delegate.groupBy({
        ...{ by: names, where, ...selected, take, ...(having && { having }) },
        orderBy: ordered.map(({ column, direction, of }) =>
          of === undefined ? { [column]: sortOf(mapped, column, direction) } : orderBy(mapped, of, direction),
        ),
      })
    const empty = by.provider === 'postgresql' ? [] : ordered.filter(({ of }) => mayBeNull(mapped, of))
    const read = async (): Promise<readonly Row[]> =>
      names.length === 0
        ? [await delegate.aggregate({ where, ...selected })]
        : nullsLargest(empty, ordered[0] === empty[0], limit, grouped)
    const rows = await read().catch((error: unknown): never => {
      throw isOverflow(error) ? inexact(summedIn(aggregates) ?? '') : error
    })
    return rows.map((row) =>
      Object.fromEntries([
        ...names.map((name) => [name, shown(mapped, name, ownValue(row, name))]),
        ...aggregates.map((aggregate) => [columnName(aggregate), resultOf(mapped, aggregate, row)]),
      ]),
    )
  }

const summedIn = (aggregates: readonly Aggregate[]): string | undefined =>
  aggregates.find(({ fn }) => fn === 'sum' || fn === 'avg')?.field

interface Ordered {
  readonly direction: 'asc' | 'desc'
  readonly of: Aggregate | undefined
}

/** Whether a group has no value if none of its records has one. */
const mayBeNull = ({ fieldOf }: PrismaMapped, of: Aggregate | undefined): boolean =>
  of?.field !== undefined && of.fn !== 'count' && fieldOf(of.field).field.nullable

/** MySQL and SQLite sort nulls as the smallest value, so groups without a value are read on their own. */
const nullsLargest = async (
  empty: readonly Ordered[],
  isFirst: boolean,
  limit: number,
  read: (limit: number, having?: object) => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const [only, another] = empty
  const field = only?.of?.field
  if (only === undefined || field === undefined) return read(limit)
  if (!isFirst || another !== undefined) throw inexact(another?.of?.field ?? field)
  const parts = [{ gt: 0 }, { equals: 0 }].map((_count) => ({ [field]: { _count } }))
  const rows: Row[] = []
  for (const having of only.direction === 'asc' ? parts : parts.toReversed())
    if (rows.length < limit) rows.push(...(await read(limit - rows.length, having)))
  return rows
}

/** Without a field, Prisma counts the records by a field that is never null. */
const counted = ({ model }: PrismaMapped): string => model.primaryKey[0] ?? ''

const selectOf = (mapped: PrismaMapped, aggregates: readonly Aggregate[]) => {
  const parts = aggregates.flatMap(({ fn, field = counted(mapped) }) =>
    (fn === 'avg' ? ['sum', 'count'] : [fn]).map((part) => ({ part: `_${part}`, field })),
  )
  const chosen = Map.groupBy([{ part: '_count', field: counted(mapped) }, ...parts], ({ part }) => part)
  return Object.fromEntries(
    [...chosen].map(([part, of]) => [part, Object.fromEntries(of.map(({ field }) => [field, true]))]),
  )
}

const orderBy = (mapped: PrismaMapped, { fn, field = counted(mapped) }: Aggregate, direction: string) => ({
  [`_${fn}`]: { [field]: direction },
})

const partOf = (row: Row, fn: string, field: string): unknown =>
  ownValue(Object(ownValue(row, `_${fn}`)), field) ?? null

/** @throws SourceError if the value has no exact form */
const shown = ({ fieldOf }: PrismaMapped, name: string, stored: unknown): unknown => {
  const value = fieldOf(name).read(stored)
  if (value === undefined) throw new SourceError('unrepresentable', { fields: [name] })
  return value
}

const resultOf = (mapped: PrismaMapped, { fn, field = counted(mapped) }: Aggregate, row: Row): unknown => {
  const value = partOf(row, fn === 'avg' ? 'sum' : fn, field)
  if (value === null) return null
  if (fn === 'count') return Number(value)
  const bound = mapped.fieldOf(field)
  if (fn === 'min' || fn === 'max') return shown(mapped, field, value)
  const { sum = 'float' } = aggregatedKind(bound.field)
  const count = Number(partOf(row, 'count', field))
  if (sum === 'float') return fn === 'sum' ? Number(value) : Number(value) / count
  shown(mapped, field, value)
  const { units, digits } = exact(field, value, bound.field.scale ?? 0)
  if (fn === 'avg') return exactAverage(units, digits, BigInt(count))
  return sum === 'decimal' ? decimalText(units, digits) : units
}

/** A sum in units of its last digit. @throws SourceError if the client has rounded it */
const exact = (field: string, value: unknown, scale: number) => {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw inexact(field)
  const isDecimal = typeof value === 'object' && value !== null
  const text = isDecimal ? (value as { toFixed(): string }).toFixed() : String(value)
  const [whole = '0', fraction = ''] = text.split('.')
  const digits = Math.max(fraction.length, scale)
  return { units: BigInt(whole + fraction.padEnd(digits, '0')), digits }
}

/** @param fn absent: the field groups records */
const assertExact = (
  { provider }: Translation,
  { fieldOf }: PrismaMapped,
  name: string,
  fn?: Aggregate['fn'],
): void => {
  const { kind, form, conditions } = fieldOf(name).field
  // The collation takes different strings for the same.
  const isCollated = conditions === 'inexact' && fn !== 'count'
  const isRounded = kind === 'decimal' && form === 'number' && (fn === 'sum' || fn === 'avg')
  if (
    isCollated ||
    isRounded ||
    (provider === 'postgresql' && kind === 'uuid' && (fn === 'min' || fn === 'max'))
  )
    throw inexact(name)
}

const inexact = (field: string): SourceError =>
  new SourceError('type', {
    fields: [field],
    cause: new Error(`Prisma cannot aggregate the values of ${field} exactly.`),
  })
