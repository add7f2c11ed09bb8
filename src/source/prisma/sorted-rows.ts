import { both, type Condition, type Hop, type Order, sortName } from '../../query/ast.ts'
import { rangesAfter } from '../../query/keyset.ts'
import { relatedBy } from '../../query/places.ts'
import { amongKeys, type Key, keyText, keyValues, mostKeys } from '../record-keys.ts'
import type { Row } from '../source.ts'
import type { PrismaMapped } from './describe.ts'

/** Records to read, some of those that meet a condition. */
export interface ListPart {
  readonly condition: Condition
  readonly order: readonly Order[]
  readonly skip: number
  readonly take: number
  /** Relations whose records exist for all of them. */
  readonly known: readonly (readonly Hop[])[]
  /** The names of the sort keys that are null for all of them. */
  readonly absent: readonly string[]
}

/** How records are read in an order that Prisma has. */
export interface SortedReader {
  readonly model: PrismaMapped['model']
  isSorted(key: Order, known: ListPart['known']): boolean
  /** Whether different values can sort as equal. */
  isVague(key: Order): boolean
  find(part: ListPart): Promise<readonly Row[]>
  /** The key of a row. */
  keyIn(row: Row): Key
  /** Their keys and sort values, in the form of their fields. */
  keysOf(part: ListPart): Promise<readonly Row[]>
  count(condition: Condition): Promise<number>
}

/** Reads records in any order. One that Prisma does not have takes a few statements for each 500. */
export const sortedRows = (
  reader: SortedReader,
  part: ListPart,
): Promise<readonly Row[]> | readonly Row[] => {
  if (part.take === 0) return []
  const at = part.order.findIndex((key) => !reader.isSorted(key, part.known))
  if (at < 0) return reader.find(part)
  return at === 0 ? inHalves(reader, part) : inWindows(reader, part, at)
}

/** The records with a value of the first sort key, and those without. */
const inHalves = async (reader: SortedReader, part: ListPart): Promise<readonly Row[]> => {
  const { condition, order, skip, take, known, absent } = part
  const [key, ...others] = order
  if (key === undefined) return []
  const { via = [], field, direction } = key
  const isThere = relatedBy(via, { op: 'is-not-null', field })
  const having: ListPart = { ...part, condition: both(condition, isThere), known: [...known, via] }
  const lacking: ListPart = {
    ...{ ...part, condition: both(condition, { op: 'not', condition: isThere }) },
    ...{ order: others, absent: [...absent, sortName(key)] },
  }
  const [first, second] = direction === 'asc' ? [having, lacking] : [lacking, having]
  const rows = await sortedRows(reader, first)
  const isEndFound = skip === 0 || rows.length > 0
  const passed = isEndFound ? skip : await reader.count(first.condition)
  const rest = { ...second, skip: Math.max(0, skip - passed), take: take - rows.length }
  return [...rows, ...(await sortedRows(reader, rest))]
}

const inWindows = async (reader: SortedReader, part: ListPart, at: number): Promise<readonly Row[]> => {
  const most = mostKeys(reader.model.primaryKey)
  const rows: Row[] = []
  for (let from = 0; from < part.take; from += most) {
    const take = Math.min(most, part.take - from)
    const found = await inGroups(reader, { ...part, skip: part.skip + from, take }, at)
    if (found.length === 0) break
    rows.push(...found)
  }
  return rows
}

/**
 * Whatever the later sort keys are, records that are equal by the earlier ones are in the same places. So the earlier ones show
 * which records are equal, and then those are sorted by the later ones. The first and the last may have more equals than are read.
 *
 * @param at the place of the first sort key that Prisma does not have
 */
const inGroups = async (reader: SortedReader, part: ListPart, at: number): Promise<readonly Row[]> => {
  const { skip, take, condition } = part
  const { model } = reader
  const [earlier, later] = [part.order.slice(0, at), part.order.slice(at)]
  const groups = await groupsOf(reader, { ...part, order: earlier })
  const read = (which: Condition, from: number, most: number) =>
    sortedRows(reader, { ...part, condition: both(condition, which), order: later, skip: from, take: most })

  const whole = async (some: readonly (readonly Row[])[]): Promise<readonly Row[]> => {
    const keyed = some.flatMap((rows, group) => rows.map((row) => ({ key: keyOf(model, row), group })))
    const groupOf = new Map(keyed.map(({ key, group }) => [keyText(key), group]))
    const among = amongKeys(
      model.primaryKey,
      keyed.map(({ key }) => key),
    )
    const found = await read(among, 0, keyed.length)
    const sorted = Map.groupBy(found, (row) => groupOf.get(keyText(reader.keyIn(row))))
    return some.flatMap((_rows, group) => sorted.get(group) ?? [])
  }
  const cut = async (rows: readonly Row[], from: number): Promise<readonly Row[]> => {
    const found = await read(equalTo(model, earlier, rows[0]), Math.max(0, from), rows.length)
    // Prisma reads times with fewer digits than the database may store, so its value need not be equal.
    return found.length < rows.length ? whole([rows]) : found
  }

  const count = groups.reduce((sum, rows) => sum + rows.length, 0)
  const [head] = skip > 0 ? groups : []
  const inside = head === undefined ? groups : groups.slice(1)
  const tail = count === take ? inside.at(-1) : undefined
  const passed = head && (await reader.count(both(condition, before(model, earlier, head[0]))))
  return [
    ...(head ? await cut(head, skip - (passed ?? 0)) : []),
    ...(await whole(tail === undefined ? inside : inside.slice(0, -1))),
    ...(tail ? await cut(tail, 0) : []),
  ]
}

const keyOf = ({ primaryKey }: SortedReader['model'], row: Row): Key => keyValues(row, primaryKey)

/** The sort values of a record as conditions on others. */
const after = (model: SortedReader['model'], order: readonly Order[], row: Row = {}): Condition => ({
  op: 'or',
  conditions: rangesAfter(model, order, { values: keyValues(row, order.map(sortName)), ties: 0 }),
})

const before: typeof after = (model, order, row) =>
  after(
    model,
    order.map((key) => ({ ...key, direction: key.direction === 'asc' ? 'desc' : 'asc' })),
    row,
  )

const equalTo: typeof after = (model, order, row) => ({
  op: 'not',
  condition: { op: 'or', conditions: [before(model, order, row), after(model, order, row)] },
})

/** Larger conditions are more than databases like. */
const MOST_PAIRS = 100

/** The keys of the records, those together that are equal by the whole order. */
const groupsOf = async (reader: SortedReader, part: ListPart): Promise<readonly (readonly Row[])[]> => {
  const { model } = reader
  const { order } = part
  const rows = await reader.keysOf(part)
  const names = order.map(sortName)
  const textOf = (row: Row): string => keyText(keyValues(row, names))
  const pairs = rows.slice(1).flatMap((row, at) => {
    const last = rows[at] ?? row
    return textOf(row) === textOf(last) ? [] : [{ row, last }]
  })
  const starts = new Set(pairs.map(({ row }) => row))
  if (order.some(reader.isVague))
    for (let at = 0; at < pairs.length; at += MOST_PAIRS) {
      const batch = pairs.slice(at, at + MOST_PAIRS)
      const conditions = batch.map(({ row, last }) =>
        both(amongKeys(model.primaryKey, [keyOf(model, row)]), equalTo(model, order, last)),
      )
      const same = await reader.keysOf({
        ...{ ...part, condition: both(part.condition, { op: 'or', conditions }) },
        ...{ skip: 0, take: batch.length },
      })
      const keys = new Set(same.map((row) => keyText(keyOf(model, row))))
      for (const { row } of batch) if (keys.has(keyText(keyOf(model, row)))) starts.delete(row)
    }
  const groups: Row[][] = []
  for (const row of rows)
    if (groups.length === 0 || starts.has(row)) groups.push([row])
    else groups.at(-1)?.push(row)
  return groups
}
