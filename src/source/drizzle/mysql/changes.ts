import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { Condition } from '../../../query/ast.ts'
import type { RecordStore, Row } from '../../source.ts'
import { SourceError } from '../../source-error.ts'
import type { Acting } from '../acting.ts'
import { changeOf, createIn, isEmpty, notStored, takeIn } from '../changes.ts'
import { guardedKeySql, guardShape, keyValues } from '../clauses.ts'
import type { Database, RawRow } from '../database.ts'
import { dialectOf } from '../dialects.ts'
import { refusalOfState } from '../errors.ts'
import type { NextSlot } from '../where.ts'
import { assignedSql, insertedSql, insertWrites, updateWrites } from '../writes.ts'
import { flavourOf } from './flavour.ts'
import { type KeyPart, writtenKey } from './inserted-key.ts'

/** What a statement without rows says: how many records it changed, and what the last key was counted up to. */
const outcome = ([row]: readonly RawRow[]) => ({ changed: Number(row?.[0]), counted: row?.[1] })

/** Several statements as one: what is read behind a write is what was written. */
const asOne = async <T>(database: Database, work: (inside: Database) => Promise<T>): Promise<T> => {
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

/** Reads a record back by the key that was just written, which may be stored in another form: a space less at its end. */
const rereadIn = ({ table, columns, readFirst, statements }: Acting) => {
  const reread = statements({ fetch: 'all', read: readFirst })
  return (parts: readonly KeyPart[], inside: Database): Promise<Row | undefined> => {
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
    const record = await asOne(database, async (inside) => {
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

const mysqlUpdateIn = (
  database: Database,
  acting: Acting,
  read: RecordStore['read'],
): RecordStore['update'] => {
  const { table, statements } = acting
  const updated = statements({ fetch: 'outcome', read: outcome, ...changeOf(acting) })
  const [reread, held] = [rereadIn(acting), heldIn(acting)]
  return async (key, row, guard) => {
    if (isEmpty(row)) return await read(key, guard)
    const writes = updateWrites(table, row)
    const values = [...writes.values, ...keyValues(table, key)]
    const shape = `${writes.key} ${guardShape(table, guard, values)}`
    const build = (next: NextSlot): SQL =>
      sql`update ${table.table} set ${assignedSql(writes, next)}${guardedKeySql(table, guard, next)}`
    const parts = writtenKey(table, writes, key)
    return await asOne(database, async (inside) => {
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

const mysqlRemoveIn = (acting: Acting) => {
  const { table, statements } = acting
  const removed = statements({ fetch: 'outcome', read: outcome, ...changeOf(acting) })
  return async (key: readonly unknown[], guard: Condition, inside?: Database): Promise<boolean> => {
    const values = keyValues(table, key)
    const build = (next: NextSlot): SQL => sql`delete from ${table.table}${guardedKeySql(table, guard, next)}`
    const result = await removed({ key: guardShape(table, guard, values), values, build }, inside)
    return result !== undefined && result.changed > 0
  }
}

const mysqlTakeIn = (database: Database, acting: Acting): RecordStore['take'] => {
  const { table, columns, readFirst, statements } = acting
  const found = statements({ fetch: 'all', read: readFirst })
  const [returning, remove] = [takeIn(acting), mysqlRemoveIn(acting)]
  return async (key, guard) => {
    if ((await flavourOf(database)) === 'mariadb') return await returning(key, guard)
    const values = keyValues(table, key)
    const build = (next: NextSlot): SQL =>
      sql`select ${columns} from ${table.table}${guardedKeySql(table, guard, next)}${table.dialect.locked}`
    return await asOne(database, async (inside) => {
      const record = await found({ key: guardShape(table, guard, values), values, build }, inside)
      return record !== undefined && (await remove(key, guard, inside)) ? record : undefined
    })
  }
}

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
