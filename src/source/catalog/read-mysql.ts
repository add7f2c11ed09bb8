import { StartError, suggest } from '../../error/errors.ts'
import type {
  Catalog,
  CatalogCheck,
  CatalogColumn,
  CatalogForeignKey,
  CatalogIndex,
  CatalogTable,
  ReadCatalog,
} from './facts.ts'
import { actionOf, byTable, literal, present, rowsOf, type TextRow, tableId } from './rows.ts'

const inSchemas = (column: string, schemas: string): string => `${column} in (${schemas})`

const tablesText = (schemas: string): string =>
  `select table_schema as s, table_name as t, table_type as k, table_comment as c from information_schema.tables
    where ${inSchemas('table_schema', schemas)} and table_type in ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') order by 1, 2`

const columnsText = (schemas: string): string =>
  `select c.table_schema as s, c.table_name as t, c.column_name as n, c.column_type as k, c.is_nullable as f, c.column_default as d,
      c.extra as e, c.generation_expression as g, case when c.collation_name <> t.table_collation then c.collation_name end as l, c.column_comment as o
    from information_schema.columns c join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where ${inSchemas('c.table_schema', schemas)} order by 1, 2, c.ordinal_position`

/** @param part the expression of a part of an index, which MariaDB does not have */
const indexesText = (schemas: string, part: string): string =>
  `select table_schema as s, table_name as t, index_name as n, non_unique as u, column_name as c, sub_part as p, ${part} as e
    from information_schema.statistics where ${inSchemas('table_schema', schemas)} and index_type <> 'FULLTEXT' and index_type <> 'SPATIAL'
    order by 1, 2, 3, seq_in_index`

const keysText = (schemas: string): string =>
  `select k.table_schema as s, k.table_name as t, k.constraint_name as n, k.column_name as c, k.referenced_table_schema as rs,
      k.referenced_table_name as rt, k.referenced_column_name as rc, r.delete_rule as d
    from information_schema.key_column_usage k join information_schema.referential_constraints r
      on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
    where ${inSchemas('k.table_schema', schemas)} and k.referenced_table_name is not null order by 1, 2, 3, k.ordinal_position`

/** The names of checks are those of a table in MariaDB. */
const mariaChecksText = (schemas: string): string =>
  `select constraint_schema as s, table_name as t, constraint_name as n, check_clause as e
    from information_schema.check_constraints where ${inSchemas('constraint_schema', schemas)} order by 1, 2, 3`

/** They are those of a schema in MySQL. */
const mysqlChecksText = (schemas: string): string =>
  `select c.constraint_schema as s, t.table_name as t, c.constraint_name as n, c.check_clause as e
    from information_schema.check_constraints c join information_schema.table_constraints t
      on t.constraint_schema = c.constraint_schema and t.constraint_name = c.constraint_name and t.constraint_type = 'CHECK'
    where ${inSchemas('c.constraint_schema', schemas)} order by 1, 2, 3`

/** Reads the catalog of MySQL or MariaDB, whose `information_schema` has the exact types. */
export const readMysql: ReadCatalog = async (query, { schemas }): Promise<Catalog> => {
  const [[current, version] = []] = await rowsOf(query, 'select database() as d, version() as v')
  const read = schemas ?? (current ? [current] : [])
  const isMaria = /mariadb/i.test(version ?? '')
  await assertSchemas(read, schemas === undefined, async () =>
    (await rowsOf(query, 'select schema_name as n from information_schema.schemata order by 1')).map(
      ([name]) => name ?? '',
    ),
  )
  const list = read.map(literal).join(', ')
  const tables = await rowsOf(query, tablesText(list))
  const [columns, indexes, keys, checks] = [
    byTable(await rowsOf(query, columnsText(list))),
    byTable(await rowsOf(query, indexesText(list, isMaria ? 'null' : 'expression'))),
    byTable(await rowsOf(query, keysText(list))),
    byTable(await rowsOf(query, isMaria ? mariaChecksText(list) : mysqlChecksText(list))),
  ]
  return {
    version: version ?? '',
    tables: tables.map(([schema, name, kind, comment]): CatalogTable => {
      const id = tableId(schema, name)
      const indexed = Map.groupBy(indexes.get(id) ?? [], (row) => row[2] ?? '')
      const checked = (checks.get(id) ?? []).map(checkOf)
      const isView = kind === 'VIEW'
      return {
        ...present('schema', schema),
        name: name ?? '',
        isView,
        // The comment of a view is `VIEW`.
        ...(!isView && present('comment', comment)),
        columns: (columns.get(id) ?? []).map((row) => columnOf(row, isMaria, checked)),
        primaryKey: (indexed.get('PRIMARY') ?? []).map((row) => row[4] ?? ''),
        indexes: [...indexed].flatMap(([index, parts]) => (index === 'PRIMARY' ? [] : indexOf(index, parts))),
        foreignKeys: [...Map.groupBy(keys.get(id) ?? [], (row) => row[2] ?? '')].map(foreignKeyOf),
        checks: checked,
      }
    }),
  }
}

const assertSchemas = async (
  read: readonly string[],
  isDefault: boolean,
  known: () => Promise<readonly string[]>,
): Promise<void> => {
  if (read.length === 0)
    throw new StartError(
      'The connection does not name a database. Add its name to the URL, such as mysql://localhost/shop.',
    )
  if (isDefault) return
  const names = await known()
  const unknown = read.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new StartError(`The server does not have the database ${unknown}.${suggest(unknown, names)}`)
}

const columnOf = (row: TextRow, isMaria: boolean, checks: readonly CatalogCheck[]): CatalogColumn => {
  const [, , name, type, isNullable, value, extra, generation, collation, comment] = row
  const more = (extra ?? '').toLowerCase()
  const isGenerated = generation !== null && generation !== undefined && generation !== ''
  const isJson =
    isMaria &&
    type === 'longtext' &&
    checks.some(({ expression }) => expression === `json_valid(\`${name}\`)`)
  const shown = isMaria ? value : mysqlDefault(value, more, type ?? '')
  return {
    name: name ?? '',
    type: isJson ? 'json' : (type ?? ''),
    nullable: isNullable === 'YES',
    isGenerated,
    ...(more.includes('auto_increment') && { identity: 'by default' as const }),
    ...(!isGenerated && shown !== 'NULL' && present('default', shown)),
    ...present('collation', collation),
    ...present('comment', comment),
  }
}

const numeric = /^(tiny|small|medium|big)?int|^(decimal|float|double|bit|year)/

/** MySQL shows the default as a value, unless `extra` says that it is an expression. */
const mysqlDefault = (value: string | null | undefined, extra: string, type: string): string | null => {
  if (value === null || value === undefined) return null
  if (extra.includes('default_generated') || numeric.test(type)) return value
  return literal(value)
}

/** A part may be an expression, or only the beginning of a column. */
const indexOf = (name: string, parts: readonly TextRow[]): readonly CatalogIndex[] => {
  const columns = parts.flatMap(([, , , , column, sub]) => (column && !sub ? [column] : []))
  if (columns.length < parts.length) return []
  return [{ name, columns, isUnique: parts[0]?.[3] === '0' }]
}

const foreignKeyOf = ([name, parts]: [string, readonly TextRow[]]): CatalogForeignKey => {
  const [, , , , schema, table, , deleting] = parts[0] ?? []
  return {
    name,
    columns: parts.map((part) => part[3] ?? ''),
    ...present('schema', schema),
    table: table ?? '',
    references: parts.map((part) => part[6] ?? ''),
    onDelete: actionOf(deleting),
  }
}

/** MySQL shows the whole check as a string: `` (`state` in (_utf8mb4\'new\')) ``. */
const checkOf = ([, , name, clause]: TextRow): CatalogCheck => {
  const text = clause ?? ''
  const plain = /_\w+\\'/.test(text) ? text.replaceAll(/\\(['\\])/g, '$1') : text
  return { ...present('name', name), expression: plain.replaceAll("\\'", "''") }
}
