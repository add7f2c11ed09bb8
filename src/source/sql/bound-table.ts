import { Unrepresentable } from '../../model/codec.ts'
import type { Field, Model } from '../../model/model.ts'
import { isKeyAmong, leadsToOne } from '../../query/order.ts'
import { type Row, SourceError } from '../source.ts'
import type { RawRow } from './database.ts'
import type { DialectRow } from './dialect.ts'
import type { Column, Table } from './table.ts'
import { isParameter, type Sql, sql } from './text.ts'

/** A column in a statement. */
export interface BoundField {
  readonly field: Field
  readonly column: Column
  /** Its index in the model: a short part of statement keys. */
  readonly place: number
  /** The same as text, for the columns that a statement writes. */
  readonly key: string
  readonly name: Sql
  readonly selected: Sql
  readonly searched: Sql
  /** The column in comparisons: its name, or an expression that accepts every value. */
  readonly compared: Sql
  /** The column in comparisons by order, before `ordered`. */
  readonly ranked: Sql
  readonly comparedSlot: (slot: Sql) => Sql
  readonly written: (slot: Sql) => Sql
  /** Returns the SQL by which `side` is ordered. `side` is the column, or a value that is compared with it. */
  readonly ordered: (side: Sql) => Sql
  /** For text: an expression that compares byte for byte, if the column itself does not. */
  readonly exact: Sql | undefined
  readonly encode: (value: unknown) => unknown
  readonly encodeCompared: (value: unknown) => unknown
  readonly encodeRanked: (value: unknown) => unknown
}

/** A table in a statement. */
export interface BoundTable {
  readonly model: Model
  readonly table: Table
  /** The table in SQL, without an alias. */
  readonly own: Sql
  /** The table in a FROM clause, with its alias. */
  readonly from: Sql
  /** Its alias, or its own name. */
  readonly alias: string
  /** What the ORM adds to its own selects. */
  readonly filter: Sql | undefined
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
  /** The same table in a query that the application writes, whose ORM qualifies the columns. Those of a view have the name of the view. */
  asWritten(): BoundTable
}

/** From records of one table to those of another that have the same values. */
export interface RelationStep {
  /** Names of fields, in the same order. */
  readonly fields: readonly string[]
  readonly target: BoundTable
  readonly references: readonly string[]
}

export interface BoundRelation extends RelationStep {
  /** Its index in the model: a short part of statement keys. */
  readonly place: number
  /** At most one record is related. */
  readonly isUnique: boolean
  readonly through?: Join
}

/** A join table. */
interface Join extends RelationStep {
  /** At most one of its records joins the same two records. */
  readonly isUnique: boolean
}

const joinOf = (through: Omit<RelationStep, 'target'>, target: BoundTable): Join => {
  const pair = [...through.fields, ...through.references]
  return { ...through, target, isUnique: isKeyAmong(pair, target.model) }
}

export const bindTable = (
  dialect: DialectRow,
  table: Table,
  tableOf: (model: string) => BoundTable,
): BoundTable => {
  const { model, name: ownName } = table
  const relationOf = (name: string): BoundRelation => {
    const place = model.relations.findIndex((relation) => relation.name === name)
    const relation = model.relations[place]
    if (relation === undefined) throw new Error(`${model.name} has no relation ${name}.`)
    const { fields, references, through } = relation
    const target = tableOf(relation.model)
    return {
      ...{ place, fields, references, target, isUnique: leadsToOne(relation, target.model) },
      ...(through && { through: joinOf(through, tableOf(through.model)) }),
    }
  }
  const own = sql.raw(table.sql)
  // The aliases are few: clients cannot choose them, and the depth of conditions is limited.
  const known = new Map<string, BoundTable>()
  const bound = (alias: string | undefined, depth: number, isWritten = false): BoundTable => {
    const key = `${depth} ${isWritten} ${alias ?? ''}`
    const made = known.get(key)
    if (made !== undefined) return made
    const fields = table.columns.map((column, place) =>
      bindField(column, place, nameOf(column, alias, isWritten)),
    )
    const byName = new Map(fields.map((field) => [field.field.name, field]))
    const fieldOf = (name: string): BoundField => {
      const found = byName.get(name)
      if (found === undefined) throw new Error(`${model.name} has no field ${name}`)
      return found
    }
    const itself: BoundTable = Object.freeze<BoundTable>({
      ...{ model, table, own, dialect, fields, depth, fieldOf, relationOf },
      alias: alias ?? ownName,
      from: alias === undefined || alias === ownName ? own : sql`${own} as ${sql.identifier(alias)}`,
      filter: isWritten ? undefined : table.filter?.(alias === undefined ? own : sql.identifier(alias)),
      key: model.primaryKey.map(fieldOf),
      as: (name, atDepth = depth) => bound(name, atDepth),
      qualified: () => (alias === undefined && !isWritten ? bound(ownName, depth) : itself),
      asWritten: () => (table.isView ? itself.qualified() : bound(undefined, depth, true)),
    })
    known.set(key, itself)
    return itself
  }
  return bound(undefined, 0)
}

const nameOf = ({ name, inQuery }: Column, alias: string | undefined, isWritten: boolean): Sql => {
  if (isWritten && inQuery !== undefined) return inQuery
  const own = sql.identifier(name)
  return alias === undefined ? own : sql`${sql.identifier(alias)}.${own}`
}

const itself = (side: Sql): Sql => side

/** @param name its name, or another SQL with values of the column */
export const bindField = (column: Column, place: number, name: Sql): BoundField => {
  const { field, codec } = column
  const { selected, searched, compared, comparedSlot, written, ordered, exact, encode, encodeCompared } =
    codec
  return Object.freeze<BoundField>({
    ...{ field, column, place, name, encode, encodeCompared },
    encodeRanked: codec.encodeRanked ?? encodeCompared,
    key: `${place},`,
    selected: (selected ?? itself)(name),
    searched: (searched ?? itself)(name),
    exact: exact?.(name),
    compared: (compared ?? itself)(name),
    ranked: (codec.ranked ?? compared ?? itself)(name),
    comparedSlot: comparedSlot ?? itself,
    // Expressions of the application are not changed.
    written: written === undefined ? itself : (slot) => (isParameter(slot) ? written(slot) : slot),
    ordered: ordered ?? itself,
  })
}

/** A value of another table, or one that was computed. */
export interface NamedField {
  readonly name: string
  readonly bound: BoundField
}

/** Reads rows of these fields, including the primary key, and of values with other names. The same order in every record lets V8 use one object shape. */
export const rowReader = (
  model: Model,
  own: readonly BoundField[],
  others: readonly NamedField[] = [],
): ((raw: RawRow) => Row) => {
  const fields = [...own, ...others.map(({ bound }) => bound)]
  const names = [...own.map(({ field }) => field.name), ...others.map(({ name }) => name)]
  const decoders = fields.map(({ column }) => column.codec.decode)
  const count = names.length
  // A copy has all fields at once, which takes less time and memory than to add them one by one.
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(names.map((name) => [name, null]))
  return (raw) => {
    const row: Record<string, unknown> = { ...empty }
    let place = 0
    try {
      for (; place < count; place += 1) {
        const value = raw[place]
        const decode = decoders[place]
        row[names[place] as string] = decode === undefined || value === null ? value : decode(value)
      }
    } catch (error) {
      const key = model.primaryKey.map((name) => String(raw[names.indexOf(name)])).join(',')
      throw unrepresentable(`${model.name} ${key}`, fields[place]?.field, error)
    }
    return row
  }
}

/** Reads a value of a field that is not part of a record, such as the smallest one. */
export const fieldReader = ({ column: { codec }, field }: BoundField): ((raw: unknown) => unknown) => {
  const { decode } = codec
  return (raw) => {
    if (decode === undefined || raw === null) return raw
    try {
      return decode(raw)
    } catch (error) {
      throw unrepresentable('a group of records', field, error)
    }
  }
}

/** A stored value in the form of its field. @param record names the record, or the group of records. @throws SourceError `unrepresentable` */
export const decoded = (
  field: Pick<Field, 'name'>,
  value: unknown,
  decode: (value: unknown) => unknown,
  record: () => string,
): unknown => {
  try {
    return value === null || value === undefined ? null : decode(value)
  } catch (error) {
    throw unrepresentable(record(), field, error)
  }
}

const unrepresentable = (
  record: string,
  field: Pick<Field, 'name'> | undefined,
  error: unknown,
): SourceError => {
  const name = field?.name ?? ''
  const cause = new Unrepresentable(
    `${record}, field ${name}: the stored value cannot be represented exactly`,
    { cause: error },
  )
  return new SourceError('unrepresentable', { fields: [name], cause })
}
