import { isTable, type SQL, sql, type Table } from 'drizzle-orm'
import type { Condition } from '../../query/ast.ts'
import type { Awaitable, RecordStore, Row } from '../source.ts'
import type { Acting } from './acting.ts'
import { guardedKeySql, guardShape, keyValues } from './clauses.ts'
import type { ReadRows } from './database.ts'
import { assignedSql, insertedSql, insertWrites, updateWrites } from './writes.ts'

/** What drizzle's cache is told of a statement that changes the table. */
export const changeOf = ({ table: { table } }: Acting): { readonly changes?: Table } =>
  isTable(table) ? { changes: table } : {}

/** Stores a record, and reads it back in the same statement. */
export const createIn = (acting: Acting): RecordStore['create'] => {
  const { table, columns, readFirst, statements, after } = acting
  const created = statements({ fetch: 'all', read: readFirst, ...changeOf(acting) })
  return (row) => {
    const writes = insertWrites(table, row)
    const stored = created({
      key: writes.key,
      values: writes.values,
      build: (next) =>
        sql`insert into ${table.table} ${insertedSql(table, writes, next)} returning ${columns}`,
    })
    return after(stored, (record) => record ?? notStored(table.model.name))
  }
}

/** @throws always */
export const notStored = (name: string): never => {
  throw new Error(`The database took a new ${name} without storing it: a trigger may have left it out.`)
}

/** Changes a record, and reads it back in the same statement. */
const updateIn = (acting: Acting, read: RecordStore['read']): RecordStore['update'] => {
  const { table, columns, readFirst, statements } = acting
  const updated = statements({ fetch: 'all', read: readFirst, ...changeOf(acting) })
  return (key, row, guard) => {
    if (isEmpty(row)) return read(key, guard)
    const writes = updateWrites(table, row)
    const values = [...writes.values, ...keyValues(table, key)]
    return updated({
      key: `${writes.key} ${guardShape(table, guard, values)}`,
      values,
      build: (next) =>
        sql`update ${table.table} set ${assignedSql(writes, next)}${guardedKeySql(table, guard, next)} returning ${columns}`,
    })
  }
}

/** Nothing is named to be changed. */
export const isEmpty = (row: Row): boolean => Object.values(row).every((value) => value === undefined)

/** Deletes a record. */
const removeIn = (acting: Acting): RecordStore['remove'] =>
  deleteIn(acting, sql`1`, (rows) => rows.length > 0) as RecordStore['remove']

/** Deletes a record, and reads it in the same statement. */
export const takeIn = (acting: Acting): RecordStore['take'] =>
  deleteIn(acting, acting.columns, acting.readFirst)

/** Changes in databases that give back what they have changed. */
export const returningChanges = (
  acting: Acting,
  read: RecordStore['read'],
): Pick<RecordStore, 'create' | 'update' | 'remove' | 'take'> => ({
  create: createIn(acting),
  update: updateIn(acting, read),
  remove: removeIn(acting),
  take: takeIn(acting),
})

const deleteIn = <T>(
  acting: Acting,
  returned: SQL,
  read: ReadRows<T>,
): ((key: readonly unknown[], guard: Condition) => Awaitable<T | undefined>) => {
  const { table, statements } = acting
  const deleted = statements({ fetch: 'all', read, ...changeOf(acting) })
  return (key, guard) => {
    const values = keyValues(table, key)
    return deleted({
      key: guardShape(table, guard, values),
      values,
      build: (next) =>
        sql`delete from ${table.table}${guardedKeySql(table, guard, next)} returning ${returned}`,
    })
  }
}
