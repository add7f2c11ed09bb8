import { Column, is, SQL } from 'drizzle-orm'
import type { FieldKind } from '../../model/model.ts'
import { factsOfSqlType } from './sql-types.ts'
import type { Dialect } from './tables.ts'

/** What `customType` of drizzle makes. */
export type CustomColumn = Column & {
  readonly mapFrom?: ((raw: unknown) => unknown) | undefined
  readonly mapTo?: ((value: unknown) => unknown) | undefined
}

export const isCustom = ({ columnType }: Column): boolean =>
  /^(?:SQLite|Pg|MySql)CustomColumn$/.test(columnType)

export const hasMappers = ({ mapFrom, mapTo }: CustomColumn): boolean =>
  typeof mapFrom === 'function' || typeof mapTo === 'function'

/**
 * A custom column as the built-in one of its SQL type: the same column, but for what it says of its type and for its
 * mappers, so that all that is done for a type is done for it. `undefined`: no built-in column has such an SQL type.
 */
export const asBuiltIn = (column: CustomColumn, dialect: Dialect): Column | undefined => {
  const type = factsOfSqlType(column.getSQLType(), dialect)
  return type?.arrays.reduceRight<Column>(
    (baseColumn, size) =>
      withFacts(column, { columnType: 'PgArray', baseColumn, size, ...plainMappers('PgArray') }),
    withFacts(column, { ...type.facts, ...plainMappers(type.facts.columnType) }),
  )
}

/** The column with other facts. Those that are `undefined` hide its own. */
export const withFacts = (column: Column, facts: object): Column =>
  Object.create(
    column,
    Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, { value, enumerable: true }])),
  )

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

const plainMappers = (columnType: string): Required<Mappers> => ({
  mapFromDriverValue: Column.prototype.mapFromDriverValue,
  mapToDriverValue: Column.prototype.mapToDriverValue,
  ...plain[columnType],
})

/** What stands between a column without mappers and a kind that it is stated to be of. */
export const mappersBetween = (held: FieldKind, stated: FieldKind): Mappers => {
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
export const mappedToDriver = (column: CustomColumn, value: unknown, held: FieldKind): unknown => {
  const made: unknown = column.mapToDriverValue(value)
  if (held === 'array') return Array.isArray(made) ? arrayText(made) : made
  const isText = held !== 'json' || is(made, SQL) || (typeof made === 'string' && made !== value)
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

/** A value of a form that drivers do not agree on, or that they would write into the statement itself. */
export class NotForDrivers extends Error {
  override readonly name: string = 'NotForDrivers'
}

/**
 * The value, where all drivers take it as one value: a text, a number, a bigint, a boolean, a date, bytes, null, or an
 * expression of the application's own. mysql2 expands objects into the statement; others store `[object Object]`.
 *
 * @throws NotForDrivers for everything else
 */
export const driverValue = (value: unknown): unknown => {
  switch (typeof value) {
    case 'string':
    case 'bigint':
    case 'boolean':
      return value
    case 'number':
      // `NaN` would be the name of a column in a statement of MySQL.
      if (!Number.isFinite(value)) throw new NotForDrivers('not a finite number')
      return value
    case 'object':
      if (value === null || value instanceof Uint8Array || is(value, SQL)) return value
      if (value instanceof Date && !Number.isNaN(value.getTime())) return value
      if (value instanceof ArrayBuffer) return new Uint8Array(value)
  }
  throw new NotForDrivers(`a value of the type ${typeof value}`)
}
