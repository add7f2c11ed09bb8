import { type DecimalShape, fromMinorUnits, toMinorUnits } from './minor-units.ts'

/** How a decimal lies in SQLite. The order and equality of what is stored are those of the values. */
export interface DecimalStorage {
  readonly sqlType: 'integer' | 'text'
  /** @throws RangeError where the value does not fit. */
  toStored(value: string): number | string
  /** `undefined` where what is stored was not written by this storage. */
  fromStored(stored: unknown): string | undefined
}

/** The most digits that a JavaScript number counts exactly: drivers hand out integers as numbers. */
const NUMBER_DIGITS = 15

/** The storage for a shape: an integer of minor units while a number counts them exactly, else text. */
export const decimalStorage = (shape: DecimalShape): DecimalStorage =>
  shape.precision <= NUMBER_DIGITS ? integerStorage(shape) : textStorage(shape)

const integerStorage = (shape: DecimalShape): DecimalStorage => {
  const end = 10 ** shape.precision
  return {
    sqlType: 'integer',
    // Zero has no sign.
    toStored: (value) => Number(toMinorUnits(value, shape)) || 0,
    fromStored: (stored) => {
      const units = typeof stored === 'bigint' ? Number(stored) : stored
      const holds = typeof units === 'number' && Number.isInteger(units) && Math.abs(units) < end
      return holds ? fromMinorUnits(units, shape.scale) : undefined
    },
  }
}

/**
 * Fixed-width digits of the minor units plus 10^precision, so that negative values sort as text too: the first digit
 * is 0 below zero and 1 from zero on.
 */
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
