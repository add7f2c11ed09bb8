import { accepted, type JsonSchema, type KindField, type KindRow, type Reading, refused } from '../codec.ts'
import { always, atMost, same, stringReader } from './row.ts'

/** Databases refuse U+0000, and UTF-8 has no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text)

/** U+0000 is written so that every engine of regular expressions reads it: not all know `\\u`. */
const withoutNul = '^[^\\x00]*$'

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
    sentSchema: (field) => ({ ...schema(field), pattern: withoutNul }),
    read: stringReader((value, field) => {
      if (field.maxLength !== undefined && longerThan(value, field.maxLength))
        return refused('too_long', expected(field))
      return readText(value)
    }, expected),
    readText,
    write: same,
    writesAsIs: always,
  })
}

export const text: KindRow = rowOf('text', true)

export const token: KindRow = rowOf('a string', false)
