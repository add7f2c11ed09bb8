import { Column, is, SQL, type SQLChunk, sql, type Table, type View } from 'drizzle-orm'
import { kinds } from '../../model/kinds/index.ts'
import type { Field, FieldKind, Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { SourceError } from '../source.ts'
import { hasOwnMappers, type TypedColumn, type TypedField, typeOf } from './column-types.ts'
import { isCustom } from './custom-column.ts'
import type { Database } from './database.ts'
import type { Comparing, DialectRow } from './dialect/port.ts'
import { dialectOf } from './dialects.ts'
import type { DescribedTable } from './tables.ts'

export interface BoundField {
  readonly field: Field
  /** What the column's SQL type holds. Where the column's own mappers change it, that is not the field's. */
  readonly stored: TypedField
  /** Its place in the model: short, for the keys of statements. */
  readonly place: number
  readonly column: TypedColumn
  /** The column's name in the database, and the same as a part of a statement. */
  readonly columnName: string
  readonly name: SQLChunk
  readonly selected: SQLChunk
  readonly searched: SQLChunk
  /** What stands in comparisons: the name, or the column in a form that takes every value. */
  readonly compared: SQLChunk
  readonly comparedSlot: (slot: SQLChunk) => SQLChunk
  readonly written: (slot: SQLChunk) => SQLChunk
  /** What stands in an order: of `compared` or of the column's name, and of a value beside it. */
  readonly ordered: (side: SQLChunk) => SQLChunk
  /** Of text: the column as it compares byte for byte, where it does not by itself. */
  readonly exact: SQL | undefined
  /** A value of the field's form as the driver takes it. @throws SourceError `value` where the column cannot hold it. */
  readonly encode: (value: unknown) => unknown
  /** The same for a value that the column is compared with. `null`: the column can hold no such value. */
  readonly encodeCompared: (value: unknown) => unknown
}

export interface BoundTable {
  readonly model: Model
  readonly table: Table | View
  readonly dialect: DialectRow
  readonly fields: readonly BoundField[]
  readonly key: readonly BoundField[]
  /** @throws Error where the model has no such field: names are checked before. */
  fieldOf(name: string): BoundField
  /** @throws Error where the model has no such to-one relation: names are checked before. */
  relationOf(name: string): BoundRelation
}

export interface BoundRelation {
  /** Its place in the model: short, for the keys of statements. */
  readonly place: number
  readonly fields: readonly BoundField[]
  readonly target: BoundTable
  readonly references: readonly BoundField[]
}

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
  const named = (name: string): BoundField => {
    const bound = byName.get(name)
    if (bound === undefined) throw new Error(`${model.name} has no field ${name}`)
    return bound
  }
  const relationOf = (name: string): BoundRelation => {
    const place = model.relations.findIndex((relation) => relation.name === name)
    const relation = model.relations[place]
    if (relation?.kind !== 'to-one') throw new Error(`${model.name} has no to-one relation ${name}.`)
    const target = tableOf(relation.model)
    const references = relation.references.map(target.fieldOf)
    return { place, fields: relation.fields.map(named), target, references }
  }
  return { model, table, dialect, fields, key: model.primaryKey.map(named), fieldOf: named, relationOf }
}

const bindField = (
  database: Database,
  dialect: DialectRow,
  { field, place, column }: Pick<BoundField, 'field' | 'place' | 'column'>,
): BoundField => {
  const columnName = database.columnName(column)
  const name = sql.identifier(columnName)
  const stored = typeOf(column)
  const encode = encoderOf(dialect, field, column)
  const comparing = dialect.compared?.(column, name, stored) ?? {}
  return Object.freeze<BoundField>({
    field,
    stored,
    place,
    column,
    columnName,
    name,
    selected: dialect.selected(column, name),
    searched: dialect.searched?.(column, name) ?? name,
    exact: kinds[stored.kind].textual ? dialect.exactText(column, name) : undefined,
    compared: comparing.name ?? name,
    comparedSlot: comparing.slot ?? ((slot) => slot),
    written: (value) => (is(value, SQL) ? value : (dialect.written?.(column, value) ?? value)),
    ordered: (side) => dialect.ordered?.(column, side) ?? side,
    encode,
    encodeCompared: comparedEncoderOf({ column, stored, encode }, comparing.toColumn),
  })
}

class NotForDrivers extends Error {
  override readonly name: string = 'NotForDrivers'
}

/**
 * The value, where all drivers take it as one value. mysql2 expands other objects into the statement itself; others store
 * `[object Object]`.
 *
 * @throws NotForDrivers
 */
export const driverValue = (value: unknown): unknown => {
  switch (typeof value) {
    case 'string':
    case 'bigint':
    case 'boolean':
      return value
    case 'number':
      // `NaN` would be the name of a column in a statement of MySQL.
      if (!Number.isFinite(value)) throw new NotForDrivers('not a finite number')
      return value
    case 'object':
      if (value === null || value instanceof Uint8Array || is(value, SQL)) return value
      if (value instanceof Date && !Number.isNaN(value.getTime())) return value
      if (value instanceof ArrayBuffer) return new Uint8Array(value)
  }
  throw new NotForDrivers(`a value of the type ${typeof value}`)
}

/** The one place where values become what a driver gets. */
const encoderOf = (dialect: DialectRow, field: Field, column: Column): BoundField['encode'] => {
  const isMapped = column.mapToDriverValue !== Column.prototype.mapToDriverValue
  const mapped = isMapped ? (value: unknown): unknown => column.mapToDriverValue(value) : undefined
  const toDriver = dialect.toDriver?.(column, field) ?? mapped
  const isOwn = isOfApplication(column)
  return (value) => {
    // An expression is written into the statement.
    if (value === null || is(value, SQL)) return value
    try {
      const made = driverValue(toDriver === undefined ? value : toDriver(value))
      return typeof made === 'boolean' && !dialect.hasBooleans ? Number(made) : made
    } catch (error) {
      if (error instanceof NotForDrivers)
        throw new SourceError('type', { fields: [field.name], cause: error })
      // So say columns that a value does not fit: too many digits, an invalid date. A custom type throws as it likes.
      if (isOwn || error instanceof RangeError)
        throw new SourceError('value', { fields: [field.name], cause: error })
      throw error
    }
  }
}

const isOfApplication = (column: Column): boolean => isCustom(column) || hasOwnMappers(column)

/** A value that a column's own mapper refuses, or makes into what the SQL type cannot read, is that of no record. */
const comparedEncoderOf = (
  { column, stored, encode }: Pick<BoundField, 'column' | 'stored' | 'encode'>,
  toColumn: Comparing['toColumn'],
): BoundField['encodeCompared'] => {
  if (!isOfApplication(column))
    return toColumn === undefined ? encode : (value) => driverValue(toColumn(value))
  return (value) => {
    try {
      const made = encode(value)
      return isReadableAs(stored, made) ? driverValue(toColumn === undefined ? made : toColumn(made)) : null
    } catch (error) {
      if (error instanceof SourceError) return null
      throw error
    }
  }
}

/** PostgreSQL refuses a statement that compares a number with another text, or a UUID. */
const isReadableAs = ({ kind, ...type }: TypedField, made: unknown): boolean => {
  if (made === null || typeof made !== 'string') return true
  return !exactlyRead.has(kind) || kinds[kind].readText(made, { kind, nullable: false, ...type }).ok
}

const exactlyRead: ReadonlySet<FieldKind> = new Set(['uuid', 'integer', 'bigint', 'decimal', 'float'])
