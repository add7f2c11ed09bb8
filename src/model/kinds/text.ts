import {
  accepted,
  acceptedIf,
  atMost,
  byBytes,
  comparedBy,
  comparison,
  type JsonSchema,
  type KindField,
  type KindRow,
  type Reading,
  refused,
  stringReader,
  writtenAsIs,
} from '../codec.ts'

/** Databases refuse U+0000, and UTF-8 cannot encode lone surrogates. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text)

/** Control, format and separator characters are invisible or change how the surrounding text looks. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

export const isPrintable = (text: string): boolean => !unprintable.test(text)

/** Not all regular expression engines support `\\u`. */
const withoutNul = '^[^\\x00]*$'

/** The part of `unprintable` that those engines support. */
const withoutControls = '^[^\\x00-\\x1F\\x7F-\\x9F]*$'

const longerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most)

const shorterThan = (text: string, least: number): boolean =>
  text.length < 2 * least && [...text].length < least

const textRow = (noun: string, textual: boolean): KindRow => {
  const expected = ({ minLength = 0, maxLength }: KindField): string => {
    const limited = atMost(noun, maxLength, 'characters')
    if (minLength === 0) return limited
    const least = `at least ${minLength} ${minLength === 1 && maxLength === undefined ? 'character' : 'characters'}`
    return maxLength === undefined
      ? `${noun} of ${least}`
      : limited.replace('at most', `${least} and at most`)
  }
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
    confusable: () => true,
    compare: byBytes,
    noun,
    schema,
    sentSchema: (field) => ({
      ...schema(field),
      ...(field.minLength !== undefined && { minLength: field.minLength }),
      pattern: field.printable === true ? withoutControls : withoutNul,
    }),
    read: stringReader((value, field) => {
      if (field.maxLength !== undefined && longerThan(value, field.maxLength))
        return refused('too_long', expected(field))
      if (field.minLength !== undefined && shorterThan(value, field.minLength))
        return refused('too_short', expected(field))
      if (field.printable === true && !isPrintable(value))
        return refused(
          'invalid_format',
          `${expected(field)}, without control, format or separator characters`,
        )
      return readText(value)
    }, expected),
    readText,
    ...writtenAsIs,
  })
}

export const textKind: KindRow = textRow('text', true)

export const tokenKind: KindRow = textRow('a string', false)

const oneOf = ({ values = [] }: KindField): string => `one of ${values.join(', ')}`

const readChoice = (value: string, field: KindField): Reading =>
  field.values?.includes(value) ? accepted(value) : refused('not_in_enum', oneOf(field))

/** Without case, accents and punctuation. */
const collator = new Intl.Collator('und', { sensitivity: 'base', ignorePunctuation: true })

export const choiceKind: KindRow = Object.freeze<KindRow>({
  ...comparison.equality,
  compare: byBytes,
  confusable: ({ values = [] }) =>
    values.some((value, at) => values.slice(0, at).some((other) => collator.compare(value, other) === 0)),
  noun: 'one of the allowed values',
  schema: ({ values = [] }) => ({ type: 'string', enum: [...values] }),
  read: stringReader(readChoice, oneOf),
  readText: readChoice,
  ...writtenAsIs,
})

const trueOrFalse = 'true or false'

export const booleanKind: KindRow = Object.freeze<KindRow>({
  ...comparison.equality,
  compare: comparedBy((value) => value),
  noun: trueOrFalse,
  schema: () => ({ type: 'boolean' }),
  read: (value) => (typeof value === 'boolean' ? accepted(value) : refused('wrong_type', trueOrFalse)),
  readText: (value) => acceptedIf(value === 'true' || value === 'false', value === 'true', trueOrFalse),
  ...writtenAsIs,
})

const uuidPattern = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'
const uuidForm = new RegExp(uuidPattern)
const readUuid = (value: string): Reading => acceptedIf(uuidForm.test(value), value.toLowerCase(), 'a UUID')

export const uuidKind: KindRow = Object.freeze<KindRow>({
  ...comparison.equality,
  compare: comparedBy((value) => String(value).toLowerCase()),
  noun: 'a UUID',
  // The format by itself allows `urn:uuid:`.
  schema: () => ({ type: 'string', format: 'uuid', pattern: uuidPattern }),
  read: stringReader(readUuid, () => 'a UUID'),
  readText: readUuid,
  ...writtenAsIs,
})
