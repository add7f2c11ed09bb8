/** The decimals that are read as a number of double precision. */
interface Rounded {
  readonly low: string
  readonly high: string
  /** `low` and `high` are read as it too. */
  readonly isWithin: boolean
}

const FRACTION_BITS = 52n
const LEAST_EXPONENT = -1074n

/** The exact decimal of units of a power of two. */
const decimalOf = (units: bigint, exponent: bigint): string => {
  if (exponent >= 0n) return String(units << exponent)
  const digits = Number(-exponent)
  const text = String((units < 0n ? -units : units) * 5n ** -exponent).padStart(digits + 1, '0')
  const plain = `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return units < 0n ? `-${plain}` : plain
}

/**
 * From halfway to the number before up to halfway to the next one: a decimal in the middle is read as the number whose last bit
 * is zero (IEEE 754, 4.3.1).
 */
export const roundedTo = (value: number): Rounded => {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, Math.abs(value))
  const all = bits.getBigUint64(0)
  const biased = all >> FRACTION_BITS
  const fraction = all & ((1n << FRACTION_BITS) - 1n)
  const units = biased === 0n ? fraction : fraction | (1n << FRACTION_BITS)
  const exponent = LEAST_EXPONENT + (biased === 0n ? 0n : biased - 1n)
  // The numbers below a power of two are twice as close.
  const isPower = fraction === 0n && biased > 1n
  const far = decimalOf(4n * units + 2n, exponent - 2n)
  const near = decimalOf(4n * units - (isPower ? 1n : 2n), exponent - 2n)
  const isWithin = units % 2n === 0n
  return value < 0 ? { low: `-${far}`, high: negated(near), isWithin } : { low: near, high: far, isWithin }
}

const negated = (text: string): string => (text.startsWith('-') ? text.slice(1) : `-${text}`)
