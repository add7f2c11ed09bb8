import { isConfusable } from '../../model/facts.ts'
import { onceFor, ownValue } from '../../model/objects.ts'
import { type Condition, everything, haveValues, type Order } from '../../query/ast.ts'
import { normalForm } from '../../query/normal-form.ts'
import { type Row, SourceError } from '../source.ts'
import type { Statements } from '../sql/orm-source.ts'
import { aggregateOf } from './aggregates.ts'
import { type Client, type Delegate, delegateOf, type Handle } from './client.ts'
import { isRelated, sortOf, type Translation, type Where, whereOf } from './conditions.ts'
import type { PrismaMapped } from './describe.ts'
import { isInvalid } from './errors.ts'

export interface Statement extends Translation {
  /** In a transaction, or in the one that is open. */
  inTransaction<T>(handle: Handle, work: (inside: Handle) => Promise<T>): Promise<T>
}

export const statementsOf = (by: Statement, handle: Handle, mapped: PrismaMapped): Statements => {
  const { provider } = by
  const { model } = mapped
  const delegate = delegateOf(handle.client, mapped)
  const isCounted = provider === 'mysql'
  // A transaction of SQLite locks the whole database.
  const isLocking = provider !== 'sqlite'
  // The collation of MySQL takes other strings as equal.
  const isVague = isCounted && model.primaryKey.some((name) => isConfusable(mapped.fieldOf(name).field))

  const { select: all, read: whole } = wholeOf(mapped)

  const where = (...conditions: readonly Condition[]): Where =>
    whereOf(by, mapped, normalForm({ op: 'and', conditions }))

  const isKey = (key: readonly unknown[]): Condition => haveValues(model.primaryKey, key)

  const readIn = async (
    from: Delegate,
    key: readonly unknown[],
    guard: Condition,
  ): Promise<Row | undefined> => {
    const row = await from.findFirst({ where: where(isKey(key), guard), select: all })
    return row === null || (isVague && !hasKey(mapped, row, key)) ? undefined : whole(row)
  }

  const lock = (client: Client, key: readonly unknown[]) => {
    const { sql, values } = lockOf(mapped, key, provider === 'mysql')
    return client.$queryRawUnsafe(sql, ...values)
  }

  const lockedRead = async (key: readonly unknown[], guard: Condition) => {
    if (isLocking) await lock(handle.client, key)
    return readIn(delegate, key, guard)
  }

  const writing = async <T>(values: Row, isNew: boolean, act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      const fields = isInvalid(error) ? lackingIn(mapped, values, isNew) : []
      throw fields.length === 0 ? error : new SourceError('not-null', { fields, cause: error })
    }
  }

  const update = async (key: readonly unknown[], values: Row, guard: Condition) => {
    const data = writtenOf(mapped, values)
    if (Object.keys(data).length === 0) return readIn(delegate, key, guard)
    if (!isCounted) {
      const args = { where: where(isKey(key), guard), data, select: all }
      const [row] = await writing(values, false, () => delegate.updateManyAndReturn(args))
      return row && whole(row)
    }
    return by.inTransaction(handle, async ({ client }) => {
      const inside = delegateOf(client, mapped)
      const own = await guarded(client, key, guard)
      if (own === undefined) return undefined
      // On MySQL, `update` returns a record that did not meet the guard as if it were changed.
      const { count } = await writing(values, false, () => inside.updateMany({ where: own, data }))
      const after = model.primaryKey.map((name, at) => ownValue(values, name) ?? key[at])
      return count === 0 ? undefined : readIn(inside, after, everything)
    })
  }

  /**
   * The condition of a counted write. `undefined`: no record meets it. MariaDB does not write a table through relations that lead
   * back to it, so the record is locked and read before. So it is to compare a key of text.
   */
  const guarded = async (
    client: Client,
    key: readonly unknown[],
    guard: Condition,
  ): Promise<Where | undefined> => {
    if (!isVague && !isRelated(guard)) return where(isKey(key), guard)
    await lock(client, key)
    const found = await delegateOf(client, mapped).findFirst({
      where: where(isKey(key), guard),
      select: select(model.primaryKey),
    })
    return found !== null && hasKey(mapped, found, key) ? where(isKey(key)) : undefined
  }

  const take = (key: readonly unknown[], guard: Condition) =>
    by.inTransaction(handle, async ({ client }) => {
      if (isLocking) await lock(client, key)
      const inside = delegateOf(client, mapped)
      const row = await readIn(inside, key, guard)
      if (row === undefined) return undefined
      // MariaDB does not write a table through relations that lead back to it.
      const { count } = await inside.deleteMany({
        where: isCounted ? where(isKey(key)) : where(isKey(key), guard),
      })
      return count === 0 ? undefined : row
    })

  const remove = async (key: readonly unknown[], guard: Condition) => {
    if (!isCounted || (!isVague && !isRelated(guard)))
      return (await delegate.deleteMany({ where: where(isKey(key), guard) })).count > 0
    return by.inTransaction(handle, async ({ client }) => {
      const own = await guarded(client, key, guard)
      if (own === undefined) return false
      return (await delegateOf(client, mapped).deleteMany({ where: own })).count > 0
    })
  }

  return {
    list: async (selection, guard) => {
      const { order, limit, offset, fields } = selection
      if (limit === 0) return []
      const shape = fields === undefined ? wholeOf(mapped) : shapeOf(mapped, fields)
      const rows = await delegate.findMany({
        ...{ where: where(selection.filter, guard), orderBy: orderOf(mapped, order) },
        ...(offset > 0 && { skip: offset }),
        ...{ take: limit, select: shape.select },
      })
      return rows.map(shape.read)
    },
    count: (filter, guard, atMost) =>
      atMost === 0
        ? Promise.resolve(0)
        : delegate.count({ where: where(filter, guard), ...(atMost !== undefined && { take: atMost }) }),
    read: (key, guard, mode) => (mode === undefined ? readIn(delegate, key, guard) : lockedRead(key, guard)),
    create: (values) => {
      const data = writtenOf(mapped, values)
      return writing(values, true, async () => whole(await delegate.create({ data, select: all })))
    },
    update,
    remove,
    take,
    aggregate: aggregateOf(by, delegate, mapped),
  }
}

const select = (names: readonly string[]): Readonly<Record<string, true>> =>
  Object.fromEntries(names.map((name) => [name, true]))

/** Whether a record, as Prisma returns it, has this key, byte for byte if it is text. */
const hasKey = ({ model, fieldOf }: PrismaMapped, row: Row, key: readonly unknown[]): boolean =>
  model.primaryKey.every((name, at) => {
    const { field, write } = fieldOf(name)
    return !isConfusable(field) || ownValue(row, name) === write(key[at])
  })

type Reader = (row: Row) => Row

/** Reads records with these fields. Made once for a statement: lists have many records. */
const readerOf = (mapped: PrismaMapped, names: readonly string[]): Reader => {
  const converted = names.flatMap((name) => {
    const { isAsIs, read } = mapped.fieldOf(name)
    return isAsIs ? [] : [[name, read] as const]
  })
  if (converted.length === 0) return (row) => row
  return (row) => {
    const record = { ...row }
    for (const [name, read] of converted) {
      const value = read(ownValue(row, name))
      if (value === undefined) throw unrepresentable(mapped, row, name)
      Reflect.set(record, name, value)
    }
    return record
  }
}

/** How statements select and read records. */
interface Shape {
  readonly select: Readonly<Record<string, true>>
  readonly read: Reader
}

/** Of these fields, in the order of the model. */
const shapeOf = (mapped: PrismaMapped, fields: readonly string[]): Shape => {
  for (const name of fields) mapped.fieldOf(name)
  const names = mapped.model.fields.map(({ name }) => name).filter((name) => fields.includes(name))
  return { select: select(names), read: readerOf(mapped, names) }
}

const wholeOf = onceFor((mapped: PrismaMapped) =>
  shapeOf(
    mapped,
    mapped.model.fields.map(({ name }) => name),
  ),
)

const unrepresentable = ({ model }: PrismaMapped, row: Row, name: string): SourceError => {
  const key = model.primaryKey.map((field) => String(ownValue(row, field))).join(', ')
  return new SourceError('unrepresentable', {
    fields: [name],
    cause: new Error(`The stored value of ${name} in ${model.name} ${key} has no exact form.`),
  })
}

const orderOf = (mapped: PrismaMapped, order: readonly Order[]) =>
  order.map(({ field: name, direction }) => ({ [name]: sortOf(mapped, name, direction) }))

const writtenOf = (mapped: PrismaMapped, values: Row): Record<string, unknown> => {
  const data: [string, unknown][] = []
  for (const [name, value] of Object.entries(values)) {
    const { field, write } = mapped.fieldOf(name)
    if (value === undefined || field.generated) continue
    data.push([name, write(value)])
  }
  return Object.fromEntries(data)
}

/** Fields that need a value and got none. */
const lackingIn = ({ model }: PrismaMapped, values: Row, isNew: boolean): readonly string[] =>
  model.fields
    .filter(({ name, nullable, hasDefault }) => {
      const value = ownValue(values, name)
      return !nullable && (value === null || (isNew && value === undefined && !hasDefault))
    })
    .map(({ name }) => name)

/** Locks a record. Prisma has no statement for it. */
const lockOf = (
  { model, columns, table, schema, fieldOf }: PrismaMapped,
  key: readonly unknown[],
  isMysql: boolean,
): { readonly sql: string; readonly values: readonly unknown[] } => {
  const quote = isMysql ? '`' : '"'
  const quoted = (name: string): string => `${quote}${name.replaceAll(quote, quote + quote)}${quote}`
  const place = [schema, table]
    .filter((name) => name !== undefined)
    .map(quoted)
    .join('.')
  const conditions = model.primaryKey.map((name, at) => {
    const parameter = isMysql ? '?' : castTo(fieldOf(name).field.kind, at)
    return `${quoted(ownValue(columns, name) ?? name)} = ${parameter}`
  })
  const values = key.map((value, at) => fieldOf(model.primaryKey[at] ?? '').stored(value))
  return { sql: `select 1 from ${place} where ${conditions.join(' and ')} for update`, values }
}

/** Prisma sends a UUID as text. */
const castTo = (kind: string, at: number): string => (kind === 'uuid' ? `$${at + 1}::uuid` : `$${at + 1}`)
