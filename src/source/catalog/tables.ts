import type { Note } from '../notes.ts'
import type { SqlColumn, SqlForeignKey, SqlIndex, SqlTable } from '../sql/stated-tables.ts'
import type { Dialect } from '../sql/text.ts'
import { readColumn } from './columns.ts'
import { choiceIn, identifiersIn } from './ddl.ts'
import type { Catalog, CatalogColumn, CatalogForeignKey, CatalogTable } from './facts.ts'
import { fieldNames, modelNames } from './names.ts'
import { tableId } from './rows.ts'

/** How tables become models. */
export interface CatalogNaming {
  /** The name of the field of a column. @default the name of the column */
  readonly fieldName?: (column: string) => string
  /** Names of tables and views without a primary key -> the columns that tell their records apart. @default clients only list them */
  readonly keys?: Readonly<Record<string, readonly string[]>>
  /** Whether descriptions are the comments of the database. @default false */
  readonly comments?: boolean
}

/** A table or column whose name is not one that requests can have, or is taken. */
export interface RenamedPlace {
  /** `order items`, or `order items.unit price` */
  readonly place: string
  /** That of the model or field. */
  readonly name: string
}

export interface CatalogTables {
  readonly tables: readonly SqlTable[]
  /** Tables and columns that clients do not have or cannot write. */
  readonly notes: readonly Note[]
  readonly renamed: readonly RenamedPlace[]
  /** Models whose new records need a value that clients cannot write. */
  readonly uncreatable: readonly string[]
}

/** A table that is served, with the names of its model and fields. */
interface ServedTable {
  readonly table: CatalogTable
  readonly name: string
  readonly primaryKey: readonly string[]
  readonly columns: readonly SqlColumn[]
  readonly isCreatable: boolean
}

/** What `sqlSource` needs to know about the tables of a catalog. */
export const catalogTables = (
  { tables, version }: Catalog,
  dialect: Dialect,
  naming: CatalogNaming = {},
): CatalogTables => {
  const notes: Note[] = []
  const renamed: RenamedPlace[] = []
  const readable = tables.filter(({ name, unreadable: why }) => {
    if (why !== undefined) notes.push({ place: name, becomes: 'left out', why })
    return why === undefined
  })
  const names = modelNames(readable)
  const hidesKeys = dialect === 'mysql' && !/mariadb/i.test(version)
  const served = readable.flatMap((table, at): readonly ServedTable[] => {
    const { name = '', isChanged = false } = names[at] ?? {}
    const primaryKey = keyOf(table, naming)
    const { columns, isCreatable, ...about } = columnsOf(table, dialect, naming, hidesKeys)
    const lost = about.notes.find(({ place }) => primaryKey.some((key) => place === `${table.name}.${key}`))
    if (lost !== undefined) {
      notes.push({
        place: table.name,
        becomes: 'left out',
        why: `modelrest does not know the type of ${lost.place}, a part of its primary key`,
      })
      return []
    }
    notes.push(...about.notes)
    renamed.push(...(isChanged ? [{ place: table.name, name }] : []), ...about.renamed)
    return [{ table, name, primaryKey, columns, isCreatable }]
  })
  const uncreatable = served.filter(({ isCreatable }) => !isCreatable).map(({ name }) => name)
  return { tables: served.map((one) => tableOf(one, served, naming, dialect)), notes, renamed, uncreatable }
}

/** A table without a primary key has one in a unique index without nulls. */
const keyOf = (table: CatalogTable, { keys = {} }: CatalogNaming): readonly string[] => {
  if (table.primaryKey.length > 0) return table.primaryKey
  const chosen = Object.entries(keys).find(([name]) => name === table.name)?.[1]
  if (chosen !== undefined) return chosen
  const filled = new Set(table.columns.filter(({ nullable }) => !nullable).map(({ name }) => name))
  const unique = table.indexes.filter(
    (index) => index.isUnique && index.columns.every((name) => filled.has(name)),
  )
  return unique.toSorted((one, other) => one.columns.length - other.columns.length)[0]?.columns ?? []
}

const columnsOf = (table: CatalogTable, dialect: Dialect, naming: CatalogNaming, hidesKeys: boolean) => {
  const { fieldName = (column) => column, comments: hasComments = false } = naming
  const names = fieldNames(
    table.columns.map(({ name }) => name),
    fieldName,
  )
  const choices = choicesOf(table)
  const key = keyOf(table, naming)
  const notes: Note[] = []
  const renamed: RenamedPlace[] = []
  const columns = table.columns.map((given, at): SqlColumn => {
    const { name: field = '', isChanged = false } = names[at] ?? {}
    const place = `${table.name}.${given.name}`
    const isKey = key.includes(given.name)
    const { column, reason } = readColumn(isKey ? { ...given, nullable: false } : given, {
      ...{ field, dialect, isKey, hasComments, hidesKeys, choice: choices.get(given.name.toLowerCase()) },
    })
    if (reason !== undefined)
      notes.push({ place, becomes: 'read-only', why: `modelrest does not know the type ${reason}` })
    if (isChanged) renamed.push({ place, name: field })
    return column
  })
  const isFilled = ({ name, nullable, isGenerated, default: value }: CatalogColumn): boolean =>
    nullable ||
    isGenerated ||
    value !== undefined ||
    !notes.some(({ place }) => place === `${table.name}.${name}`)
  return { columns, notes, renamed, isCreatable: table.columns.every(isFilled) }
}

const choicesOf = ({ checks }: CatalogTable): ReadonlyMap<string, readonly string[]> =>
  new Map(
    checks.flatMap(({ expression }) => {
      const choice = choiceIn(expression)
      return choice === undefined ? [] : [[choice.column.toLowerCase(), choice.values] as const]
    }),
  )

const tableOf = (
  one: ServedTable,
  all: readonly ServedTable[],
  { comments = false }: CatalogNaming,
  dialect: Dialect,
): SqlTable => {
  const { table, name, columns, primaryKey } = one
  const indexes = table.indexes.flatMap(({ name: index, columns: names, isUnique }): readonly SqlIndex[] => {
    const fields = fieldsOf(one, names, dialect)
    return fields === undefined ? [] : [{ fields, name: index, ...(isUnique && { unique: true }) }]
  })
  const links = table.foreignKeys.map((key) => ({ key, link: linkOf(one, key, all, dialect) }))
  // A key to a table that is not served still limits what the column may hold.
  const foreign = new Set(links.flatMap(({ key, link }) => (link === undefined ? key.columns : [])))
  const isForeign = ({ column = '' }: SqlColumn): boolean =>
    [...foreign].some((other) => isSame(other, column, dialect))
  return {
    ...{ name, table: table.name, primaryKey: fieldsOf(one, primaryKey, dialect) ?? [] },
    ...(table.schema !== undefined && { schema: table.schema }),
    ...(table.isView && { readOnly: true }),
    ...(comments && table.comment !== undefined && { description: table.comment }),
    columns: columns.map((column) => (isForeign(column) ? { ...column, foreign: true as const } : column)),
    indexes,
    foreignKeys: links.flatMap(({ link }) => link ?? []),
    checks: table.checks.flatMap(({ name: check, expression }) =>
      check === undefined ? [] : [{ name: check, fields: fieldsNamedIn(one, expression) }],
    ),
  }
}

/** SQLite ignores the case of names. */
const isSame = (name: string, other: string, dialect: Dialect): boolean =>
  name === other || (dialect === 'sqlite' && name.toLowerCase() === other.toLowerCase())

/** `undefined`: a column is left out. */
const fieldsOf = (
  { columns }: ServedTable,
  names: readonly string[],
  dialect: Dialect,
): readonly string[] | undefined => {
  const fields = names.flatMap(
    (name) => columns.find(({ column = '' }) => isSame(name, column, dialect))?.name ?? [],
  )
  return fields.length === names.length && fields.length > 0 ? fields : undefined
}

const linkOf = (
  one: ServedTable,
  key: CatalogForeignKey,
  all: readonly ServedTable[],
  dialect: Dialect,
): SqlForeignKey | undefined => {
  const schema = key.schema ?? one.table.schema
  const target = all.find(({ table }) =>
    dialect === 'sqlite'
      ? isSame(table.name, key.table, dialect)
      : tableId(table.schema, table.name) === tableId(schema, key.table),
  )
  const fields = fieldsOf(one, key.columns, dialect)
  const references = target && fieldsOf(target, key.references, dialect)
  if (target === undefined || fields === undefined || references === undefined) return undefined
  return { fields, model: target.name, references, onDelete: key.onDelete }
}

const fieldsNamedIn = ({ columns }: ServedTable, expression: string): readonly string[] => {
  const names = identifiersIn(expression)
  return columns.flatMap(({ name, column = name }) => (names.has(column.toLowerCase()) ? [name] : []))
}
