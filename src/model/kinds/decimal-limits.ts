import type { KindField } from '../codec.ts'

/** How many digits a decimal may have; absent is any number of them. */
export interface DecimalLimits {
  /** Before the point. */
  readonly whole?: number
  /** After the point. */
  readonly fraction?: number
  /** In all, where that is less than the two together. */
  readonly total?: number
  /** So many digits before the point are zero (a negative scale). */
  readonly roundedTo: number
  /** So many digits after the point are zero (a scale larger than the precision). */
  readonly zerosAfter: number
  readonly unsigned: boolean
}

/** A double gives back every decimal number of so many digits. */
const DOUBLE_DIGITS = 15

/** A bigint has no fraction, whatever the column says. */
export const scaleOf = ({ form, scale }: KindField): number | undefined =>
  form === 'bigint' ? 0 : scale === undefined ? undefined : Math.max(scale, 0)

export const limitsOf = (field: KindField): DecimalLimits => {
  const { form, precision, minimum } = field
  const scale = form === 'bigint' ? 0 : field.scale
  const fraction = scaleOf(field)
  const whole = precision === undefined || scale === undefined ? undefined : Math.max(precision - scale, 0)
  const most = form === 'number' ? DOUBLE_DIGITS : Number.POSITIVE_INFINITY
  const digits = precision ?? Number.POSITIVE_INFINITY
  // Precision and scale bound the digits on both sides already, unless a double holds fewer of them.
  const total = scale === undefined ? Math.min(digits, most) : digits > most ? most : undefined
  return {
    ...(whole !== undefined && { whole }),
    ...(fraction !== undefined && { fraction }),
    ...(total !== undefined && Number.isFinite(total) && { total }),
    roundedTo: Math.max(-(scale ?? 0), 0),
    zerosAfter: precision === undefined || scale === undefined ? 0 : Math.max(scale - precision, 0),
    unsigned: minimum !== undefined && minimum >= 0,
  }
}

/** A regular expression for exactly those decimals, without look-around: not every engine has it. */
export const patternOf = (limits: DecimalLimits): string => {
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

/** For humans: `a decimal number with at most 8 digits before and 2 after the point`. */
export const phraseOf = ({ whole, fraction, total, roundedTo, unsigned }: DecimalLimits): string => {
  const noun = unsigned ? 'a decimal number that is not negative' : 'a decimal number'
  const parts = [
    ...(whole === undefined ? [] : [`${whole} digits before the point`]),
    ...(fraction === undefined ? [] : [`${fraction} after it`]),
    ...(total === undefined ? [] : [`${total} digits in all`]),
  ]
  const rounded = roundedTo === 0 ? '' : `, the last ${roundedTo} before the point zero`
  return parts.length === 0 ? noun : `${noun} with at most ${parts.join(', ')}${rounded}`
}
