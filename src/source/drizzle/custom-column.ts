import { Column, is, SQL } from 'drizzle-orm'
import type { FieldKind } from '../../model/field-kinds.ts'
import type { ColumnFacts, SqlTypes } from './column-facts.ts'
import { mysqlSqlTypes } from './kinds-mysql.ts'
import { pgSqlTypes } from './kinds-pg.ts'
import { sqliteSqlTypes } from './kinds-sqlite.ts'
import { parseSqlType, type SqlType } from './sql-type.ts'
import type { Dialect } from './table.ts'

/** What `customType` of drizzle makes. */
export type CustomColumn = Column & {
  readonly mapFrom?: ((raw: unknown) => unknown) | undefined
  readonly mapTo?: ((value: unknown) => unknown) | undefined
}

export const isCustom = ({ columnType }: Column): boolean =>
  /^(?:SQLite|Pg|MySql)CustomColumn$/.test(columnType)

export const hasMappers = ({ mapFrom, mapTo }: CustomColumn): boolean =>
  typeof mapFrom === 'function' || typeof mapTo === 'function'

const sqlTypes: Readonly<Record<Dialect, SqlTypes>> = {
  sqlite: sqliteSqlTypes,
  pg: pgSqlTypes,
  mysql: mysqlSqlTypes,
}

/**
 * A custom column as the built-in one of its SQL type: the same column, but for what it says of its type, so that all that
 * is done for a type is done for it. Its own mappers stay. `undefined`: no built-in column has such an SQL type.
 */
export const asBuiltIn = (column: CustomColumn, dialect: Dialect): Column | undefined => {
  const type = parseSqlType(column.getSQLType())
  const facts = type && factsOf(type, dialect)
  if (type === undefined || facts === undefined) return undefined
  const arrays = dialect === 'pg' ? type.arrays : []
  if (arrays.length !== type.arrays.length) return undefined
  const own = hasMappers(column)
  const element = varied(column, own && arrays.length === 0 ? facts : { ...facts, ...plainMappers(facts) })
  return arrays.reduceRight<Column>(
    (baseColumn, size, place) =>
      varied(column, {
        columnType: 'PgArray',
        baseColumn,
        size,
        ...(place > 0 || own ? {} : plainMappers({ columnType: 'PgArray' })),
      }),
    element,
  )
}

/** The column with other facts. Those that are `undefined` hide its own. */
export const varied = (column: Column, facts: object): Column =>
  Object.create(
    column,
    Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, { value, enumerable: true }])),
  )

/** Each row of the kinds looks at the facts that it needs: the first argument is a length to one, a precision to another. */
const factsOf = (
  type: SqlType,
  dialect: Dialect,
): (Partial<ColumnFacts> & { columnType: string }) | undefined => {
  const { name, args, unsigned, collated } = type
  const types = sqlTypes[dialect]
  const columnType = [`${name}(${args})`, name].find((known) => Object.hasOwn(types, known))
  if (columnType === undefined) return undefined
  const [first, second] = args.map((text) => (/^\d+$/.test(text) ? Number(text) : undefined))
  return {
    columnType: types[columnType] ?? '',
    length: first,
    precision: first,
    fsp: first,
    scale: second,
    dimensions: first,
    withTimezone: / with time zone$|tz$/.test(name),
    textType: name,
    enumValues: name === 'enum' ? args : undefined,
    unsigned,
    collated,
  }
}

interface Mappers {
  readonly mapFromDriverValue?: (raw: unknown) => unknown
  readonly mapToDriverValue?: (value: unknown) => unknown
}

/** JSON as drivers give it: some as text, some parsed. */
export const parsed = (raw: unknown): unknown => (typeof raw === 'string' ? JSON.parse(raw) : raw)
const textJson: Mappers = {
  mapFromDriverValue: (raw) => JSON.parse(String(raw)),
  mapToDriverValue: (value) => JSON.stringify(value),
}
const pgJson: Mappers = { mapFromDriverValue: parsed, mapToDriverValue: (value) => JSON.stringify(value) }
const asNumber: Mappers = { mapFromDriverValue: Number }
const asText: Mappers = { mapFromDriverValue: String }
const numberedBoolean: Mappers = { mapFromDriverValue: (raw) => Number(raw) !== 0, mapToDriverValue: Number }

/** What the built-in columns do, and a custom column without mappers does not. */
const plain: Readonly<Record<string, Mappers>> = {
  MySqlBigInt53: asNumber,
  MySqlBoolean: numberedBoolean,
  MySqlDecimal: asText,
  MySqlJson: textJson,
  PgArray: { mapToDriverValue: (value) => arrayText(value as readonly unknown[]) },
  PgBigIntText: asText,
  PgJson: pgJson,
  PgJsonb: pgJson,
  PgHalfVector: textJson,
  PgNumeric: asText,
  PgVector: textJson,
  SQLiteBlobBuffer: {
    mapFromDriverValue: (raw) => (raw instanceof ArrayBuffer ? new Uint8Array(raw) : raw),
  },
  SQLiteBoolean: numberedBoolean,
  SQLiteNumeric: asText,
  SQLiteTextJson: textJson,
}

const plainMappers = ({ columnType }: { readonly columnType: string }): Required<Mappers> => ({
  mapFromDriverValue: Column.prototype.mapFromDriverValue,
  mapToDriverValue: Column.prototype.mapToDriverValue,
  ...plain[columnType],
})

/** What stands between a column without mappers and a kind that it is stated to be of. */
export const codecFor = (held: FieldKind, stated: FieldKind): Mappers => {
  if (held === stated) return {}
  if (stated === 'json' && held === 'text') return textJson
  if (stated === 'boolean') return numberedBoolean
  if (stated === 'integer' || stated === 'float') return asNumber
  return held === 'opaque' && stated !== 'bytes' ? asText : {}
}

/**
 * What a column's own mapper makes of a value. JSON and arrays that it leaves as they are become text: drivers do not
 * agree on them.
 */
export const madeBy = (
  column: CustomColumn,
  value: unknown,
  { kind }: { readonly kind: FieldKind },
): unknown => {
  const made: unknown = column.mapToDriverValue(value)
  if (kind === 'array') return Array.isArray(made) ? arrayText(made) : made
  const isText = kind !== 'json' || is(made, SQL) || (typeof made === 'string' && made !== value)
  return isText ? made : JSON.stringify(made)
}

/** An array as PostgreSQL writes one. */
export const arrayText = (values: readonly unknown[]): string => `{${values.map(elementText).join()}}`

const elementText = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return arrayText(value)
  const text =
    value instanceof Date
      ? value.toISOString()
      : value instanceof Uint8Array
        ? `\\x${Buffer.from(value).toString('hex')}`
        : String(value)
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
