import { is, SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { Condition } from '../../../query/ast.ts'
import { type RecordStore, type Row, SourceError } from '../../source.ts'
import { refusalOfState } from '../../sql/errors.ts'
import type { BoundField, BoundTable } from '../bound-table.ts'
import {
  assignedSql,
  changeOf,
  changesNothing,
  createIn,
  insertedSql,
  insertWrites,
  notStored,
  takeIn,
  updateWrites,
  type Writes,
} from '../changes.ts'
import { guardedKeySql, guardShape, keyValues, type NextSlot } from '../conditions.ts'
import type { Database, RawRow } from '../database.ts'
import { dialectOf } from '../dialects.ts'
import type { Acting } from '../statements.ts'
import { countsUp, flavourOf } from './server.ts'

/** Changes on MySQL, which gives nothing back, and MariaDB, which gives back what it inserts and deletes. */
export const mysqlChanges = (
  database: Database,
  acting: Acting,
  read: RecordStore['read'],
): Pick<RecordStore, 'create' | 'update' | 'remove' | 'take'> => {
  const remove = mysqlRemoveIn(acting)
  return {
    create: mysqlCreateIn(database, acting),
    update: mysqlUpdateIn(database, acting, read),
    remove: (key, guard) => remove(key, guard),
    take: mysqlTakeIn(database, acting),
  }
}

/** Stores a record, and reads it back behind it where the database does not give it. */
const mysqlCreateIn = (database: Database, acting: Acting): RecordStore['create'] => {
  const { table, statements } = acting
  const inserted = statements({ fetch: 'outcome', read: outcome, ...changeOf(acting) })
  const reread = rereadIn(acting)
  const returning = createIn(acting)

  /** Where others use the same connection, the last number may be theirs by the time it is asked for. */
  const fixed = (part: KeyPart, counted: unknown, inside: Database): KeyPart => {
    if (part !== 'counted' || inside.inTransaction) return part
    if (typeof counted === 'number' && !Number.isSafeInteger(counted))
      throw new Error('The driver does not say the key exactly: set its supportBigNumbers.')
    return { value: counted }
  }

  return async (row) => {
    if ((await flavourOf(database)) === 'mariadb') return await returning(row)
    const writes = insertWrites(table, row)
    const parts = writtenKey(table, writes)
    const record = await atomically(database, async (inside) => {
      const stored = await inserted(
        {
          key: writes.key,
          values: writes.values,
          build: (next) => sql`insert into ${table.table} ${insertedSql(table, writes, next)}`,
        },
        inside,
      )
      return await reread(
        parts.map((part) => fixed(part, stored?.counted, inside)),
        inside,
      )
    })
    return record ?? notStored(table.model.name)
  }
}

/** Whether there is a record, which nobody else changes then. */
const heldIn = ({ table, statements }: Acting) => {
  const held = statements({ fetch: 'all', read: (rows) => rows.length > 0 })
  return (key: readonly unknown[], guard: Condition, inside: Database) => {
    const values = keyValues(table, key)
    const build = (next: NextSlot): SQL =>
      sql`select 1 from ${table.table}${guardedKeySql(table, guard, next)}${table.dialect.locked}`
    return held({ key: guardShape(table, guard, values), values, build }, inside)
  }
}

/** Changes a record, and reads it back behind it. */
const mysqlUpdateIn = (
  database: Database,
  acting: Acting,
  read: RecordStore['read'],
): RecordStore['update'] => {
  const { table, statements } = acting
  const updated = statements({ fetch: 'outcome', read: outcome, ...changeOf(acting) })
  const [reread, held] = [rereadIn(acting), heldIn(acting)]
  return async (key, row, guard) => {
    if (changesNothing(row)) return await read(key, guard)
    const writes = updateWrites(table, row)
    const values = [...writes.values, ...keyValues(table, key)]
    const shape = `${writes.key} ${guardShape(table, guard, values)}`
    const build = (next: NextSlot): SQL =>
      sql`update ${table.table} set ${assignedSql(writes, next)}${guardedKeySql(table, guard, next)}`
    const parts = writtenKey(table, writes, key)
    return await atomically(database, async (inside) => {
      const change = () => updated({ key: shape, values, build }, inside)
      // No record is changed by what it has already, as some connections count: then it is held, and changed for sure.
      if ((await change())?.changed === 0) {
        if ((await held(key, guard, inside)) !== true) return undefined
        await change()
      }
      return await reread(parts, inside)
    })
  }
}

type Remove = (key: readonly unknown[], guard: Condition, inside?: Database) => Promise<boolean>

/** Deletes a record. */
const mysqlRemoveIn = (acting: Acting): Remove => {
  const { table, statements } = acting
  const removed = statements({ fetch: 'outcome', read: outcome, ...changeOf(acting) })
  return async (key, guard, inside) => {
    const values = keyValues(table, key)
    const build = (next: NextSlot): SQL => sql`delete from ${table.table}${guardedKeySql(table, guard, next)}`
    const result = await removed({ key: guardShape(table, guard, values), values, build }, inside)
    return result !== undefined && result.changed > 0
  }
}

/** Deletes a record, and reads it before where the database does not give it. */
const mysqlTakeIn = (database: Database, acting: Acting): RecordStore['take'] => {
  const { table, columns, readFirst, statements } = acting
  const found = statements({ fetch: 'all', read: readFirst })
  const [returning, remove] = [takeIn(acting), mysqlRemoveIn(acting)]
  return async (key, guard) => {
    if ((await flavourOf(database)) === 'mariadb') return await returning(key, guard)
    const values = keyValues(table, key)
    const build = (next: NextSlot): SQL =>
      sql`select ${columns} from ${table.table}${guardedKeySql(table, guard, next)}${table.dialect.locked}`
    return await atomically(database, async (inside) => {
      const record = await found({ key: guardShape(table, guard, values), values, build }, inside)
      return record !== undefined && (await remove(key, guard, inside)) ? record : undefined
    })
  }
}

type Reread = (parts: readonly KeyPart[], inside: Database) => Promise<Row | undefined>

/** Reads a record back by the key that was just written, which may be stored in another form: a space less at its end. */
const rereadIn = ({ table, columns, readFirst, statements }: Acting): Reread => {
  const reread = statements({ fetch: 'all', read: readFirst })
  return (parts, inside) => {
    const values = parts.flatMap((part) => (part === 'counted' ? [] : [part.value]))
    const equal = (next: NextSlot): SQL[] =>
      table.key.map(({ compared, comparedSlot }, place): SQL => {
        const value: SQLChunk = parts[place] === 'counted' ? sql`last_insert_id()` : comparedSlot(next())
        return sql`${compared} = ${value}`
      })
    const found = reread(
      {
        key: parts.map((part) => (part === 'counted' ? 'c' : 'v')).join(''),
        values,
        build: (next) =>
          sql`select ${columns} from ${table.table} where ${sql.join(equal(next), sql` and `)}`,
      },
      inside,
    )
    return Promise.resolve(found)
  }
}

/** A part of a key: its value as the driver takes it, or the number that the database has counted up to. */
type KeyPart = { readonly value: unknown } | 'counted'

/** What was written to the columns of the key. @param before the key of a record that was there already */
const writtenKey = (
  { key, model }: BoundTable,
  { columns, values }: Writes,
  before?: readonly unknown[],
): readonly KeyPart[] => {
  const given = new Map<BoundField, unknown>()
  for (const { bound, expression } of columns)
    if (expression === undefined) given.set(bound, values[given.size])
  return key.map((bound, place) => {
    const value = given.get(bound)
    if (value !== undefined && value !== null && !is(value, SQL)) return { value }
    const isWritten = columns.some((written) => written.bound === bound)
    if (!isWritten && before !== undefined) return { value: bound.encodeCompared(before[place]) }
    if (countsUp(bound.column) && (!isWritten || value === null)) return 'counted'
    const { default: constant } = bound.column
    if (constant !== undefined && !is(constant, SQL)) return { value: bound.encode(constant) }
    throw new Error(`The database made the key of ${model.name} and does not say what it is.`)
  })
}

/** What a write without rows says. */
interface Outcome {
  readonly changed: number
  /** What the last key was counted up to, as the driver has it. */
  readonly counted: unknown
}

/** Reads it of the row that stands for it. */
const outcome = ([row]: readonly RawRow[]): Outcome => ({
  changed: Number(row?.[0]),
  counted: row?.[1],
})

/** Several statements as one: what is read behind a write is what was written. */
const atomically = async <T>(database: Database, work: (inside: Database) => Promise<T>): Promise<T> => {
  if (database.inTransaction || !database.hasTransactions) return await work(database)
  let isThrough = false
  try {
    return await database.transaction(async (inside) => {
      const result = await work(inside)
      isThrough = true
      return result
    })
  } catch (error) {
    // Only a commit can be done without a word of it.
    const state = isThrough ? undefined : refusalOfState(error, dialectOf(database).readError)
    throw state?.kind === 'lost' ? new SourceError('unavailable', { cause: state.cause }) : error
  }
}
