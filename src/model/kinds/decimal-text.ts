/** A number as JavaScript and databases write it, exponents included. */
const anyNumber = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/** In plain notation: `1.5e-7` as `0.00000015`. `undefined` where the text is no number. */
export const plainNotation = (text: string): string | undefined => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = anyNumber.exec(text) ?? []
  if (whole === '') return undefined
  const shift = Number(exponent)
  const digits = shift < 0 ? '0'.repeat(-shift) + whole + fraction : whole + fraction.padEnd(shift, '0')
  const point = shift < 0 ? whole.length : whole.length + shift
  const after = digits.slice(point)
  return `${sign}${digits.slice(0, point)}${after === '' ? '' : `.${after}`}`
}

/** Numbers beyond these come as strings: five characters of JSON could become 300 digits. */
export const asNumber = { least: 1e-30, below: 1e30 } as const

/** A JSON number in plain notation. `undefined`: it must come as a string. */
export const plainNumber = (value: number): string | undefined => {
  const size = Math.abs(value)
  return size < asNumber.below && (size === 0 || size >= asNumber.least)
    ? plainNotation(String(value))
    : undefined
}

/**
 * One text for each value: no outer zeros, no sign at zero, and exactly `scale` digits after the point where the scale is
 * known. Digits beyond it that are not zero stay: nothing that is stored is left out.
 */
export const canonical = (plain: string, scale: number | undefined): string => {
  const unsigned = plain.replace('-', '')
  const [whole = '', fraction = ''] = unsigned.split('.')
  const after = scale === undefined ? fraction : atScale(fraction, scale)
  const sign = plain.startsWith('-') && /[1-9]/.test(plain) ? '-' : ''
  return `${sign}${whole.replace(/^0+(?=\d)/, '')}${after === '' ? '' : `.${after}`}`
}

/** Exactly `digits` digits, more where those beyond are not all zeros. */
export const atScale = (fraction: string, digits: number): string => {
  let end = fraction.length
  while (end > digits && fraction[end - 1] === '0') end--
  return fraction.slice(0, end).padEnd(digits, '0')
}

/** A decimal as a number where it was a string, and the other way round. `undefined` where that changes its value. */
export const otherForm = (value: unknown): string | number | undefined => {
  if (typeof value === 'number') return plainNumber(value)
  const number = typeof value === 'string' && plainDecimal.test(value) ? Number(value) : Number.NaN
  const plain = plainNotation(String(number))
  return plain !== undefined && canonical(plain, 0) === canonical(String(value), 0) ? number : undefined
}

const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
