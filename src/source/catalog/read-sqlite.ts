import { checksIn } from './ddl.ts'
import type {
  Catalog,
  CatalogColumn,
  CatalogForeignKey,
  CatalogIndex,
  CatalogTable,
  ReadCatalog,
} from './facts.ts'
import { actionOf, byTable, literal, present, rowsOf, type TextRow, tableId } from './rows.ts'

/** Without tables of SQLite itself, and those that a virtual table keeps its data in. */
const OWN = `l.schema = 'main' and l.type <> 'shadow' and l.name not like 'sqlite\\_%' escape '\\'`

const tablesText = `select '' as "of", l.name as "table", l.type as "kind", l.wr as "wr", m.sql as "ddl"
  from pragma_table_list l left join sqlite_master m on m.name = l.name and m.type in ('table', 'view')
  where ${OWN} order by l.name`

const columnsText = (where: string): string =>
  `select '' as "of", l.name as "table", c.name as "column", c.type as "type", c."notnull" as "filled", c.dflt_value as "value", c.pk as "key", c.hidden as "hidden"
  from pragma_table_list l join pragma_table_xinfo(l.name, l.schema) c where ${OWN} and ${where} order by l.name, c.cid`

const indexesText = `select '' as "of", l.name as "table", i.name as "index", i."unique" as "isUnique", i.origin as "origin", i.partial as "partial", x.name as "column"
  from pragma_table_list l join pragma_index_list(l.name, l.schema) i join pragma_index_xinfo(i.name, l.schema) x
  where ${OWN} and l.type = 'table' and x.key = 1 order by l.name, i.name, x.seqno`

const keysText = `select '' as "of", l.name as "table", f.id as "id", f."table" as "target", f."from" as "source", f."to" as "reference", f.on_delete as "deleting"
  from pragma_table_list l join pragma_foreign_key_list(l.name, l.schema) f
  where ${OWN} and l.type = 'table' order by l.name, f.id desc, f.seq`

/** Reads the catalog of SQLite, from its pragmas and the statements that it keeps. */
export const readSqlite: ReadCatalog = async (query): Promise<Catalog> => {
  const tables = await rowsOf(query, tablesText)
  const columns = byTable(await rowsOf(query, columnsText(`l.type = 'table'`)))
  const [indexes, keys] = [byTable(await rowsOf(query, indexesText)), byTable(await rowsOf(query, keysText))]
  // SQLite cannot describe a view of a missing table, or a virtual table of an unknown module, and then fails the whole statement.
  const others = new Map<string, readonly TextRow[] | string>()
  for (const [, name, kind] of tables)
    if (kind !== 'table') others.set(name ?? '', await columnsOrReason(query, name ?? ''))
  const keyColumns = new Map(
    tables.map(([, name]) => [lower(name), keyOf(columns.get(tableId('', name)) ?? [])]),
  )
  return {
    version: '',
    tables: tables.map((row): CatalogTable => {
      const [, name, kind, , ddl] = row
      const id = tableId('', name)
      const described = kind === 'table' ? (columns.get(id) ?? []) : (others.get(name ?? '') ?? [])
      const rows = typeof described === 'string' ? [] : described
      const indexed = indexes.get(id) ?? []
      return {
        name: name ?? '',
        isView: kind === 'view',
        ...(typeof described === 'string' && { unreadable: described }),
        columns: rows.flatMap((column) => columnOf(column, isRowid(row, rows, indexed))),
        primaryKey: keyOf(rows),
        indexes: indexesOf(indexed),
        foreignKeys: foreignKeysOf(keys.get(id) ?? [], keyColumns),
        checks: kind === 'table' ? checksIn(ddl ?? '') : [],
      }
    }),
  }
}

const columnsOrReason = async (
  query: Parameters<ReadCatalog>[0],
  name: string,
): Promise<readonly TextRow[] | string> => {
  try {
    return await rowsOf(query, columnsText(`l.name = ${literal(name)}`))
  } catch {
    return 'SQLite cannot describe it'
  }
}

const lower = (name: string | null | undefined): string => (name ?? '').toLowerCase()

const keyOf = (rows: readonly TextRow[]): readonly string[] =>
  rows
    .filter((row) => Number(row[6]) > 0)
    .toSorted((one, other) => Number(one[6]) - Number(other[6]))
    .map((row) => row[2] ?? '')

/** Whether the key is the number of the row, which SQLite counts up. */
const isRowid = (
  [, , kind, isWithout]: TextRow,
  columns: readonly TextRow[],
  indexes: readonly TextRow[],
): boolean => {
  const keys = columns.filter((row) => Number(row[6]) > 0)
  // The key of `integer primary key desc` has an index, because it is not the number of the row.
  const hasIndex = indexes.some(([, , , , origin]) => origin === 'pk')
  return (
    kind === 'table' &&
    isWithout === '0' &&
    !hasIndex &&
    keys.length === 1 &&
    lower(keys[0]?.[3]) === 'integer'
  )
}

const columnOf = (row: TextRow, countsUp: boolean): readonly CatalogColumn[] => {
  const [, , name, type, isFilled, value, key, hidden] = row
  // 1: a hidden column of a virtual table.
  if (hidden === '1') return []
  return [
    {
      name: name ?? '',
      type: type ?? '',
      nullable: isFilled === '0' && key === '0',
      isGenerated: hidden === '2' || hidden === '3',
      ...(key !== '0' && countsUp && { identity: 'by default' as const }),
      ...present('default', value),
    },
  ]
}

/** An index has a row for each column, whose name is null for an expression. */
const indexesOf = (rows: readonly TextRow[]): readonly CatalogIndex[] =>
  [...Map.groupBy(rows, (row) => row[2] ?? '')].flatMap(([name, parts]) => {
    const [, , , isUnique, origin, partial] = parts[0] ?? []
    const columns = parts.flatMap((part) => part[6] ?? [])
    if (origin === 'pk' || partial === '1' || columns.length < parts.length) return []
    return [{ name, columns, isUnique: isUnique === '1' }]
  })

/** A key without a list of columns refers to the primary key. SQLite ignores the case of names. */
const foreignKeysOf = (
  rows: readonly TextRow[],
  keyColumns: ReadonlyMap<string, readonly string[]>,
): readonly CatalogForeignKey[] =>
  [...Map.groupBy(rows, (row) => row[2] ?? '').values()].map((parts) => {
    const [, , , table, , , deleting] = parts[0] ?? []
    const key = keyColumns.get(lower(table)) ?? []
    return {
      columns: parts.map((part) => part[4] ?? ''),
      table: table ?? '',
      references: parts.map((part, at) => part[5] ?? key[at] ?? ''),
      onDelete: actionOf(deleting),
    }
  })
