import { isConfusable } from '../../model/kinds/index.ts'
import type { Field } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { type Condition, everything, hasRelation, haveValues } from '../../query/ast.ts'
import type { Key } from '../record-keys.ts'
import { type Awaitable, type RecordStore, type Row, SourceError } from '../source.ts'
import { inBatches } from '../sql/many.ts'
import { keyAfter } from '../sql/tables.ts'
import { aggregateOf } from './aggregates.ts'
import { delegateOf, type PrismaHandle } from './client.ts'
import { type PrismaTranslation, whereOf } from './conditions.ts'
import { isCounted, type PrismaMapped } from './describe.ts'
import { isInvalid } from './errors.ts'
import { givenKey, insertedByKeys } from './inserted-keys.ts'
import { listReads, wholeOf } from './reads.ts'
import type { OpenTransaction } from './transactions.ts'

/** How statements are made, and how transactions begin. */
export interface StatementSetup extends PrismaTranslation {
  readonly transaction: OpenTransaction
  readonly quoted: (name: string) => string
}

type Own = RecordStore & Required<Pick<RecordStore, 'createMany'>>

export const statementsOf = (place: StatementSetup, handle: PrismaHandle, mapped: PrismaMapped): Own => {
  const { model, fieldOf } = mapped
  const delegate = delegateOf(handle.client, mapped)
  const reads = listReads(place, delegate, mapped)
  const { select, read } = wholeOf(mapped)
  const isMysql = place.family === 'mysql'
  /** The places in the key of text, for which the collation of MySQL takes other strings. */
  const vague = [...model.primaryKey.keys()].filter(
    (at) => isMysql && isConfusable(fieldOf(model.primaryKey[at] ?? '').field),
  )

  const whereKey = (key: Key, guard: Condition) =>
    whereOf(place, mapped, haveValues(model.primaryKey, key), guard)

  const inTransaction = <T>(act: (inside: Own) => Awaitable<T>): Promise<T> =>
    place.transaction(async (inside) => act(statementsOf(place, inside, mapped)))

  const readOne = async (key: Key, guard: Condition): Promise<Row | undefined> => {
    const row = await delegate.findFirst({ where: whereKey(key, guard), select })
    const isOther = row && vague.some((at) => ownValue(row, model.primaryKey[at] ?? '') !== key[at])
    return row === null || isOther ? undefined : read(row)
  }

  // A transaction of SQLite locks the whole database.
  const readLocked = async (key: Key, guard: Condition): Promise<Row | undefined> => {
    if (place.family !== 'sqlite') await lock(place, handle, mapped, key)
    return readOne(key, guard)
  }

  /** Whether a write can compare the key, and have the guard: MariaDB does not write a table through relations that lead back to it. */
  const isOneStep = (guard: Condition): boolean => !isMysql || (vague.length === 0 && !hasRelation(guard))

  const update = async (key: Key, values: Row, guard: Condition): Promise<Row | undefined> => {
    const data = writtenOf(mapped, values)
    if (Object.keys(data).length === 0) return readOne(key, guard)
    if (!isMysql) {
      const args = { where: whereKey(key, guard), data, select }
      const [row] = await refusing(mapped, [values], false, () => delegate.updateManyAndReturn(args))
      return row && read(row)
    }
    if (!handle.isTransaction) return inTransaction((inside) => inside.update(key, values, guard))
    // On MySQL, `update` returns a record that did not meet the guard as if it were changed.
    const isOne = isOneStep(guard)
    if (!isOne && (await readLocked(key, guard)) === undefined) return undefined
    const where = whereKey(key, isOne ? guard : everything)
    const { count } = await refusing(mapped, [values], false, () => delegate.updateMany({ where, data }))
    return count === 0 ? undefined : readOne(keyAfter(model, key, values), everything)
  }

  const take = async (key: Key, guard: Condition): Promise<Row | undefined> => {
    if (!handle.isTransaction) return inTransaction((inside) => inside.take(key, guard))
    const row = await readLocked(key, guard)
    if (row === undefined) return undefined
    const { count } = await delegate.deleteMany({ where: whereKey(key, isMysql ? everything : guard) })
    return count === 0 ? undefined : row
  }

  const create = (values: Row): Promise<Row> => {
    const data = writtenOf(mapped, values)
    return refusing(mapped, [values], true, async () => read(await delegate.create({ data, select })))
  }

  const storeBatch = async (rows: readonly Row[]): Promise<readonly Row[]> => {
    const data = rows.map((values) => writtenOf(mapped, values))
    if (!isMysql) return (await delegate.createManyAndReturn({ data, select })).map(read)
    const [counter = ''] = model.primaryKey
    const keyed = rows.map((row) => ({ row, key: givenKey(model, row) }))
    return insertedByKeys(keyed, {
      ...{ model, isCounted: isCounted(mapped, counter) },
      insert: () => delegate.createMany({ data }),
      select: (sql) => handle.client.$queryRawUnsafe(sql),
      inForm: (number) => (fieldOf(counter).field.form === 'bigint' ? BigInt(number) : Number(number)),
      statements: { create, list: reads.list, read: readOne },
    })
  }

  /** The fields of a record that Prisma or the database may fill in. */
  const filledIn = (values: Row): string =>
    model.fields
      .filter(({ hasDefault, default: constant }) => hasDefault && constant === undefined)
      .filter(({ name }) => ownValue(values, name) === undefined)
      .map(({ name }) => name)
      .join()

  /**
   * PostgreSQL and SQLite return new records in the order of their values. Prisma stores those that differ in what the database
   * fills in by statements of their own, in another order.
   */
  const createMany = (all: readonly Row[]): Promise<readonly Row[]> =>
    isMysql && !handle.isTransaction
      ? inTransaction((inside) => inside.createMany(all))
      : refusing(mapped, all, true, () =>
          inBatches(all, model.fields.length, storeBatch, (one, other) => filledIn(one) === filledIn(other)),
        )

  return {
    ...reads,
    read: (key, guard, mode) => (mode === undefined ? readOne(key, guard) : readLocked(key, guard)),
    ...{ create, createMany, update, take },
    remove: async (key, guard) =>
      isOneStep(guard)
        ? (await delegate.deleteMany({ where: whereKey(key, guard) })).count > 0
        : (await take(key, guard)) !== undefined,
    aggregate: aggregateOf(place, delegate, mapped),
  }
}

const writtenOf = ({ fieldOf }: PrismaMapped, values: Row): Row => {
  const data: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    const { write, fits } = fieldOf(name)
    if (fits?.(value) === false) throw new SourceError('value', { fields: [name] })
    data[name] = write(value)
  }
  return data
}

/** Prisma refuses records that lack a value before it sends them. */
const refusing = async <T>(
  { model }: PrismaMapped,
  records: readonly Row[],
  isNew: boolean,
  act: () => Promise<T>,
): Promise<T> => {
  try {
    return await act()
  } catch (error) {
    const isLacking = ({ name, nullable, hasDefault }: Field): boolean => {
      const mayBeAbsent = !isNew || hasDefault
      const values = records.map((record) => ownValue(record, name))
      return !nullable && values.some((value) => value === null || (value === undefined && !mayBeAbsent))
    }
    const fields = isInvalid(error) ? model.fields.filter(isLacking).map(({ name }) => name) : []
    throw fields.length === 0 ? error : new SourceError('not-null', { fields, cause: error })
  }
}

/** Locks a record. Prisma has no statement for it. */
const lock = async (
  { family, quoted }: StatementSetup,
  { client }: PrismaHandle,
  { model, columns, table, fieldOf }: PrismaMapped,
  key: Key,
): Promise<void> => {
  const conditions = model.primaryKey.map((name, at) => {
    // Prisma sends a UUID as text.
    const cast = fieldOf(name).field.kind === 'uuid' ? '::uuid' : ''
    return `${quoted(ownValue(columns, name) ?? name)} = ${family === 'mysql' ? '?' : `$${at + 1}${cast}`}`
  })
  const values = model.primaryKey.map((name, at) => fieldOf(name).stored(key[at]))
  await client.$queryRawUnsafe(
    `select 1 from ${table} where ${conditions.join(' and ')} for update`,
    ...values,
  )
}
