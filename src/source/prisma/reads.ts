import { onceFor, ownValue } from '../../model/objects.ts'
import { both, type Condition, type Order } from '../../query/ast.ts'
import { amongKeys, type Key, keyText, keyValues } from '../record-keys.ts'
import { FEW_PARSED, sizeOf, sizingOf } from '../sizing.ts'
import type { Awaitable, RecordStore, Row } from '../source.ts'
import { decoded } from '../sql/bound-table.ts'
import type { Delegate } from './client.ts'
import { type PrismaTranslation, whereOf } from './conditions.ts'
import type { PrismaMapped } from './describe.ts'
import { type ListPart, type SortedReader, sortedRows } from './sorted-rows.ts'
import { isSorted, type Select, type SortKey, sortKeyOf } from './sorting.ts'

/** How statements select and read records. */
interface ReadShape {
  readonly select: Readonly<Record<string, true>>
  read(row: Row): Row
}

/** Of these fields, in the order of the model. Made once for a statement: lists have many records. */
const shapeOf = (mapped: PrismaMapped, isRead: (name: string) => boolean): ReadShape => {
  const { name: model, fields, primaryKey } = mapped.model
  const names = fields.map(({ name }) => name).filter(isRead)
  const select = Object.fromEntries(names.map((name) => [name, true as const]))
  const converted = names.map((name) => mapped.fieldOf(name)).filter(({ isAsIs }) => !isAsIs)
  if (converted.length === 0) return { select, read: (row) => row }
  return {
    select,
    read: (row) => {
      const nameOf = (): string => `${model} ${primaryKey.map((name) => ownValue(row, name))}`
      const record = { ...row }
      for (const bound of converted)
        Reflect.set(
          record,
          bound.field.name,
          decoded(bound.field, ownValue(row, bound.field.name), bound.codec.decode, nameOf),
        )
      return record
    },
  }
}

export const wholeOf: (mapped: PrismaMapped) => ReadShape = onceFor((mapped) => shapeOf(mapped, () => true))

export const listReads = (
  by: PrismaTranslation,
  delegate: Delegate,
  mapped: PrismaMapped,
): Pick<RecordStore, 'list' | 'count'> => ({
  list: async ({ filter, order, limit, offset, fields }, guard, admits) => {
    if (limit === 0) return []
    for (const name of fields ?? []) mapped.fieldOf(name)
    const { select, read } = fields ? shapeOf(mapped, (name) => fields.includes(name)) : wholeOf(mapped)
    const sizing = sizingOf(mapped.model)
    const noting = sizing.admitting(admits, fields)
    const part = { condition: both(filter, guard), order, skip: offset, take: limit, known: [], absent: [] }
    const found = async (chosen: ReadShape['select']) =>
      sortedRows(readerOf({ by, delegate, mapped }, order, chosen), part)
    if (admits === undefined || !sizing.isUnknown(limit, fields)) {
      const rows = await found(select)
      return (await noting(rows.map(sizeOf))) ? rows.map(read) : []
    }
    // Prisma does not say sizes, so the first parts show how many records the next ones may have.
    const keyShape = shapeOf(mapped, (name) => mapped.model.primaryKey.includes(name))
    const keys = (await found(keyShape.select)).map(keyShape.read)
    const parts = { delegate, by, mapped, guard, keys, select: { ...select, ...keyShape.select } }
    const rows = await rowsInParts(parts, () => sizing.atOnce(fields), noting)
    return rows?.map(read).map((row) => (fields === undefined ? row : chosenOf(row, fields))) ?? []
  },
  count: (filter, guard, atMost) => {
    if (atMost === 0) return 0
    const where = whereOf(by, mapped, filter, guard)
    return delegate.count({ where, ...(atMost !== undefined && { take: atMost }) })
  },
})

interface ModelAccess {
  readonly by: PrismaTranslation
  readonly delegate: Delegate
  readonly mapped: PrismaMapped
}

/** Reads these members of records, and their sort values. */
const readerOf = (
  { by, delegate, mapped }: ModelAccess,
  order: readonly Order[],
  chosen: ReadShape['select'],
): SortedReader => {
  const keyOf = (key: Order): SortKey => sortKeyOf(by, mapped, key)
  const related = order.map(keyOf).filter(({ via }) => via.length > 0)
  const { primaryKey } = mapped.model
  const find = async (part: ListPart, own: ReadShape['select']): Promise<readonly Row[]> => {
    const rows = await delegate.findMany({
      where: whereOf(by, mapped, part.condition),
      orderBy: part.order.map((key) => keyOf(key).orderBy),
      ...(part.skip > 0 && { skip: part.skip }),
      ...{ take: part.take, select: related.reduce<Select>((all, key) => key.selectedIn(all), own) },
    })
    if (related.length === 0) return rows
    return rows.map((row) =>
      Object.fromEntries([
        ...Object.keys(own).map((name) => [name, ownValue(row, name)]),
        ...related.map((key) => [key.name, part.absent.includes(key.name) ? null : key.valueIn(row)]),
      ]),
    )
  }
  return {
    model: mapped.model,
    isSorted: (key, known) => isSorted(keyOf(key), by, known),
    isVague: (key) => keyOf(key).bound.field.conditions === 'inexact',
    find: (part) => find(part, chosen),
    keysOf: async (part) => {
      const names = [
        ...primaryKey,
        ...part.order.filter(({ via = [] }) => via.length === 0).map(({ field }) => field),
      ]
      const { select, read } = shapeOf(mapped, (name) => names.includes(name))
      return (await find(part, select)).map(read)
    },
    keyIn: (row) => keyIn(mapped, row),
    count: (condition) => delegate.count({ where: whereOf(by, mapped, condition) }),
  }
}

interface Parts extends ModelAccess {
  readonly guard: Condition
  /** The keys of the records, with their sort values. */
  readonly keys: readonly Row[]
  readonly select: ReadShape['select']
}

/** Records of known sizes that are read at once. */
const MOST_IN_PART = 500

/** The records with these keys, as far as they are still there, in their order. `undefined`: they are not admitted. */
const rowsInParts = async (
  { by, delegate, mapped, guard, keys, select }: Parts,
  atOnce: () => number,
  admits: (sizes: readonly number[]) => Awaitable<boolean>,
): Promise<readonly Row[] | undefined> => {
  const { primaryKey } = mapped.model
  const rows: Row[] = []
  const sizes: number[] = []
  let most = FEW_PARSED
  for (let at = 0; at < keys.length; ) {
    const part = keys
      .slice(at, at + Math.min(most, atOnce()))
      .map((known) => ({ known, key: keyValues(known, primaryKey) }))
    at += part.length
    most = Math.min(MOST_IN_PART, 4 * most)
    const among = amongKeys(
      primaryKey,
      part.map(({ key }) => key),
    )
    const where = whereOf(by, mapped, among, guard)
    const found = await delegate.findMany({ where, select })
    const keyed = new Map(found.map((row) => [keyText(keyIn(mapped, row)), row]))
    for (const { known, key } of part) {
      const row = keyed.get(keyText(key))
      if (row === undefined) continue
      rows.push({ ...known, ...row })
      sizes.push(sizeOf(row))
    }
    if (!(await admits(sizes))) return undefined
  }
  if (keys.length === 0) await admits([])
  return rows
}

const keyIn = (mapped: PrismaMapped, row: Row): Key =>
  mapped.model.primaryKey.map((name) => {
    const { field, codec } = mapped.fieldOf(name)
    return decoded(field, ownValue(row, name), codec.decode, () => mapped.model.name)
  })

/** Names with a dot are those of sort values. */
const chosenOf = (row: Row, fields: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name) || name.includes('.')))
