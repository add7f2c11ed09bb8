import { accepted, type JsonSchema, type KindField, type KindRow, type Reading, refused } from '../codec.ts'
import { always, atMost, same, stringReader } from './row.ts'

/** Databases refuse U+0000, and UTF-8 has no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text)

/** Control and format characters and the line breaks of Unicode are not seen, or change how what stands beside them is seen. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

export const isPrintable = (text: string): boolean => !unprintable.test(text)

/** U+0000 is written so that every engine of regular expressions reads it: not all know `\\u`. */
const withoutNul = '^[^\\x00]*$'

/** What all those engines can say of a text without characters that cannot be seen: it has no control characters. */
const withoutControls = '^[^\\x00-\\x1F\\x7F-\\x9F]*$'

const longerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most)

const rowOf = (noun: string, textual: boolean): KindRow => {
  const expected = ({ maxLength }: KindField): string => atMost(noun, maxLength, 'characters')
  const schema = ({ maxLength }: KindField): JsonSchema => ({
    type: 'string',
    ...(maxLength !== undefined && { maxLength }),
  })
  const readText = (value: string): Reading =>
    isStorable(value)
      ? accepted(value)
      : refused('invalid_format', `${noun} in well-formed Unicode, without U+0000`)
  return Object.freeze<KindRow>({
    comparable: true,
    ordered: textual,
    textual,
    noun,
    schema,
    sentSchema: (field) => ({
      ...schema(field),
      pattern: field.printable === true ? withoutControls : withoutNul,
    }),
    read: stringReader((value, field) => {
      if (field.maxLength !== undefined && longerThan(value, field.maxLength))
        return refused('too_long', expected(field))
      if (field.printable === true && !isPrintable(value))
        return refused(
          'invalid_format',
          `${expected(field)}, without control, format or separator characters`,
        )
      return readText(value)
    }, expected),
    readText,
    write: same,
    writesAsIs: always,
  })
}

export const text: KindRow = rowOf('text', true)

export const token: KindRow = rowOf('a string', false)
