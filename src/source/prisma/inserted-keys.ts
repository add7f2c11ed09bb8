import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { DEFAULT, type RecordStore, type Row } from '../source.ts'
import { readInOrder } from '../sql/many.ts'

/** A record whose key is known, or counted by the database. */
interface Keyed {
  readonly row: Row
  /** `undefined`: a part that only the database knows. */
  readonly key: readonly unknown[]
}

/** The key that a record is stored with, as far as it is known. */
export const givenKey = ({ primaryKey }: Model, row: Row): Keyed['key'] =>
  primaryKey.map((name) => {
    const value = ownValue(row, name)
    return value === null || value === DEFAULT ? undefined : value
  })

/** How Prisma inserts into a table of MySQL. */
interface Inserting {
  readonly model: Model
  /** Whether the database counts up a key of one column. */
  readonly isCounted: boolean
  insert(): Promise<unknown>
  /** Runs a select on the connection of the insert. */
  select(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** A counted number in the form of the key. */
  inForm(number: string): unknown
  readonly statements: Pick<RecordStore, 'create' | 'list' | 'read'>
}

/**
 * MySQL does not return what it inserts. The keys are those that were sent, or consecutive numbers: the database reserves them
 * together for an insert whose number of records is known. Other records are inserted one by one.
 */
export const insertedByKeys = async (
  records: readonly Keyed[],
  { model, isCounted, insert, select, inForm, statements }: Inserting,
): Promise<readonly Row[]> => {
  const isKnown = records.every(({ key }) => !key.includes(undefined))
  const areCounted =
    isCounted && model.primaryKey.length === 1 && records.every(({ key: [part] }) => part === undefined)
  if (!isKnown && !areCounted) {
    const stored: Row[] = []
    for (const { row } of records) stored.push(await statements.create(row))
    return stored
  }
  await insert()
  if (isKnown)
    return readInOrder(
      model,
      records.map(({ key }) => key),
      statements,
    )
  const [counted] = await select(
    'select cast(last_insert_id() as char) as first, @@session.auto_increment_increment as step',
  )
  const [first, step] = [BigInt(String(counted?.['first'])), BigInt(String(counted?.['step']))]
  const keys = records.map((_, at) => [inForm(String(first + BigInt(at) * step))])
  return readInOrder(model, keys, statements)
}
