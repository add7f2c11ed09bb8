import {
  Column,
  entityKind,
  getTableUniqueName,
  is,
  SQL,
  Table,
  type View,
  ViewBaseConfig,
} from 'drizzle-orm'
import { primaryKeyColumns } from './constraints.ts'
import { type Drafted, describeViewField } from './describe-table.ts'
import type { ReadField } from './read-columns.ts'
import type { Dialect, GivenTable } from './tables.ts'

interface ViewConfig {
  readonly name: string
  readonly schema: string | undefined
  readonly selectedFields: Readonly<Record<string, unknown>>
}

/** A column of the view, and the one that it was selected from. */
interface Selected {
  readonly field: string
  readonly column: Column
  readonly origin: Column
}

/** The draft of a view's model, which is read-only. */
export const describeView = (
  given: GivenTable,
  name: string,
  view: View,
  dialect: Dialect,
  read: ReadField,
): Drafted => {
  const config = Reflect.get(view, ViewBaseConfig) as ViewConfig
  const selection = selectionOf(config)
  const primaryKey = keyOf(selection)
  if (primaryKey.length === 0) return 'none of its fields is known to be a key (a primary key, or `id`)'
  const columns = selection.map(({ field, column }) => [field, read(field, column)] as const)
  // Columns of several tables come from a join, which may leave out any of them.
  const joined = new Set(selection.map(({ origin }) => getTableUniqueName(origin.table))).size > 1
  return {
    given,
    name,
    dialect,
    table: view,
    columns: Object.fromEntries(columns.map(([field, { column }]) => [field, column])),
    fields: columns.map(([field, { column, type }]) =>
      describeViewField(field, type, !primaryKey.includes(field) && (joined || !column.notNull)),
    ),
    primaryKey,
    uniques: [],
    foreignKeys: [],
    readOnly: true,
    leftOut: Object.keys(config.selectedFields).filter(
      (name) => !selection.some(({ field }) => field === name),
    ),
  }
}

/** Groups (`select({ user: users })`) and expressions without a name have no column in the view. */
const selectionOf = ({ name, schema, selectedFields }: ViewConfig): readonly Selected[] => {
  const table = new Table(name, schema, name)
  return Object.keys(selectedFields).flatMap((field) => {
    // The property itself is the origin. Read through drizzle's proxy, it is a column of the view.
    const origin: unknown = Object.getOwnPropertyDescriptor(selectedFields, field)?.value
    if (is(origin, Column)) return [{ field, origin, column: selectedFields[field] as Column }]
    if (!is(origin, SQL.Aliased)) return []
    const column = expressionColumn(table, origin)
    return [{ field, origin: column, column }]
  })
}

/** The whole primary key of the one table that is there with it; of several, or of none, the field `id`. */
const keyOf = (selection: readonly Selected[]): readonly string[] => {
  const tables = new Map(selection.map(({ origin }) => [getTableUniqueName(origin.table), origin.table]))
  const keys = [...tables.values()].flatMap((table) => {
    const key = primaryKeyColumns(table).map(
      (name) => selection.find(({ origin }) => origin.name === name && isOf(table, origin))?.field,
    )
    const fields = key.filter((field) => field !== undefined)
    return key.length > 0 && fields.length === key.length ? [fields] : []
  })
  if (keys.length === 1) return keys[0] ?? []
  return selection.some(({ field }) => field === 'id') ? ['id'] : []
}

const isOf = (table: Table, column: Column): boolean =>
  getTableUniqueName(column.table) === getTableUniqueName(table)

interface Decoder {
  readonly mapFromDriverValue: (value: unknown) => unknown
}

/**
 * The column that an expression of a view is to those who select from the view: `count(*)` as `total`. What the
 * expression was mapped with tells its type (`sql`…`.mapWith(Number)`, or with a column).
 */
const expressionColumn = (table: Table, { sql, fieldAlias }: SQL.Aliased): Column => {
  const decoder = Reflect.get(sql, 'decoder') as Decoder
  return is(decoder, Column)
    ? renamed(decoder, table, fieldAlias)
    : new Expression(table, fieldAlias, decoder)
}

/** As drizzle does it for aliases: the same column but for its place. */
const renamed = (column: Column, table: Table, name: string): Column => {
  const place: Readonly<Record<string | symbol, unknown>> = { table, name, notNull: false, keyAsName: false }
  return new Proxy(column, {
    get: (target, property) => Reflect.get(Object.hasOwn(place, property) ? place : target, property),
  })
}

class Expression extends Column {
  static override readonly [entityKind]: string = 'ModelrestExpression'
  readonly decoder: Decoder

  constructor(table: Table, name: string, decoder: Decoder) {
    super(table, {
      name,
      keyAsName: false,
      notNull: false,
      default: undefined,
      defaultFn: undefined,
      onUpdateFn: undefined,
      hasDefault: false,
      primaryKey: false,
      isUnique: false,
      uniqueName: undefined,
      uniqueType: undefined,
      dataType: 'custom',
      columnType: decoder.mapFromDriverValue === Number ? 'NumberExpression' : 'Expression',
      generated: undefined,
      generatedIdentity: undefined,
    })
    this.decoder = decoder
  }

  getSQLType(): string {
    return 'expression'
  }

  override mapFromDriverValue(value: unknown): unknown {
    return this.decoder.mapFromDriverValue(value)
  }
}
