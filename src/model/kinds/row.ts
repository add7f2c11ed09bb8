import { accepted, type KindField, type Reading, refused } from '../codec.ts'

/** The noun with a bound where there is one: `text of at most 100 characters`. */
export const atMost = (noun: string, most: number | undefined, unit: string): string =>
  most === undefined ? noun : `${noun} of at most ${most} ${most === 1 ? unit.replace(/s$/, '') : unit}`

/** A row whose values are the same in JSON and in the source. */
export const same = (value: unknown): unknown => value
export const always = (): boolean => true
export const never = (): boolean => false

/** A reader of strings: whatever is no string has the wrong type. */
export const stringReader =
  (read: (text: string, field: KindField) => Reading, expected: (field: KindField) => string) =>
  (given: unknown, field: KindField): Reading => {
    const value = unwrapped(given)
    return typeof value === 'string' ? read(value, field) : refused('wrong_type', expected(field))
  }

/** `value` where it is one of those that `holds`, else refused as not of this form. */
export const acceptedIf = (holds: boolean, value: unknown, expected: string): Reading =>
  holds ? accepted(value) : refused('invalid_format', expected)

/** What an object that knows its own JSON says of itself: a decimal or a date of a library. */
export const unwrapped = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array)
    return value
  const toJson: unknown = Reflect.get(value, 'toJSON')
  return typeof toJson === 'function' ? Reflect.apply(toJson, value, []) : value
}
