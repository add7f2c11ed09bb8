/** The shape of a decimal: digits in all, and how many of them stand after the point. */
export interface DecimalShape {
  readonly precision: number
  readonly scale: number
}

const decimalText = /^-?\d+(\.\d+)?$/

/**
 * A decimal's text as a count of its smallest unit: `9.9` is 990 at scale 2.
 *
 * @throws RangeError where the text is no plain decimal or has more digits than the shape holds. Nothing is rounded.
 */
export const toMinorUnits = (value: string, { precision, scale }: DecimalShape): bigint => {
  const name = `decimal(${precision}, ${scale})`
  if (!decimalText.test(value)) throw new RangeError(`${name} takes plain digits, as in '-12.50'`)
  const [whole = '', fraction = ''] = value.split('.')
  const kept = fraction.replace(/0+$/, '')
  if (kept.length > scale) throw new RangeError(`${name} holds at most ${scale} digits after the point`)
  const units = BigInt(whole + kept.padEnd(scale, '0'))
  if (units <= -(10n ** BigInt(precision)) || units >= 10n ** BigInt(precision)) {
    throw new RangeError(`${name} holds at most ${precision - scale} digits before the point`)
  }
  return units
}

/** The other way: 990 at scale 2 is `9.90`. */
export const fromMinorUnits = (units: bigint | number, scale: number): string => {
  const text = String(units)
  if (scale === 0) return text
  const sign = text.startsWith('-') ? '-' : ''
  const digits = text.slice(sign.length).padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
