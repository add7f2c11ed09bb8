import { Column, getTableColumns, getTableName, is, SQL, type Table } from 'drizzle-orm'
import { ownValue } from '../../model/objects.ts'
import type { Dialect } from '../sql/text.ts'
import { entityNames, partOf } from './internals.ts'

export interface DeclaredForeignKey {
  readonly fields: readonly string[]
  readonly table: Table
  /** Fields of the referenced table, in the same order. */
  readonly references: readonly string[]
  /** A referenced record cannot be deleted. */
  readonly restricts: boolean
}

const inlineForeignKeys: Readonly<Record<Dialect, string>> = {
  sqlite: 'SQLiteInlineForeignKeys',
  pg: 'PgInlineForeignKeys',
  mysql: 'MySqlInlineForeignKeys',
}

/** The keys of a table, with field names. */
export interface TableKeys {
  /** Empty if the table does not have one. */
  readonly primaryKey: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly foreignKeys: readonly DeclaredForeignKey[]
}

/**
 * Replaces drizzle's `getTableConfig`, of which each dialect has its own: loading the two dialects that the application does
 * not use would take longer than the rest of the start.
 */
export const readKeys = (table: Table, dialect: Dialect): TableKeys => {
  const extras = extrasOf(table)
  const inline = partOf(table, inlineForeignKeys[dialect]) as readonly Extra[]
  const primaryKey = primaryKeyOf(table, extras)
  const uniques = readIndexes(table).flatMap(({ fields, isUnique }) => (isUnique ? [fields] : []))
  return {
    primaryKey,
    uniques: distinct(uniques).filter((fields) => nameOf(fields) !== nameOf(primaryKey)),
    foreignKeys: [...inline, ...extras('ForeignKeyBuilder')].flatMap((extra) => foreignKey(table, extra)),
  }
}

const nameOf = (fields: readonly string[]): string => fields.toSorted().join()

const distinct = (sets: readonly (readonly string[])[]): readonly (readonly string[])[] => [
  ...new Map(sets.map((fields) => [nameOf(fields), fields])).values(),
]

/** The SQL names of a table's primary key; empty for a view or a subquery. */
export const primaryKeyColumns = (table: Table): readonly string[] => {
  const columns: Readonly<Record<string, Column>> | undefined = getTableColumns(table)
  if (columns === undefined) return []
  return primaryKeyOf(table, extrasOf(table)).flatMap((field) => ownValue(columns, field)?.name ?? [])
}

const restricting: readonly unknown[] = [undefined, 'no action', 'restrict']

const foreignKey = (
  table: Table,
  { reference, onDelete, _onDelete }: Extra,
): readonly DeclaredForeignKey[] => {
  if (reference === undefined) return []
  const { columns, foreignTable, foreignColumns } = reference()
  return [
    {
      fields: Object.freeze(fieldsOf(table, columns)),
      table: foreignTable,
      references: Object.freeze(fieldsOf(foreignTable, foreignColumns)),
      restricts: restricting.includes(typeof onDelete === 'function' ? _onDelete : onDelete),
    },
  ]
}

/** The named check constraints of a table, with field names. */
export const readChecks = (
  table: Table,
): readonly { readonly name: string; readonly fields: readonly string[] }[] =>
  extrasOf(table)('CheckBuilder').flatMap(({ name, value }) =>
    name === undefined || value === undefined ? [] : [{ name, fields: fieldsOf(table, columnsIn(value)) }],
  )

const columnsIn = (expression: SQL): readonly Named[] =>
  expression.queryChunks.flatMap((chunk) => {
    if (is(chunk, SQL)) return columnsIn(chunk)
    return is(chunk, Column) ? [chunk] : []
  })

interface DeclaredIndex {
  /** The names that it may have in the database. */
  readonly names: readonly string[]
  readonly fields: readonly string[]
  /** It has all records. A partial index, or one on an expression, has not. */
  readonly isWhole: boolean
  /** Two records cannot have the same values. */
  readonly isUnique: boolean
}

/** The indexes and unique keys of a table. An unnamed one has the name that drizzle or MySQL generates. */
export const readIndexes = (table: Table): readonly DeclaredIndex[] => {
  const extras = extrasOf(table)
  const given: readonly IndexConfig[] = [
    ...extras('UniqueConstraintBuilder').map((extra) => ({ columns: [], ...extra, unique: true })),
    ...extras('IndexBuilder').flatMap(({ config = [] }) => config),
  ]
  return [
    { names: ['PRIMARY'], fields: primaryKeyOf(table, extras), isWhole: true, isUnique: true },
    ...columnsOf(table).flatMap(([field, { isUnique, name, uniqueName }]) =>
      isUnique ? [{ names: [uniqueName ?? name, name], fields: [field], isWhole: true, isUnique }] : [],
    ),
    ...given.map(({ name, columns, unique, where }) => {
      const fields = fieldsOf(table, columns)
      const byDefault = `${getTableName(table)}_${columns.map((column) => column.name).join('_')}_unique`
      const isWhole = where === undefined && fields.length === columns.length
      return { names: [name ?? byDefault], fields, isWhole, isUnique: unique === true && isWhole }
    }),
  ]
}

/** Drizzle copies the columns of keys and indexes, so they can only be matched by name. */
interface Named {
  readonly name?: string
}

/** A builder from the extra configuration of `pgTable` and similar functions. */
interface Extra {
  readonly columns?: readonly Named[]
  /** Only for indexes. */
  readonly config?: IndexConfig
  readonly reference?: () => {
    readonly columns: readonly Named[]
    readonly foreignTable: Table
    readonly foreignColumns: readonly Named[]
  }
  /** Only for foreign keys: the action when the referenced record is deleted. In a builder it is a method. */
  readonly onDelete?: unknown
  readonly _onDelete?: unknown
  /** Only for checks and unique keys. */
  readonly name?: string
  readonly value?: SQL
}

interface IndexConfig {
  readonly name?: string
  readonly columns: readonly Named[]
  readonly unique?: boolean
  readonly where?: unknown
}

/** The extra configuration of a table, selected by the end of the builder's name. */
type Extras = (builder: string) => readonly Extra[]

const extrasOf = (table: Table): Extras => {
  const build = partOf(table, 'ExtraConfigBuilder')
  if (typeof build !== 'function') return () => []
  const built: unknown = build(partOf(table, 'ExtraConfigColumns') ?? getTableColumns(table))
  const extras: readonly object[] = Object.values(Object(Array.isArray(built) ? built.flat(1) : built))
  return (builder) => extras.filter((extra) => entityNames(extra).some((name) => name.endsWith(builder)))
}

/** The fields of these columns. */
export const fieldsOf = (table: Table, named: readonly Named[]): readonly string[] =>
  named.flatMap(({ name }) => columnsOf(table).find(([, column]) => column.name === name)?.[0] ?? [])

const columnsOf = (table: Table): readonly (readonly [string, Column])[] =>
  Object.entries(getTableColumns(table))

const primaryKeyOf = (table: Table, extras: Extras): readonly string[] => {
  const [composite] = extras('PrimaryKeyBuilder')
  if (composite?.columns !== undefined) return fieldsOf(table, composite.columns)
  return columnsOf(table).flatMap(([name, { primary }]) => (primary ? [name] : []))
}
