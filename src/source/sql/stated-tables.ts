import { closestTo, StartError } from '../../error/errors.ts'
import type { FieldFacts, TableFacts } from '../../model/facts.ts'
import type { ForeignKeyFacts } from '../../model/foreign-keys.ts'
import { constantDefault } from '../../model/kinds/index.ts'
import type { Field, FieldKind, Model } from '../../model/model.ts'
import { describeModels } from '../../model/setup/describe.ts'
import { SourceError } from '../source.ts'
import { valueCapabilities } from './capabilities.ts'
import { type Codec, itself } from './codecs.ts'
import { dialectRows } from './dialects.ts'
import { columnOf } from './mapped-table.ts'
import { parseSqlType } from './sql-type.ts'
import { statedCodec } from './stated-codec.ts'
import type { Column, ForeignKey, Index, Table } from './table.ts'
import { type Dialect, type Sql, spellings, sql } from './text.ts'
import {
  choiceOf,
  declaredType,
  nativeArrayFacts,
  opaqueFacts,
  plainFacts,
  type TypeFacts,
  typeFacts,
  typeNames,
} from './types.ts'

/** Your conversion of the values of a column. Null is not converted. */
export interface SqlCodec {
  /** A value of the field for the driver. @throws SourceError `value` of `modelrest/source` if the column cannot hold it */
  readonly encode: (value: unknown) => unknown
  /** A value of the driver in the form of the field. @throws an error if it cannot be represented exactly */
  readonly decode: (raw: unknown) => unknown
  /** The SQL that reads the column. @default the column */
  readonly selected?: (column: Sql) => Sql
  /** The SQL that writes a parameter. @default the parameter */
  readonly written?: (parameter: Sql) => Sql
}

/** A column of a table, and the field that it becomes. Other facts about the field replace those that follow from the type. */
export interface SqlColumn
  extends Partial<Omit<FieldFacts, 'name' | 'form' | 'kind' | 'jsonPaths' | 'comparesElements'>> {
  /** The name of the field. */
  readonly name: string
  /** The name of the column. @default that of the field */
  readonly column?: string
  /**
   * Its type as in DDL, such as `varchar(100)`, `numeric(10, 2)`, `timestamp with time zone` or, in PostgreSQL, `text[]`. A
   * named enum has its `values`. In SQLite: `boolean` holds 0 and 1; `date`, `time`, `datetime` (UTC), `uuid` and `json` hold text; `decimal` holds
   * a number.
   */
  readonly type: string
  /** The kind of the field, such as `file` for a text. @default follows from `type` and `values` */
  readonly kind?: FieldKind
  /** The default of the column as an expression. SQLite needs it to set a column to its default: it has no keyword for that. */
  readonly defaultSql?: Sql
  /** The database counts up, so new records need no value. @default false */
  readonly autoIncrement?: boolean
  /** Makes the value of a new record that has none. MySQL needs it for keys that it would not return, such as UUIDs. */
  readonly makeDefault?: () => unknown
  /** Makes the value of each update that has none. */
  readonly makeUpdate?: () => unknown
  /** The collation that is declared for the column. @default that of the database */
  readonly collation?: string
  /**
   * For a `datetime` of SQLite: all its values have the form that modelrest writes, `2026-01-31 23:59:59.000`, also those that a
   * default or another program writes. Filters and sorts can then use an index of the column. By default, they compare
   * `strftime('%Y-%m-%d %H:%M:%f', column)`, so that values in other forms are found: an index needs this expression.
   *
   * @default false
   */
  readonly canonical?: boolean
  /** Your conversion of the values. @default follows from the type */
  readonly codec?: SqlCodec
}

/** An index of a table. The primary key needs none. */
export interface SqlIndex {
  /** Names of fields, in the order of the index. */
  readonly fields: readonly string[]
  /** No two records have the same values. @default false */
  readonly unique?: boolean
  /** Its name, by which MySQL refuses values. @default the name of the first column, as in MySQL */
  readonly name?: string
}

/** A foreign key of a table. */
export interface SqlForeignKey extends ForeignKeyFacts {
  /** What the database does when the referenced record is deleted. @default `no action`: it refuses */
  readonly onDelete?: 'cascade' | 'set null' | 'set default' | 'restrict' | 'no action'
}

/** A table or view, and the model that it becomes. */
export interface SqlTable
  extends Pick<TableFacts, 'name' | 'app' | 'primaryKey' | 'readOnly' | 'description'> {
  /** The name of the table. */
  readonly table: string
  /** Its schema in PostgreSQL, or database in MySQL. @default that of the connection */
  readonly schema?: string
  readonly columns: readonly SqlColumn[]
  /** @default none */
  readonly indexes?: readonly SqlIndex[]
  /** Keys to other tables of the source. For one to another table, set `foreign` of its columns. @default none */
  readonly foreignKeys?: readonly SqlForeignKey[]
  /** Named check constraints, so that refusals name the fields. @default none */
  readonly checks?: Table['checks']
}

const typeOf = ({ type, kind, values }: SqlColumn, dialect: Dialect): TypeFacts => {
  if (kind !== undefined) return plainFacts(kind)
  const { name, args, arrays } = parseSqlType(type) ?? { name: '', args: [], arrays: [] }
  const one =
    values !== undefined || name === 'enum'
      ? choiceOf(values ?? args)
      : typeFacts(declaredType(type), dialect)
  if (arrays.length === 0) return one
  return dialect === 'pg' && arrays.length === 1 ? nativeArrayFacts(one) : opaqueFacts
}

const unknownType = (place: string, type: string, dialect: Dialect): StartError => {
  const closest = closestTo(declaredType(type).name, typeNames(dialect))
  const meant = closest === '' ? '' : ` Did you mean ${closest}?`
  return new StartError(
    `${place}: ${type} is not a type of ${dialectRows[dialect].noun} that modelrest knows.${meant} Correct it, or set the kind of the field, such as kind: 'text'.`,
  )
}

const fieldOf = (model: string, given: SqlColumn, dialect: Dialect): FieldFacts => {
  const { column: _column, type, defaultSql, autoIncrement, makeDefault, makeUpdate, ...others } = given
  const { collation: _collation, canonical: _canonical, codec, ...facts } = others
  const base = typeOf(given, dialect)
  if (base === opaqueFacts && codec === undefined) throw unknownType(`${model}.${given.name}`, type, dialect)
  if (autoIncrement === true && base.kind !== 'integer' && base.kind !== 'bigint')
    throw new StartError(
      `${model}.${given.name}: autoIncrement needs an integer, but the type is ${type}. Remove autoIncrement, or correct the type.`,
    )
  const isFilled = [given.default, defaultSql, makeDefault, autoIncrement].some((one) => one !== undefined)
  return { hasDefault: isFilled || given.generated === true, ...base, ...facts }
}

const factsOf = (stated: SqlTable, dialect: Dialect): TableFacts => {
  const { columns, indexes = [], schema: _schema, checks: _checks, foreignKeys = [], ...facts } = stated
  return {
    ...facts,
    fields: columns.map((column) => fieldOf(stated.name, column, dialect)),
    uniques: indexes.filter(({ unique }) => unique === true).map(({ fields }) => fields),
    foreignKeys: foreignKeys.map(({ onDelete: _onDelete, ...key }) => key),
  }
}

const columnIn = (stated: SqlTable, given: SqlColumn, field: Field, dialect: Dialect): Column => {
  const { column = given.name, collation, defaultSql, autoIncrement, makeDefault, makeUpdate } = given
  const type = declaredType(given.type).name
  const constant = constantDefault(field)
  const codec = statedCodec({ field, type, collation, isMixed: given.canonical !== true }, dialect)
  const base = columnOf({ field, column, codec })
  return Object.freeze<Column>({
    ...{ ...base, codec: given.codec === undefined ? base.codec : ownCodec(base.codec, given.codec) },
    inQuery: sql`${sql.raw(nameOf(stated, dialect))}.${sql.identifier(column)}`,
    ...(autoIncrement === true && { autoIncrement }),
    ...(constant !== undefined && { default: { constant } }),
    ...(defaultSql !== undefined && { default: defaultSql }),
    ...(makeDefault && { makeDefault }),
    ...(makeUpdate && { makeUpdate }),
  })
}

/** Comparisons of a column that the application converts are those of its type. */
const ownCodec = (base: Codec, { encode, decode, selected, written }: SqlCodec): Codec => {
  const encoded = (value: unknown): unknown => (value === null ? null : encode(value))
  return {
    ...{ ...base, encode: encoded, encodeRanked: encoded, decode },
    encodeCompared: (value) => {
      try {
        return encoded(value)
      } catch (error) {
        // No record has a value that the column cannot hold.
        if (error instanceof SourceError) return null
        throw error
      }
    },
    selected: selected ?? itself,
    ...(written && { written }),
  }
}

const nameOf = ({ schema, table }: Pick<SqlTable, 'schema' | 'table'>, dialect: Dialect): string =>
  [schema, table].flatMap((name) => (name === undefined ? [] : spellings[dialect].quoted(name))).join('.')

const columnNamesOf = ({ columns }: SqlTable, fields: readonly string[]): readonly string[] =>
  fields.flatMap((field) => columns.flatMap(({ name, column = name }) => (name === field ? [column] : [])))

/** The names that indexes have in errors. */
const indexesOf = (stated: SqlTable): readonly Index[] => [
  { names: ['PRIMARY', `${stated.table}_pkey`], fields: stated.primaryKey, isWhole: true },
  ...(stated.indexes ?? []).map(({ name, fields }) => ({
    ...{ names: name === undefined ? columnNamesOf(stated, fields.slice(0, 1)) : [name], fields },
    isWhole: true,
  })),
]

const deletes: ReadonlySet<SqlForeignKey['onDelete']> = new Set([
  ...(['cascade', 'set null', 'set default'] as const),
])

/** The tables of an application, for the engine. @throws StartError for a mistake in them */
export const statedTables = (tables: readonly SqlTable[], dialect: Dialect): readonly Table[] => {
  const models = describeModels(
    tables.map((stated) => factsOf(stated, dialect)),
    valueCapabilities,
  )
  const byName = new Map(tables.map((stated) => [stated.name, stated]))
  const keyIn = ({ fields, model, references, onDelete }: SqlForeignKey): readonly ForeignKey[] => {
    const target = byName.get(model)
    if (target === undefined) return []
    const place = { table: nameOf(target, dialect), columns: columnNamesOf(target, references) }
    return [{ ...place, fields, references, restricts: !deletes.has(onDelete) }]
  }
  return tables.map((stated, at) => {
    const model = models[at] as Model
    return Object.freeze<Table>({
      ...{ model, name: stated.table, sql: nameOf(stated, dialect), isView: model.readOnly },
      columns: stated.columns.map((column, place) =>
        columnIn(stated, column, model.fields[place] as Field, dialect),
      ),
      indexes: indexesOf(stated),
      checks: stated.checks ?? [],
      foreignKeys: (stated.foreignKeys ?? []).filter(({ unchecked }) => unchecked !== true).flatMap(keyIn),
    })
  })
}
