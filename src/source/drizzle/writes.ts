import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import { ownValue } from '../../model/own-value.ts'
import { DEFAULT, type Row } from '../source.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import type { NextSlot } from './where.ts'

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
