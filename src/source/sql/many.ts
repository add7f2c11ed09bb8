import type { Model } from '../../model/model.ts'
import { everything } from '../../query/ast.ts'
import { amongKeys, type Key, keyText, keyValues } from '../record-keys.ts'
import { type Awaitable, type RecordStore, type Row, SourceError } from '../source.ts'

/** The smallest limit of the supported databases is 32,766 values in one statement. */
const MOST_VALUES = 30_000

/** So that the statement that reads them again has a short condition. */
const MOST_RECORDS = 500

/**
 * Records in their order, in groups that one statement each can store.
 *
 * @param width the number of columns
 * @param isAlike whether a record can be in the same statement as the first one of a group
 * @param most the most records in a group. @default as many as there is room for
 */
export const groupsOf = <New>(
  records: readonly New[],
  width: number,
  isAlike: (first: New, other: New) => boolean,
  most: number = Number.POSITIVE_INFINITY,
): readonly (readonly New[])[] => {
  const room = Math.min(most, Math.floor(MOST_VALUES / Math.max(1, width)))
  const batches: New[][] = []
  for (const record of records) {
    const last = batches.at(-1)
    const [first] = last ?? []
    if (last === undefined || first === undefined || last.length >= room || !isAlike(first, record))
      batches.push([record])
    else last.push(record)
  }
  return batches
}

/** Stores the records of each group in one statement, and returns them in their order. */
export const inBatches = async <New>(
  records: readonly New[],
  width: number,
  store: (batch: readonly New[]) => Promise<readonly Row[]>,
  isAlike: (first: New, other: New) => boolean = () => true,
): Promise<readonly Row[]> => {
  const stored: Row[] = []
  for (const batch of groupsOf(records, width, isAlike, MOST_RECORDS)) {
    const rows = await store(batch)
    if (rows.length !== batch.length) throw new SourceError('ignored')
    stored.push(...rows)
  }
  return stored
}

/** The records with these keys, in their order. */
export const readInOrder = async (
  { primaryKey, name }: Model,
  keys: readonly Key[],
  { list, read }: Pick<RecordStore, 'list' | 'read'>,
): Promise<readonly Row[]> => {
  const filter = amongKeys(primaryKey, keys)
  const found = await list({ filter, order: [], limit: keys.length, offset: 0 }, everything)
  const byKey = new Map(found.map((row) => [keyText(keyValues(row, primaryKey)), row]))
  const rows: Row[] = []
  for (const key of keys) {
    // The database may store a key in another form, or not list the record.
    const row = byKey.get(keyText(key)) ?? (await read(key, everything))
    if (row === undefined) throw new Error(`${name}: the database stored another primary key.`)
    rows.push(row)
  }
  return rows
}

/** A write of at most one record as one of several. */
export const asMany =
  <Where>(write: (where: Where) => Awaitable<Row | undefined>) =>
  async (where: Where): Promise<readonly Row[]> => {
    const row = await write(where)
    return row === undefined ? [] : [row]
  }
