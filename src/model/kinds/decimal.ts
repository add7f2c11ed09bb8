import {
  accepted,
  atScale,
  comparison,
  type KindField,
  type KindRow,
  type Reading,
  refused,
  shortest,
  Unrepresentable,
  unwrapped,
} from '../codec.ts'
import type { ValueForm } from '../model.ts'
import { onceFor } from '../objects.ts'

const anyNumber = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/** `1.5e-7` as `0.00000015`. `undefined`: the text is not a number. */
export const plainNotation = (text: string): string | undefined => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = anyNumber.exec(text) ?? []
  if (whole === '') return undefined
  const shift = Number(exponent)
  const digits = shift < 0 ? '0'.repeat(-shift) + whole + fraction : whole + fraction.padEnd(shift, '0')
  const point = shift < 0 ? whole.length : whole.length + shift
  const after = digits.slice(point)
  return `${sign}${digits.slice(0, point)}${after === '' ? '' : `.${after}`}`
}

/** Numbers beyond these limits must be strings, because five characters of JSON could become 300 digits. */
const asNumber = { least: 1e-30, below: 1e30 } as const

const plainNumber = (value: number): string | undefined => {
  const size = Math.abs(value)
  return size < asNumber.below && (size === 0 || size >= asNumber.least)
    ? plainNotation(String(value))
    : undefined
}

/** The one text of a value. Nonzero digits beyond the scale are kept, so that no stored digit is lost. */
export const canonical = (plain: string, scale: number | undefined): string => {
  const unsigned = plain.replace('-', '')
  const [whole = '', fraction = ''] = unsigned.split('.')
  const after = scale === undefined ? fraction : atScale(fraction, scale)
  const sign = plain.startsWith('-') && /[1-9]/.test(plain) ? '-' : ''
  return `${sign}${whole.replace(/^0+(?=\d)/, '')}${after === '' ? '' : `.${after}`}`
}

/** Converts a string to a number, or a number to a string. `undefined` if that would change the value. */
export const otherForm = (value: unknown): string | number | undefined => {
  if (typeof value === 'number') return plainNumber(value)
  const number = typeof value === 'string' && plainDecimal.test(value) ? Number(value) : Number.NaN
  const plain = plainNotation(String(number))
  return plain !== undefined && canonical(plain, 0) === canonical(String(value), 0) ? number : undefined
}

const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** A double represents every decimal with this many digits. */
const DOUBLE_DIGITS = 15

/** A bigint never has a fraction, regardless of the scale of the column. */
const scaleOf = ({ form, scale }: KindField): number | undefined => {
  if (form === 'bigint') return 0
  return scale === undefined ? undefined : Math.max(scale, 0)
}

/** The allowed digits of a decimal. `undefined` means unlimited. */
const limitsOf = (field: KindField) => {
  const { form, precision, minimum } = field
  const scale = form === 'bigint' ? 0 : field.scale
  const isBounded = precision !== undefined && scale !== undefined
  const most = form === 'number' ? DOUBLE_DIGITS : Number.POSITIVE_INFINITY
  const digits = precision ?? Number.POSITIVE_INFINITY
  const total = Math.min(digits, most)
  // Precision and scale already limit both sides, unless a double holds fewer digits.
  const isTotal = Number.isFinite(total) && (scale === undefined || digits > most)
  return {
    /** Digits before the point. */
    whole: isBounded ? Math.max(precision - scale, 0) : undefined,
    /** Digits after the point. */
    fraction: scaleOf(field),
    /** Digits in total, if that is less than both together. */
    total: isTotal ? total : undefined,
    /** The last digits before the point that must be zero (a negative scale). */
    roundedTo: Math.max(-(scale ?? 0), 0),
    /** The first digits after the point that must be zero (a scale larger than the precision). */
    zerosAfter: isBounded ? Math.max(scale - precision, 0) : 0,
    unsigned: minimum !== undefined && minimum >= 0,
  }
}

type DecimalLimits = ReturnType<typeof limitsOf>

/** A regular expression for exactly these decimals. Without look-around, which not every engine supports. */
const patternOf = (limits: DecimalLimits): string => {
  const { whole, fraction, total, unsigned } = limits
  const forms =
    total === undefined
      ? [`${wholeForm(whole, limits)}${fractionForm(fraction, limits)}`]
      : Array.from({ length: Math.min(whole ?? total, total) + 1 }, (_, digits) => {
          const before = digits === 0 ? '0' : `[1-9]\\d{${digits - 1}}`.replace('\\d{0}', '')
          return `${before}${fractionForm(Math.min(fraction ?? total, total - digits), limits)}`
        })
  const sign = unsigned ? '' : '-?'
  return forms.length === 1 ? `^${sign}${forms[0]}$` : `^${sign}(?:${forms.join('|')})$`
}

const wholeForm = (digits: number | undefined, { roundedTo }: DecimalLimits): string => {
  if (digits === 0) return '0'
  if (digits === undefined) return '(?:0|[1-9]\\d*)'
  const zeros = roundedTo === 0 ? '' : `0{${roundedTo}}`
  return `(?:0|[1-9]\\d{0,${digits - 1 - roundedTo}}${zeros})`
}

const fractionForm = (digits: number | undefined, { zerosAfter }: DecimalLimits): string => {
  if (digits === 0) return ''
  if (digits === undefined) return '(?:\\.\\d+)?'
  if (zerosAfter === 0) return `(?:\\.\\d{1,${digits}})?`
  return `(?:\\.0{1,${zerosAfter}}|\\.0{${zerosAfter}}\\d{1,${digits - zerosAfter}})?`
}

/** `a decimal number with at most 8 digits before the point and 2 after it` */
const phraseOf = ({ whole, fraction, total, roundedTo, unsigned }: DecimalLimits): string => {
  const noun = unsigned ? 'a non-negative decimal number' : 'a decimal number'
  const parts = [
    ...(whole === undefined ? [] : [`${whole} digits before the point`]),
    ...(fraction === undefined ? [] : [`${fraction} after it`]),
    ...(total === undefined ? [] : [`${total} digits in total`]),
  ]
  const rounded = roundedTo === 0 ? '' : `; the last ${roundedTo} digits before the point must be zero`
  return parts.length === 0 ? noun : `${noun} with at most ${parts.join(' and ')}${rounded}`
}

const rulesOf = onceFor((field: KindField) => {
  const limits = limitsOf(field)
  const pattern = patternOf(limits)
  const scale = scaleOf(field)
  const fractionOfScale = scale === 0 ? '' : `\\.\\d{${scale}}`
  const fraction = scale === undefined ? '(?:\\.\\d+)?' : fractionOfScale
  return {
    pattern,
    fits: new RegExp(pattern),
    expected: phraseOf(limits),
    scale,
    /** Matches canonical text, except negative zero. */
    isCanonical: new RegExp(`^(?:0|[1-9]\\d*|-[1-9]\\d*)${fraction}$`),
  }
})

const toForm: Readonly<Partial<Record<ValueForm, (text: string) => unknown>>> = {
  number: Number,
  bigint: BigInt,
}

const read = (given: unknown, field: KindField): Reading => {
  const value = unwrapped(given)
  if (typeof value === 'string' || typeof value === 'bigint') return readText(String(value), field)
  const { expected } = rulesOf(field)
  if (typeof value !== 'number') return refused('wrong_type', expected)
  // A number means its shortest decimal expansion, which is what the client sent.
  const plain = plainNumber(value)
  if (plain !== undefined) return readText(plain, field)
  return Number.isFinite(value)
    ? refused(
        'imprecise_number',
        `${expected}; numbers from ${asNumber.below} and below ${asNumber.least} must be strings`,
      )
    : refused('wrong_type', expected)
}

const readText = (text: string, field: KindField): Reading => {
  const { fits, expected, scale, isCanonical } = rulesOf(field)
  if (!fits.test(text)) {
    const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)
    return refused(isNumber ? 'out_of_range' : 'invalid_format', expected)
  }
  const exact = isCanonical.test(text) ? text : canonical(text, scale)
  return accepted(toForm[field.form]?.(exact) ?? exact)
}

const write = (given: unknown, field: KindField): string => {
  const { isCanonical, scale } = rulesOf(field)
  if (typeof given === 'string' && isCanonical.test(given)) return given
  const value = unwrapped(given)
  const plain =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
      ? plainNotation(String(value))
      : undefined
  if (plain === undefined) throw new Unrepresentable('a decimal that is not a finite number')
  return canonical(plain, scale)
}

const compare = (left: unknown, right: unknown): number => {
  const texts = [write(left, shortest), write(right, shortest)]
  const digits = Math.max(...texts.map((text) => text.split('.')[1]?.length ?? 0))
  const [a = 0n, b = 0n] = texts.map((text) => {
    const [whole, fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(digits, '0'))
  })
  return Number(a > b) - Number(a < b)
}

export const decimalKind: KindRow = Object.freeze<KindRow>({
  ...comparison.order,
  compare,
  noun: 'a decimal number',
  schema: (field) => {
    const { pattern, expected } = rulesOf(field)
    return { type: 'string', pattern, description: `${expected.replace(/^a/, 'A')}, as a string.` }
  },
  read,
  readText,
  write,
  otherJson: otherForm,
})
