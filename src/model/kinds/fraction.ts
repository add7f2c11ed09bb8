import type { KindField } from '../codec.ts'

/** Digits that a field takes where its source does not say: those of a `Date`, else of a common database. */
export const fractionDigitsOf = ({ fractionDigits, form }: KindField): number =>
  fractionDigits ?? (form === 'date' ? 3 : 6)

/** For humans: ` with at most 3 digits of a second's fraction`. */
export const secondsPhrase = (field: KindField): string => {
  const digits = fractionDigitsOf(field)
  return digits === 0
    ? ' in whole seconds'
    : ` with at most ${digits} ${digits === 1 ? 'digit' : 'digits'} of a second's fraction`
}
