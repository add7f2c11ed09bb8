import type { Condition } from '../../query/ast.ts'
import type { RecordStore, Row } from '../source.ts'
import { compileKey } from './condition.ts'
import type { Database, RawRow, StatementPurpose } from './database.ts'
import { asNothingWritten, isMariaDb } from './mysql-server.ts'
import { addValue, type Build, draftOf, type StatementDraft, type TableAccess } from './statement.ts'
import { Sql, sql } from './text.ts'
import {
  assignedSql,
  changesNothing,
  createIn,
  insertedColumns,
  insertedSql,
  notStored,
  type RecordChanges,
  takeIn,
  updatedColumns,
  type WrittenColumn,
} from './write.ts'

export const mysqlChanges = (access: TableAccess, read: RecordStore['read']): RecordChanges => ({
  create: mysqlCreateIn(access),
  update: mysqlUpdateIn(access, read),
  remove: removeIn(access),
  take: mysqlTakeIn(access),
})

export const mysqlCreateIn = (access: TableAccess): RecordStore['create'] => {
  const { database, table, writes } = access
  const run = writes({ fetch: 'outcome', read: outcome })
  const returning = createIn(access)
  const reread = rereadIn(access)
  return async (row) => {
    if (await isMariaDb(database)) return await returning(row)
    const draft = draftOf(table)
    const columns = insertedColumns(row, draft)
    const parts = writtenKey(draft, columns)
    const insert: Build = (slots) => sql`insert into ${table.own} ${insertedSql(columns, table, slots)}`
    const record = await atomically(database, async (inside) => {
      const stored = await run(draft, insert, inside)
      const known = inside.inTransaction ? parts : parts.map((part) => countedPart(part, stored?.counted))
      return await reread(known, inside)
    })
    return record ?? notStored()
  }
}

/** If other requests use the same connection, the last generated key may be theirs. */
const countedPart = (part: KeyPart, counted: unknown): KeyPart => {
  if (part !== 'counted') return part
  if (typeof counted === 'number' && !Number.isSafeInteger(counted))
    throw new Error('The driver does not return the key exactly. Set its option supportBigNumbers.')
  return { value: counted }
}

const mysqlUpdateIn = (access: TableAccess, read: RecordStore['read']): RecordStore['update'] => {
  const { database, table, writes } = access
  const run = writes({ fetch: 'outcome', read: outcome })
  const reread = rereadIn(access)
  const isHeld = heldIn(access, sql`1`, (rows) => rows.length > 0)
  return async (key, row, guard) => {
    if (changesNothing(row)) return await read(key, guard)
    const draft = draftOf(table)
    const columns = updatedColumns(row, draft)
    const parts = writtenKey(draft, columns, key)
    const where = compileKey(key, guard, draft)
    const change: Build = (slots) =>
      sql`update ${table.own} set ${assignedSql(columns, slots)} where ${where(slots)}`
    return await atomically(database, async (inside) => {
      // Some connections do not count a record that already has these values. Then it is locked and surely exists.
      if ((await run(draft, change, inside))?.changed === 0) {
        if ((await isHeld(key, guard, inside)) !== true) return undefined
        await run(draft, change, inside)
      }
      return await reread(parts, inside)
    })
  }
}

type ActOnKey<T> = (key: readonly unknown[], guard: Condition, inside?: Database) => Promise<T>

const removeIn = ({ table, writes }: TableAccess): ActOnKey<boolean> => {
  const run = writes({ fetch: 'outcome', read: outcome })
  return async (key, guard, inside) => {
    const draft = draftOf(table)
    const where = compileKey(key, guard, draft)
    const result = await run(draft, (slots) => sql`delete from ${table.own} where ${where(slots)}`, inside)
    return result !== undefined && result.changed > 0
  }
}

/** Deletes a record. Reads it first if the database does not return it. */
const mysqlTakeIn = (access: TableAccess): RecordStore['take'] => {
  const held = heldIn(access, access.columns, access.readFirst)
  const returning = takeIn(access)
  const remove = removeIn(access)
  return async (key, guard) => {
    if (await isMariaDb(access.database)) return await returning(key, guard)
    return await atomically(access.database, async (inside) => {
      const record = await held(key, guard, inside)
      return record !== undefined && (await remove(key, guard, inside)) ? record : undefined
    })
  }
}

/** Reads and locks a record until the transaction ends. */
const heldIn = <T>(
  { table, reads }: TableAccess,
  columns: Sql,
  read: StatementPurpose<T>['read'],
): ActOnKey<T | undefined> => {
  const run = reads({ fetch: 'all', read })
  return async (key, guard, inside) => {
    const draft = draftOf(table)
    const where = compileKey(key, guard, draft)
    const { locked } = table.dialect
    const select: Build = (slots) => sql`select ${columns} from ${table.own} where ${where(slots)}${locked}`
    return await run(draft, select, inside)
  }
}

/** Reads a record by the key that was just written, which may be stored differently, such as without a trailing space. */
const rereadIn = ({ table, columns, readFirst, reads }: TableAccess) => {
  const run = reads({ fetch: 'all', read: readFirst })
  return async (parts: readonly KeyPart[], inside: Database): Promise<Row | undefined> => {
    const draft = draftOf(table, parts.map((part) => (part === 'counted' ? 'c' : 'v')).join(''))
    const places = parts.map((part) => (part === 'counted' ? undefined : addValue(draft, part.value)))
    const select: Build = (slots) => {
      const equal = table.key.map(({ compared, comparedSlot }, place): Sql => {
        const at = places[place]
        return sql`${compared} = ${at === undefined ? sql`last_insert_id()` : comparedSlot(slots(at))}`
      })
      return sql`select ${columns} from ${table.own} where ${sql.join(equal, sql` and `)}`
    }
    return await run(draft, select, inside)
  }
}

/** A part of a key: its value for the driver, or the number that the database generated. */
export type KeyPart = { readonly value: unknown } | 'counted'

/** The key after a write. @param before the key of an existing record */
export const writtenKey = (
  { table: { key, model }, values }: StatementDraft,
  columns: readonly WrittenColumn[],
  before?: readonly unknown[],
): readonly KeyPart[] =>
  key.map((bound, place) => {
    const written = columns.find((column) => column.bound === bound)
    const value = typeof written?.given === 'number' ? values.at(written.given) : undefined
    if (value !== undefined && value !== null && !(value instanceof Sql)) return { value }
    if (written === undefined && before !== undefined) return { value: bound.encodeCompared(before[place]) }
    if (bound.column.autoIncrement === true && (written === undefined || value === null)) return 'counted'
    const { default: known } = bound.column
    if (known !== undefined && !(known instanceof Sql)) return { value: bound.encode(known.constant) }
    throw new Error(`The database generated the key of ${model.name} but did not return it.`)
  })

/** `counted`: the last generated key, as the driver returns it. */
export const outcome = ([row]: readonly RawRow[]): {
  readonly changed: number
  readonly counted: unknown
} => ({ changed: Number(row?.[0]), counted: row?.[1] })

/** Runs several statements in a transaction, so that a read after a write returns what was written. */
export const atomically = async <T>(
  database: Database,
  work: (inside: Database) => Promise<T>,
): Promise<T> => {
  if (database.inTransaction || !database.hasTransactions) return await work(database)
  let isCommitting = false
  try {
    return await database.transaction(async (inside) => {
      const result = await work(inside)
      isCommitting = true
      return result
    })
  } catch (error) {
    // Only a commit may take effect without a confirmation.
    throw isCommitting ? error : asNothingWritten(error)
  }
}
