import {
  Column,
  getTableName,
  getViewName,
  is,
  isTable,
  SQL,
  type SQLChunk,
  sql,
  type Table,
  type View,
} from 'drizzle-orm'
import { kinds } from '../../model/kinds/index.ts'
import type { Field, FieldKind, Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { leadsToOne } from '../../query/order.ts'
import { SourceError } from '../source.ts'
import { hasOwnMappers, type TypedColumn, type TypedField, typeOf } from './column-types.ts'
import { isCustom } from './custom-column.ts'
import type { Database } from './database.ts'
import type { Comparing, DialectRow } from './dialect/port.ts'
import { dialectOf } from './dialects.ts'
import type { DescribedTable } from './tables.ts'

export interface BoundField {
  readonly field: Field
  /** The type of the stored values. Differs from the field's if the column's own mappers change them. */
  readonly stored: TypedField
  /** Its index in the model: a short part of statement keys. */
  readonly place: number
  /** The same as text, for the columns that a statement writes. */
  readonly key: string
  readonly column: TypedColumn
  /** The column's name in the database, as text and as SQL. */
  readonly columnName: string
  readonly name: SQLChunk
  readonly selected: SQLChunk
  readonly searched: SQLChunk
  /** The column in comparisons: its name, or an expression that accepts every value. */
  readonly compared: SQLChunk
  readonly comparedSlot: (slot: SQLChunk) => SQLChunk
  readonly written: (slot: SQLChunk) => SQLChunk
  /** Returns the SQL by which `side` is ordered. `side` is the column, or a value that is compared with it. */
  readonly ordered: (side: SQLChunk) => SQLChunk
  /** For text: an expression that compares byte for byte, if the column itself does not. */
  readonly exact: SQL | undefined
  /** Converts a value in the field's form for the driver. @throws SourceError `value` if the column cannot hold it */
  readonly encode: (value: unknown) => unknown
  /** The same for a value to compare with. `null`: the column cannot hold such a value. */
  readonly encodeCompared: (value: unknown) => unknown
}

export interface BoundTable {
  readonly model: Model
  readonly table: Table | View
  /** The table in a FROM clause, with its alias. */
  readonly from: SQL
  /** Its alias, or its own name. */
  readonly alias: string
  readonly dialect: DialectRow
  readonly fields: readonly BoundField[]
  readonly key: readonly BoundField[]
  /** @throws Error if the model does not have the field: names are checked earlier */
  fieldOf(name: string): BoundField
  /** @throws Error if the model does not have the relation: names are checked earlier */
  relationOf(name: string): BoundRelation
  /** How many tables enclose it in conditions on related records. */
  readonly depth: number
  /** The same table, whose columns are qualified by this alias. */
  as(alias: string, depth?: number): BoundTable
  /** The same table, whose columns are qualified: by its alias, or its own name. */
  qualified(): BoundTable
  /** The same table in a query that the application writes: drizzle qualifies its columns. Those of a view have the name of the view. */
  asWritten(): BoundTable
}

/** From records of one table to those of another that have the same values. */
export interface Step {
  /** Names of fields, in the same order. */
  readonly fields: readonly string[]
  readonly target: BoundTable
  readonly references: readonly string[]
}

export interface BoundRelation extends Step {
  /** Its index in the model: a short part of statement keys. */
  readonly place: number
  /** At most one record is related. */
  readonly isUnique: boolean
  /** The join table. */
  readonly through?: Step
}

export const bindTable = (
  database: Database,
  described: DescribedTable,
  tableOf: (model: string) => BoundTable,
): BoundTable => {
  const { model, table } = described
  const relationOf = (name: string): BoundRelation => {
    const place = model.relations.findIndex((relation) => relation.name === name)
    const relation = model.relations[place]
    if (relation === undefined) throw new Error(`${model.name} has no relation ${name}.`)
    const { fields, references, through } = relation
    const target = tableOf(relation.model)
    return {
      ...{ place, fields, references, target, isUnique: leadsToOne(relation, target.model) },
      ...(through && { through: { ...through, target: tableOf(through.model) } }),
    }
  }
  const ownName = isTable(table) ? getTableName(table) : getViewName(table)
  // The aliases are few: clients cannot choose them, and the depth of conditions is limited.
  const known = new Map<string, BoundTable>()
  const bound = (alias: string | undefined, depth: number, isWritten = false): BoundTable => {
    const key = `${depth} ${isWritten} ${alias ?? ''}`
    const made = known.get(key)
    if (made !== undefined) return made
    const { fields, named } = bindFields(database, described, namesOf(alias, isWritten))
    const itself: BoundTable = Object.freeze<BoundTable>({
      ...{ model, table, dialect: dialectOf(database), fields, depth, fieldOf: named, relationOf },
      alias: alias ?? ownName,
      from:
        alias === undefined || alias === ownName ? sql`${table}` : sql`${table} as ${sql.identifier(alias)}`,
      key: model.primaryKey.map(named),
      as: (name, atDepth = depth) => bound(name, atDepth),
      qualified: () => (alias === undefined && !isWritten ? bound(ownName, depth) : itself),
      asWritten: () => (isTable(table) ? bound(undefined, depth, true) : itself.qualified()),
    })
    known.set(key, itself)
    return itself
  }
  return bound(undefined, 0)
}

type NameOf = (column: TypedColumn, columnName: string) => SQLChunk

const namesOf =
  (alias: string | undefined, isWritten: boolean): NameOf =>
  (column, columnName) => {
    if (isWritten) return column
    const own = sql.identifier(columnName)
    return alias === undefined ? own : sql`${sql.identifier(alias)}.${own}`
  }

const bindFields = (
  database: Database,
  { model, columns }: DescribedTable,
  nameOf: NameOf,
): Pick<BoundTable, 'fields'> & { readonly named: BoundTable['fieldOf'] } => {
  const dialect = dialectOf(database)
  const fields = model.fields.map((field, place) => {
    const column = ownValue(columns, field.name)
    if (column === undefined) throw new Error(`${model.name} has no column for ${field.name}`)
    return bindField(database, dialect, { field, place, column }, nameOf)
  })
  const byName = new Map(fields.map((bound) => [bound.field.name, bound]))
  const named = (name: string): BoundField => {
    const bound = byName.get(name)
    if (bound === undefined) throw new Error(`${model.name} has no field ${name}`)
    return bound
  }
  return { fields, named }
}

const bindField = (
  database: Database,
  dialect: DialectRow,
  { field, place, column }: Pick<BoundField, 'field' | 'place' | 'column'>,
  nameOf: NameOf,
): BoundField => {
  const columnName = database.columnName(column)
  const name = nameOf(column, columnName)
  const stored = typeOf(column)
  const encode = encoderOf(dialect, field, column)
  const isConfusable = kinds[stored.kind].confusable?.(stored) === true
  const comparing = dialect.compared?.(column, name, stored) ?? {}
  return Object.freeze<BoundField>({
    field,
    stored,
    place,
    key: `${place},`,
    column,
    columnName,
    name,
    selected: dialect.selected(column, name),
    searched: dialect.searched?.(column, name) ?? name,
    // PostgreSQL compares a token as text already.
    exact: isConfusable && comparing.name === undefined ? dialect.exactText(column, name) : undefined,
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
 * Returns the value if all drivers accept it as a single value. mysql2 expands other objects into the statement, and other
 * drivers store `[object Object]`.
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
      // MySQL would read `NaN` in a statement as a column name.
      if (!Number.isFinite(value)) throw new NotForDrivers('not a finite number')
      return value
    case 'object':
      if (value === null || value instanceof Uint8Array || is(value, SQL)) return value
      if (value instanceof Date && !Number.isNaN(value.getTime())) return value
      if (value instanceof ArrayBuffer) return new Uint8Array(value)
  }
  throw new NotForDrivers(`a value of type ${typeof value}`)
}

/** The only place that converts values for the driver. */
const encoderOf = (dialect: DialectRow, field: Field, column: Column): BoundField['encode'] => {
  const isMapped = column.mapToDriverValue !== Column.prototype.mapToDriverValue
  const mapped = isMapped ? (value: unknown): unknown => column.mapToDriverValue(value) : undefined
  const toDriver = dialect.toDriver?.(column, field) ?? mapped
  const isOwn = isOfApplication(column)
  return (value) => {
    // Expressions become part of the statement.
    if (value === null || is(value, SQL)) return value
    try {
      const made = driverValue(toDriver === undefined ? value : toDriver(value))
      return typeof made === 'boolean' && !dialect.hasBooleans ? Number(made) : made
    } catch (error) {
      if (error instanceof NotForDrivers)
        throw new SourceError('type', { fields: [field.name], cause: error })
      // Columns throw this for too many digits or an invalid date. A custom type may throw anything.
      if (isOwn || error instanceof RangeError)
        throw new SourceError('value', { fields: [field.name], cause: error })
      throw error
    }
  }
}

const isOfApplication = (column: Column): boolean => isCustom(column) || hasOwnMappers(column)

/** If a column's own mapper refuses a value, or returns one that the SQL type cannot read, no record matches it. */
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

/** PostgreSQL refuses to compare a number or a UUID with a string in another format. */
const isReadableAs = ({ kind, ...type }: TypedField, made: unknown): boolean => {
  if (made === null || typeof made !== 'string') return true
  return !exactlyRead.has(kind) || kinds[kind].readText(made, { kind, nullable: false, ...type }).ok
}

const exactlyRead: ReadonlySet<FieldKind> = new Set(['uuid', 'integer', 'bigint', 'decimal', 'float'])
