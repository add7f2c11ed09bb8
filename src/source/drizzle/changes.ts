import { isTable, type SQL, type SQLChunk, sql, type Table } from 'drizzle-orm'
import { ownValue } from '../../model/objects.ts'
import type { Condition } from '../../query/ast.ts'
import { type Awaitable, DEFAULT, type RecordStore, type Row } from '../source.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import { guardedKeySql, guardShape, keyValues, type NextSlot } from './conditions.ts'
import type { ReadRows } from './database.ts'
import type { Acting } from './statements.ts'

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
    if (changesNothing(row)) return read(key, guard)
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
export const changesNothing = (row: Row): boolean => Object.values(row).every((value) => value === undefined)

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

/** The columns that a statement writes. */
export interface Writes {
  /** Which columns, and which of them their default: the structure without the values. */
  readonly key: string
  /** As the driver takes them, one for each column that has no `expression`. */
  readonly values: unknown[]
  readonly columns: readonly WrittenColumn[]
}

interface WrittenColumn {
  readonly bound: BoundField
  /** What follows from the column alone: its default in SQL. */
  readonly expression: SQL | undefined
}

/** What a column is given: a value, an expression of its own, or nothing. */
type Given = { readonly value: unknown } | { readonly expression: SQL } | undefined

type Choose = (bound: BoundField, value: unknown, table: BoundTable) => Given

/** Functions of the application are asked for each write. What they give is a value, or an SQL expression. */
const called = (make: () => unknown): Given => ({ value: make() })

const expressed = (expression: SQL | undefined): Given => expression && { expression }

const chooseForInsert: Choose = ({ column }, value, { dialect }) => {
  if (value !== undefined && value !== DEFAULT) return { value }
  if (column.defaultFn !== undefined) return called(column.defaultFn)
  if (column.default === undefined && column.onUpdateFn !== undefined) return called(column.onUpdateFn)
  return expressed(dialect.defaults.insert(column))
}

const chooseForUpdate: Choose = ({ column }, value, { dialect }) => {
  if (value === undefined) return column.onUpdateFn && called(column.onUpdateFn)
  if (value !== DEFAULT) return { value }
  return column.defaultFn ? called(column.defaultFn) : expressed(dialect.defaults.update(column))
}

const writesOf = (table: BoundTable, row: Row, choose: Choose): Writes => {
  // Names that are no field are refused: nothing is dropped silently.
  for (const name in row) table.fieldOf(name)
  const values: unknown[] = []
  const columns: WrittenColumn[] = []
  let key = ''
  for (const bound of table.fields) {
    const given = choose(bound, ownValue(row, bound.field.name), table)
    if (given === undefined) continue
    const expression = 'expression' in given ? given.expression : undefined
    if ('value' in given) values.push(bound.encode(given.value))
    columns.push({ bound, expression })
    key += expression === undefined ? `${bound.place},` : `${bound.place}d,`
  }
  return { key, values, columns }
}

/** What an insert writes. Columns without a value and without a default that we know of are left to the database. */
export const insertWrites = (table: BoundTable, row: Row): Writes => writesOf(table, row, chooseForInsert)

/** What an update writes: the fields that are named, and columns that change with every update. */
export const updateWrites = (table: BoundTable, row: Row): Writes => writesOf(table, row, chooseForUpdate)

/** `(a, b) values (?, ?)` */
export const insertedSql = ({ dialect }: BoundTable, { columns }: Writes, next: NextSlot): SQL => {
  if (columns.length === 0) return dialect.noValues
  const names = columns.map(({ bound }) => bound.name)
  const values = columns.map(({ bound, expression }): SQLChunk => expression ?? bound.written(next()))
  return sql`(${sql.join(names, sql`, `)}) values (${sql.join(values, sql`, `)})`
}

/** `a = ?, b = ?` */
export const assignedSql = ({ columns }: Writes, next: NextSlot): SQL =>
  sql.join(
    columns.map(({ bound, expression }) => sql`${bound.name} = ${expression ?? bound.written(next())}`),
    sql`, `,
  )
