import { StartError } from '../../../error/start-error.ts'
import { ExactDecimalBuilder } from './exact-decimal.ts'

/** How many digits a decimal column holds. */
export interface DecimalConfig {
  /** Digits in all, 1 to 1000. */
  readonly precision: number
  /** Digits after the point, 0 to `precision`. @default 0 */
  readonly scale?: number
}

/**
 * An exact decimal column for SQLite, which has no decimal type. It takes and hands out strings that keep the scale
 * (`'9.90'`), and sorts and compares by value inside SQLite. A value that does not fit is refused, never rounded.
 *
 * Up to 15 digits are stored as an integer that counts the smallest unit (`'9.90'` is 990), more as text of fixed
 * width. In SQL of your own (a check, a sum) it is these stored values that you meet.
 *
 * @throws StartError for a precision or scale out of range.
 * @throws RangeError when a value is written that has more digits, or is no decimal.
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
    `${what} must be a whole number from ${least} to ${most}, as in decimal({ precision: 10, scale: 2 }).`,
  )
}
