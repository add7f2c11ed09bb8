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

/** Tables, partitioned tables, foreign tables and views, without partitions and without those of an extension. */
const relations = (schemas: string): string => `from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'f', 'v', 'm') and not c.relispartition and n.nspname = any (${schemas})
  and not exists (select from pg_catalog.pg_depend e where e.classid = 'pg_catalog.pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')`

const tablesText = (schemas: string): string => `select n.nspname::text as "of", c.relname::text as "table",
    c.relkind::text as "kind", pg_catalog.obj_description(c.oid, 'pg_class') as "comment",
    (pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_any_column_privilege(c.oid, 'select'))::int::text as "isReadable"
  ${relations(schemas)} order by 1, 2`

/** A domain, and a domain over it, has the type below it. */
const columnsText = (schemas: string): string => `with recursive base (id, type, mod, of) as (
    select oid, oid, -1, 0 from pg_catalog.pg_type
    union all select b.id, t.typbasetype, t.typtypmod, b.of + 1 from base b join pg_catalog.pg_type t on t.oid = b.type where t.typtype = 'd'),
  of_type as (select distinct on (id) id, type, mod, of from base order by id, of desc)
  select r.of as "of", r.relation as "table", a.attname::text as "column",
    pg_catalog.format_type(b.type, case when b.of = 0 then a.atttypmod else b.mod end) as "type",
    (a.attnotnull or d.typnotnull)::int::text as "filled", pg_catalog.pg_get_expr(f.adbin, f.adrelid) as "value",
    a.attidentity::text as "identity", a.attgenerated::text as "generated",
    (select pg_catalog.json_agg(l.enumlabel::text order by l.enumsortorder)::text from pg_catalog.pg_enum l
      where l.enumtypid = case when t.typelem <> 0 and t.typcategory = 'A' then t.typelem else b.type end) as "labels",
    case when a.attcollation <> d.typcollation then o.collname::text end as "collation",
    pg_catalog.col_description(a.attrelid, a.attnum) as "comment"
  from (select c.oid, n.nspname::text as of, c.relname::text as relation ${relations(schemas)}) r
  join pg_catalog.pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  join pg_catalog.pg_type d on d.oid = a.atttypid
  join of_type b on b.id = a.atttypid
  join pg_catalog.pg_type t on t.oid = b.type
  left join pg_catalog.pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
  left join pg_catalog.pg_collation o on o.oid = a.attcollation
  order by 1, 2, a.attnum`

/** The names of columns with these numbers, as JSON. */
const names = (relation: string, numbers: string): string =>
  `(select pg_catalog.json_agg(a.attname::text order by u.place)::text from pg_catalog.unnest(${numbers}) with ordinality u (number, place)
    left join pg_catalog.pg_attribute a on a.attrelid = ${relation} and a.attnum = u.number and u.number > 0)`

const constraintsText = (
  schemas: string,
): string => `select r.of as "of", r.relation as "table", k.conname::text as "name",
    k.contype::text as "kind", ${names('k.conrelid', 'k.conkey')} as "columns", s.nspname::text as "schema", f.relname::text as "target",
    ${names('k.confrelid', 'k.confkey')} as "references", k.confdeltype::text as "deleting",
    case when k.contype = 'c' then pg_catalog.pg_get_expr(k.conbin, k.conrelid) end as "check"
  from (select c.oid, n.nspname::text as of, c.relname::text as relation ${relations(schemas)}) r
  join pg_catalog.pg_constraint k on k.conrelid = r.oid and k.contype in ('p', 'f', 'c') and k.conparentid = 0
  left join pg_catalog.pg_class f on f.oid = k.confrelid left join pg_catalog.pg_namespace s on s.oid = f.relnamespace
  order by 1, 2, 3`

const indexesText = (
  schemas: string,
): string => `select r.of as "of", r.relation as "table", x.relname::text as "name",
    i.indisunique::int::text as "isUnique", ${names('i.indrelid', '(i.indkey::int2[])[0:i.indnkeyatts - 1]')} as "columns"
  from (select c.oid, n.nspname::text as of, c.relname::text as relation ${relations(schemas)}) r
  join pg_catalog.pg_index i on i.indrelid = r.oid and not i.indisprimary and i.indisvalid and i.indpred is null
  join pg_catalog.pg_class x on x.oid = i.indexrelid
  order by 1, 2, 3`

/** Reads the catalog of PostgreSQL. */
export const readPg: ReadCatalog = async (query, { schemas }): Promise<Catalog> => {
  const [about = []] = await rowsOf(
    query,
    `select pg_catalog.to_json(pg_catalog.current_schemas(false))::text as "current", pg_catalog.version() as "version",
      (select pg_catalog.json_agg(nspname::text order by 1)::text from pg_catalog.pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema') as "all"`,
  )
  const known = listOf(about[2])
  const unknown = schemas?.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new StartError(`The database does not have the schema ${unknown}.${suggest(unknown, known)}`)
  const read = schemas ?? listOf(about[0])
  if (read.length === 0) return { version: about[1] ?? '', tables: [] }
  const list = `array[${read.map(literal).join(', ')}]::name[]`
  const tables = await rowsOf(query, tablesText(list))
  const [columns, constraints, indexes] = [
    byTable(await rowsOf(query, columnsText(list))),
    byTable(await rowsOf(query, constraintsText(list))),
    byTable(await rowsOf(query, indexesText(list))),
  ]
  return {
    version: about[1] ?? '',
    tables: tables.map(([schema, name, kind, comment, isReadable]): CatalogTable => {
      const id = tableId(schema, name)
      const constrained = constraints.get(id) ?? []
      return {
        ...present('schema', schema),
        name: name ?? '',
        isView: kind === 'v' || kind === 'm',
        ...present('comment', comment),
        ...(isReadable === '0' && { unreadable: 'the user may not select from it' }),
        columns: (columns.get(id) ?? []).map(columnOf),
        primaryKey: constrained.filter(([, , , type]) => type === 'p').flatMap((row) => listOf(row[4])),
        indexes: (indexes.get(id) ?? []).flatMap(indexOf),
        foreignKeys: constrained.filter(([, , , type]) => type === 'f').map(foreignKeyOf),
        checks: constrained.filter(([, , , type]) => type === 'c').map(checkOf),
      }
    }),
  }
}

/** A list of names as JSON. */
const listOf = (json: string | null | undefined): readonly string[] =>
  json === null || json === undefined ? [] : (JSON.parse(json) as readonly string[])

/** Tables from before identities count up by the default. */
const sequence = /^nextval\(/i

const columnOf = (row: TextRow): CatalogColumn => {
  const [, , name, type, isFilled, value, identity, generated, labels, collation, comment] = row
  const isGenerated = generated !== '' && generated !== null
  const isCounted = identity === 'd' || (!isGenerated && sequence.test(value ?? ''))
  return {
    name: name ?? '',
    type: type ?? '',
    nullable: isFilled === '0',
    isGenerated,
    ...(labels !== null && { values: listOf(labels) }),
    ...(identity === 'a' && { identity: 'always' as const }),
    ...(isCounted && { identity: 'by default' as const }),
    ...(!isGenerated && present('default', value)),
    ...present('collation', collation),
    ...present('comment', comment),
  }
}

/** An expression has null in the place of a name. */
const indexOf = ([, , name, isUnique, columns]: TextRow): readonly CatalogIndex[] => {
  const found: readonly (string | null)[] = listOf(columns)
  const plain = found.filter((column) => column !== null)
  return plain.length < found.length || plain.length === 0
    ? []
    : [{ name: name ?? '', columns: plain, isUnique: isUnique === '1' }]
}

const deleting: ReadonlyMap<string | null | undefined, string> = new Map([
  ['c', 'cascade'],
  ['n', 'set null'],
  ['d', 'set default'],
  ['r', 'restrict'],
])

const foreignKeyOf = ([
  ,
  ,
  name,
  ,
  columns,
  schema,
  table,
  references,
  action,
]: TextRow): CatalogForeignKey => ({
  ...present('name', name),
  columns: listOf(columns),
  ...present('schema', schema),
  table: table ?? '',
  references: listOf(references),
  onDelete: actionOf(deleting.get(action)),
})

const checkOf = ([, , name, , , , , , , expression]: TextRow): CatalogCheck => ({
  ...present('name', name),
  expression: expression ?? '',
})
