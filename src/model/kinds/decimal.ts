import { accepted, type KindField, type KindRow, type Reading, refused, Unrepresentable } from '../codec.ts'
import type { ValueForm } from '../model.ts'
import { onceFor } from '../once-for.ts'
import { limitsOf, patternOf, phraseOf, scaleOf } from './decimal-limits.ts'
import { asNumber, canonical, otherForm, plainNotation, plainNumber } from './decimal-text.ts'
import { never, unwrapped } from './row.ts'

interface Rules {
  readonly pattern: string
  readonly fits: RegExp
  readonly expected: string
  readonly scale: number | undefined
  /** Canonical text already, a negative zero aside. */
  readonly isCanonical: RegExp
}

const expressions = new Map<string, RegExp>()

/** Most decimals of an application have one shape: its expressions are compiled once. */
const expression = (pattern: string): RegExp => {
  const known = expressions.get(pattern) ?? new RegExp(pattern)
  expressions.set(pattern, known)
  return known
}

const rulesOf = onceFor((field: KindField): Rules => {
  const limits = limitsOf(field)
  const pattern = patternOf(limits)
  const scale = scaleOf(field)
  const fraction = scale === 0 ? '' : scale === undefined ? '(?:\\.\\d+)?' : `\\.\\d{${scale}}`
  return {
    pattern,
    fits: expression(pattern),
    expected: phraseOf(limits),
    scale,
    isCanonical: expression(`^(?:0|[1-9]\\d*|-[1-9]\\d*)${fraction}$`),
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
  // A number counts as its shortest decimal expansion, which is what the client sent.
  const plain = plainNumber(value)
  if (plain !== undefined) return readText(plain, field)
  return Number.isFinite(value)
    ? refused(
        'imprecise_number',
        `${expected}, as a string from ${asNumber.below} on and below ${asNumber.least}`,
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
  if (plain === undefined) throw new Unrepresentable('a decimal that is no finite number')
  return canonical(plain, scale)
}

export const decimal: KindRow = Object.freeze<KindRow>({
  comparable: true,
  ordered: true,
  textual: false,
  noun: 'a decimal number',
  schema: (field) => {
    const { pattern, expected } = rulesOf(field)
    return { type: 'string', pattern, description: `${expected.replace(/^a/, 'A')}, as a string.` }
  },
  read,
  readText,
  write,
  otherJson: otherForm,
  writesAsIs: never,
})
