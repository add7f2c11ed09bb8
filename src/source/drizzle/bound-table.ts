import { Column, is, SQL, type SQLChunk, sql, type Table, type View } from 'drizzle-orm'
import { kinds } from '../../model/kinds.ts'
import { type Field, fieldOf, type Model } from '../../model/model.ts'
import { ownValue } from '../../model/own-value.ts'
import { SourceError } from '../source-error.ts'
import type { Database } from './database.ts'
import type { DialectRow } from './dialect-row.ts'
import { dialectOf } from './dialects.ts'
import type { DescribedTable } from './table.ts'

/** A field with its column, ready to be written into statements. */
export interface BoundField {
  readonly field: Field
  /** Its place in the model: short, for the keys of statements. */
  readonly place: number
  readonly column: Column
  /** The column's name in the database, and the same as a part of a statement. */
  readonly columnName: string
  readonly name: SQLChunk
  readonly selected: SQLChunk
  /** What stands in comparisons: the name, or the column in a form that takes every value. */
  readonly compared: SQLChunk
  /** What stands there in place of a value. */
  readonly comparedSlot: (slot: SQLChunk) => SQLChunk
  /** What is written of a value. */
  readonly written: (slot: SQLChunk) => SQLChunk
  /** What stands in an order: of `compared` or of the column's name, and of a value beside it. */
  readonly ordered: (side: SQLChunk) => SQLChunk
  /** Of text: the column as it compares byte for byte, where it does not by itself. */
  readonly exact: SQL | undefined
  /** A value of the field's form as the driver takes it. @throws SourceError `value` where the column cannot hold it. */
  readonly encode: (value: unknown) => unknown
  /** The same for a value that the column is compared with. */
  readonly encodeCompared: (value: unknown) => unknown
}

/** A model's table in one database. */
export interface BoundTable {
  readonly model: Model
  readonly table: Table | View
  readonly dialect: DialectRow
  /** In the order of the model. */
  readonly fields: readonly BoundField[]
  readonly key: readonly BoundField[]
  /** @throws Error where the model has no such field: names are checked before. */
  fieldOf(name: string): BoundField
  /** @throws Error where the model has no such to-one relation: names are checked before. */
  relationOf(name: string): BoundRelation
}

/** A to-one relation: the fields that refer, and what they refer to. */
export interface BoundRelation {
  /** Its place in the model: short, for the keys of statements. */
  readonly place: number
  readonly fields: readonly BoundField[]
  readonly target: BoundTable
  readonly references: readonly BoundField[]
}

/** Puts a described table and its database together. `tableOf` gives the other tables, by the name of their model. */
export const bindTable = (
  database: Database,
  described: DescribedTable,
  tableOf: (model: string) => BoundTable,
): BoundTable => {
  const { model, table, columns } = described
  const dialect = dialectOf(database)
  const fields = model.fields.map((field, place) => {
    const column = ownValue(columns, field.name)
    if (column === undefined) throw new Error(`${model.name} has no column for ${field.name}`)
    return bindField(database, dialect, { field, place, column })
  })
  const byName = new Map(fields.map((bound) => [bound.field.name, bound]))
  const named = (name: string): BoundField => byName.get(name) ?? noField(model, name)
  const relationOf = (name: string): BoundRelation => {
    const place = model.relations.findIndex(
      (relation) => relation.name === name && relation.kind === 'to-one',
    )
    const relation = model.relations[place]
    if (relation === undefined) throw new Error(`${model.name} has no to-one relation ${name}.`)
    const target = tableOf(relation.model)
    const references = relation.references.map(target.fieldOf)
    return { place, fields: relation.fields.map(named), target, references }
  }
  return { model, table, dialect, fields, key: model.primaryKey.map(named), fieldOf: named, relationOf }
}

const noField = (model: Model, name: string): never => {
  fieldOf(model, name)
  throw new Error(`${model.name}.${name} is not bound`)
}

const bindField = (
  database: Database,
  dialect: DialectRow,
  { field, place, column }: Pick<BoundField, 'field' | 'place' | 'column'>,
): BoundField => {
  const columnName = database.columnName(column)
  const name = sql.identifier(columnName)
  const encode = encoderOf(dialect, field, column)
  const { name: compared = name, slot = unchanged, toColumn } = dialect.compared(column, name, field)
  return Object.freeze<BoundField>({
    field,
    place,
    column,
    columnName,
    name,
    selected: dialect.selected(column, name),
    exact: kinds[field.kind].textual ? dialect.exactText(column, name) : undefined,
    compared,
    comparedSlot: slot,
    written: (value) => (is(value, SQL) ? value : dialect.written(column, value)),
    ordered: (side) => dialect.ordered(column, side),
    encode,
    encodeCompared: toColumn ?? encode,
  })
}

const unchanged = <T>(value: T): T => value

const mapperOf = (column: Column): BoundField['encode'] | undefined =>
  column.mapToDriverValue === Column.prototype.mapToDriverValue
    ? undefined
    : (value) => column.mapToDriverValue(value)

const encoderOf = (dialect: DialectRow, field: Field, column: Column): BoundField['encode'] => {
  const toDriver = dialect.toDriver(column, field) ?? mapperOf(column)
  if (toDriver === undefined) return unchanged
  return (value) => {
    // An expression is written into the statement.
    if (value === null || is(value, SQL)) return value
    try {
      return toDriver(value)
    } catch (error) {
      // So say columns that a value does not fit: too many digits, an invalid date.
      if (error instanceof RangeError) throw new SourceError('value', { fields: [field.name], cause: error })
      throw error
    }
  }
}
