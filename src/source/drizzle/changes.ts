import { isTable, sql, type Table } from 'drizzle-orm'
import type { Awaitable, RecordStore, Row } from '../source.ts'
import type { Acting } from './acting.ts'
import { guardedKeySql, guardShape, keyValues } from './clauses.ts'
import { assignedSql, insertedSql, insertWrites, updateWrites } from './writes.ts'

const changeOf = ({ table: { table } }: Acting): { readonly changes?: Table } =>
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
      build: (next) => sql`insert into ${table.table} ${insertedSql(writes, next)} returning ${columns}`,
    })
    return after(stored, (record) => record ?? notStored(table.model.name))
  }
}

const notStored = (name: string): never => {
  throw new Error(`The database took a new ${name} without storing it: a trigger may have left it out.`)
}

/** Changes a record, and reads it back in the same statement. */
export const updateIn = (acting: Acting, read: RecordStore['read']): RecordStore['update'] => {
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

const isEmpty = (row: Row): boolean => Object.values(row).every((value) => value === undefined)

/** Deletes a record. */
export const removeIn = (acting: Acting): RecordStore['remove'] => {
  const { table, statements } = acting
  const removed = statements({ fetch: 'all', read: (rows) => rows.length > 0, ...changeOf(acting) })
  return (key, guard) => {
    const values = keyValues(table, key)
    return removed({
      key: guardShape(table, guard, values),
      values,
      build: (next) => sql`delete from ${table.table}${guardedKeySql(table, guard, next)} returning 1`,
    }) as Awaitable<boolean>
  }
}
