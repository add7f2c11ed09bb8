import { type ColumnBaseConfig, entityKind, type HasDefault, is, SQL, sql } from 'drizzle-orm'
import { SQLiteColumn, SQLiteColumnBuilder, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { StartError } from '../../../error/errors.ts'
import { Unrepresentable } from '../../../model/codec.ts'

/** The digits of a decimal column. */
export interface DecimalConfig {
  /** Total number of digits, 1 to 1000. */
  readonly precision: number
  /** Digits after the decimal point, 0 to `precision`. @default 0 */
  readonly scale?: number
}

/**
 * An exact decimal column for SQLite, which does not have a decimal type. Values are strings with a fixed scale (`'9.90'`);
 * SQLite sorts and compares them by value. A value that does not fit is refused, never rounded.
 *
 * Up to 15 digits are stored as an integer number of the smallest unit (`'9.90'` is 990), values with more digits as
 * fixed-width text. Your own SQL, such as a check or a sum, sees these stored values.
 *
 * @throws StartError if the precision or scale is out of range
 * @throws RangeError when a written value is not a decimal or has too many digits
 * @example
 * ```ts
 * import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
 * import { decimal } from 'modelrest/drizzle/sqlite'
 *
 * export const products = sqliteTable('products', {
 *   id: integer().primaryKey(),
 *   price: decimal({ precision: 10, scale: 2 }).notNull().default('9.90'),
 *   weight: decimal('weight_kg', { precision: 8, scale: 3 }),
 * })
 * ```
 */
export function decimal(config: DecimalConfig): ExactDecimalBuilder<''>
export function decimal<TName extends string>(name: TName, config: DecimalConfig): ExactDecimalBuilder<TName>
export function decimal(first: string | DecimalConfig, second?: DecimalConfig): ExactDecimalBuilder<string> {
  const name = typeof first === 'string' ? first : ''
  const { precision, scale = 0 } = (typeof first === 'string' ? second : first) ?? { precision: 0 }
  assertWhole(`decimal: precision`, precision, 1, 1000)
  assertWhole(`decimal: scale`, scale, 0, precision)
  return new ExactDecimalBuilder(name, Object.freeze({ precision, scale }))
}

const assertWhole = (what: string, value: number, least: number, most: number): void => {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new StartError(
    `${what} must be an integer from ${least} to ${most}, such as in decimal({ precision: 10, scale: 2 }).`,
  )
}

type BuilderConfig<TName extends string> = {
  name: TName
  dataType: 'string'
  columnType: 'SQLiteExactDecimal'
  data: string
  driverParam: number | string
  enumValues: undefined
}

type DecimalShape = Required<DecimalConfig>

type RuntimeConfig = { shape: DecimalShape; defaultText: string | undefined }

class ExactDecimal extends SQLiteColumn<ColumnBaseConfig<'string', 'SQLiteExactDecimal'>, RuntimeConfig> {
  static {
    // Drizzle identifies its classes by this name. `isolatedDeclarations` does not allow the computed key in the class.
    Object.defineProperty(ExactDecimal, entityKind, { value: 'ModelrestExactDecimal' })
  }
  readonly precision: number = this.config.shape.precision
  readonly scale: number = this.config.shape.scale
  readonly defaultText: string | undefined = this.config.defaultText
  /** Not `#private`: drizzle wraps the columns of views and aliases in proxies. */
  readonly storage: DecimalStorage = decimalStorage(this.config.shape)

  getSQLType(): string {
    return this.storage.sqlType
  }

  override mapFromDriverValue(stored: unknown): string {
    const value = this.storage.fromStored(stored)
    if (value !== undefined) return value
    throw new Unrepresentable(`${this.name} contains a value that was not written by decimal()`)
  }

  override mapToDriverValue(value: unknown): number | string {
    return this.storage.toStored(String(value))
  }
}

class ExactDecimalBuilder<TName extends string> extends SQLiteColumnBuilder<
  BuilderConfig<TName>,
  RuntimeConfig
> {
  static {
    Object.defineProperty(ExactDecimalBuilder, entityKind, { value: 'ModelrestExactDecimalBuilder' })
  }

  constructor(name: TName, shape: DecimalShape) {
    super(name, 'string', 'SQLiteExactDecimal')
    this.config.shape = shape
  }

  /**
   * Converts the default to its stored form, which both an insert and the DDL of drizzle-kit write unchanged. It is quoted
   * because drizzle-kit reads a quoted default back unchanged, so that a push finds no difference.
   */
  override default(
    value: (this['_'] extends { $type: infer U } ? U : this['_']['data']) | SQL,
  ): HasDefault<this> {
    if (is(value, SQL)) return super.default(value)
    const storage = decimalStorage(this.config.shape)
    const stored = storage.toStored(String(value))
    this.config.defaultText = storage.fromStored(stored)
    return super.default(sql.raw(`'${stored}'`))
  }

  /** @internal */
  build(table: SQLiteTable): ExactDecimal {
    return new ExactDecimal(table, this.config)
  }
}

/** Converts decimals for SQLite. Stored values have the same order and equality as the decimals. */
interface DecimalStorage {
  readonly sqlType: 'integer' | 'text'
  toStored(value: string): number | string
  /** `undefined`: this storage did not write the value. */
  fromStored(stored: unknown): string | undefined
}

/** Drivers return integers as JavaScript numbers, which represent 15 digits exactly. */
const NUMBER_DIGITS = 15

const decimalStorage = (shape: DecimalShape): DecimalStorage =>
  shape.precision <= NUMBER_DIGITS ? integerStorage(shape) : textStorage(shape)

const integerStorage = (shape: DecimalShape): DecimalStorage => {
  const end = 10 ** shape.precision
  return {
    sqlType: 'integer',
    // Avoids negative zero.
    toStored: (value) => Number(toMinorUnits(value, shape)) || 0,
    fromStored: (stored) => {
      const units = typeof stored === 'bigint' ? Number(stored) : stored
      const holds = typeof units === 'number' && Number.isInteger(units) && Math.abs(units) < end
      return holds ? fromMinorUnits(units, shape.scale) : undefined
    },
  }
}

/** Fixed-width digits of the minor units plus 10^precision, so that negative values sort correctly as text. */
const textStorage = (shape: DecimalShape): DecimalStorage => {
  const width = shape.precision + 1
  const offset = 10n ** BigInt(shape.precision)
  const written = new RegExp(`^[01]\\d{${shape.precision}}$`)
  return {
    sqlType: 'text',
    toStored: (value) => String(BigInt(toMinorUnits(value, shape)) + offset).padStart(width, '0'),
    fromStored: (stored) =>
      typeof stored === 'string' && written.test(stored)
        ? fromMinorUnits(BigInt(stored) - offset, shape.scale)
        : undefined,
  }
}

const decimalText = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * The number of smallest units in a decimal, as digits: `9.9` is `990` at scale 2. Text, because a bigint is several times
 * slower, and most columns do not need one.
 *
 * @throws RangeError if the text is not a plain decimal or has too many digits. Never rounds.
 */
const toMinorUnits = (value: string, shape: DecimalShape): string => {
  const { precision, scale } = shape
  const parts = decimalText.exec(value)
  if (parts === null) throw refusal(shape, "accepts plain digits, such as '-12.50'")
  const [, sign = '', whole = '', fraction = ''] = parts
  const kept = fraction.length > scale ? fraction.replace(/0+$/, '') : fraction
  if (kept.length > scale) throw refusal(shape, `allows at most ${scale} digits after the decimal point`)
  const digits = whole.startsWith('0') ? whole.replace(/^0+/, '').length : whole.length
  if (digits > precision - scale)
    throw refusal(shape, `allows at most ${precision - scale} digits before the decimal point`)
  return sign + whole + kept.padEnd(scale, '0')
}

const refusal = ({ precision, scale }: DecimalShape, what: string): RangeError =>
  new RangeError(`decimal(${precision}, ${scale}) ${what}`)

const fromMinorUnits = (units: bigint | number, scale: number): string => {
  const text = String(units)
  if (scale === 0) return text
  const sign = text.startsWith('-') ? '-' : ''
  const digits = text.slice(sign.length).padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
