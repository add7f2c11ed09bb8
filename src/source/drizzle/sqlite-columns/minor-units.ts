/** The shape of a decimal: digits in all, and how many of them stand after the point. */
export interface DecimalShape {
  readonly precision: number
  readonly scale: number
}

const decimalText = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * A decimal's text as the digits of a count of its smallest unit: `9.9` is `990` at scale 2. Text, because a bigint takes
 * several times as long, and most columns need none.
 *
 * @throws RangeError where the text is no plain decimal or has more digits than the shape holds. Nothing is rounded.
 */
export const toMinorUnits = (value: string, shape: DecimalShape): string => {
  const { precision, scale } = shape
  const parts = decimalText.exec(value)
  if (parts === null) throw refusal(shape, "takes plain digits, as in '-12.50'")
  const [, sign = '', whole = '', fraction = ''] = parts
  const kept = fraction.length > scale ? fraction.replace(/0+$/, '') : fraction
  if (kept.length > scale) throw refusal(shape, `holds at most ${scale} digits after the point`)
  const digits = whole.startsWith('0') ? whole.replace(/^0+/, '').length : whole.length
  if (digits > precision - scale)
    throw refusal(shape, `holds at most ${precision - scale} digits before the point`)
  return sign + whole + kept.padEnd(scale, '0')
}

const refusal = ({ precision, scale }: DecimalShape, what: string): RangeError =>
  new RangeError(`decimal(${precision}, ${scale}) ${what}`)

/** The other way: 990 at scale 2 is `9.90`. */
export const fromMinorUnits = (units: bigint | number, scale: number): string => {
  const text = String(units)
  if (scale === 0) return text
  const sign = text.startsWith('-') ? '-' : ''
  const digits = text.slice(sign.length).padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
