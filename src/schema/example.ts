import type { KindField } from '../model/codec.ts'
import { isFileField, kinds } from '../model/kinds/index.ts'
import type { Field, FieldKind, Model } from '../model/model.ts'
import { wordsOf } from '../model/naming.ts'
import { lazyRecord, onceFor } from '../model/objects.ts'
import { isReply, membersOf, type SchemaMember, type SchemaName, schemaNames } from './members.ts'

/** An example record or body in JSON, for the documentation. It matches the schema with that name. */
export const exampleOf = (model: Model, which: SchemaName): Readonly<Record<string, unknown>> =>
  examplesOf(model)[which]

/** A field has the same example in all five schemas. */
const examplesOf = onceFor((model: Model) => {
  const example = onceFor((field: Field) => exampleIn(model, field))
  const shown = (field: Field, which: SchemaName): unknown =>
    isGuess(field) && field.nullable && !isReply(which) ? null : example(field)
  return lazyRecord(schemaNames, (which) => {
    const members = membersOf(model, which).filter(
      (member) => !isTooLarge(member.field) && (isReply(which) || isSent(member)),
    )
    return Object.freeze(Object.fromEntries(members.map(({ field }) => [field.name, shown(field, which)])))
  })
})

/** The maximum number of elements in an example. Vectors have up to 16,000 dimensions. */
const MAX_ELEMENTS = 16_000

/** The elements that a value must have, including those of inner arrays. */
const elementsOf = ({ size = 1, element }: KindField): number =>
  element === undefined ? 1 : size * elementsOf(element)

/**
 * The document is kept in memory and has several examples of each field, so arrays of a fixed size could exhaust the
 * memory.
 */
const isTooLarge = (field: Field): boolean => elementsOf(field) > MAX_ELEMENTS

/** Examples omit foreign keys, because the records to refer to are unknown, and files, which JSON cannot send. */
const isSent = ({ field, required }: SchemaMember): boolean =>
  required || !(field.foreign === true || isFileField(field) || (isGuess(field) && !field.nullable))

/** Only the column knows which values it accepts. */
const isGuess = ({ kind, example }: Field): boolean => kind === 'opaque' && example === undefined

const exampleIn = (model: Model, field: Field): unknown =>
  kinds[field.kind].shown?.(field) ??
  fitting(
    [field.example, ...ownDefault(field), ...candidatesOf({ field, words: wordsOf(field.name), model })],
    field,
  )

/** A constant default is the most likely value, unless it is empty. */
const ownDefault = ({ access, default: value }: Field): readonly unknown[] =>
  access === 'write-only' || value === undefined || value === null || value === '' ? [] : [value]

/** The first value that the field accepts, in its JSON form. */
const fitting = (values: readonly unknown[], field: KindField): unknown => {
  const row = kinds[field.kind]
  for (const value of values) {
    const reading = row.read(value, field)
    if (reading.ok) return row.write(reading.value, field)
  }
  return null
}

const exampleUuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

/** A text column that is as long as a UUID and named like a key or foreign key holds a UUID. */
const isKeyName = (words: Words): boolean => ['id', 'uuid', 'guid'].includes(words.at(-1) ?? '')

type Words = readonly string[]

interface ExampleSubject {
  readonly field: KindField
  readonly words: Words
  readonly model: Model
}

type Candidates = (subject: ExampleSubject) => readonly unknown[]

const text: Candidates = ({ field, words, model }) => {
  if (field.maxLength === exampleUuid.length && isKeyName(words)) return [exampleUuid]
  const whole = exampleText(words, wordsOf(model.name), field.maxLength)
  const long = whole.padEnd(field.minLength ?? 0, '.')
  return [long, [...long].slice(0, field.maxLength).join('')]
}

const number: Candidates = ({ field, words }) => {
  const bounds = [field.minimum, field.maximum].filter((bound) => bound !== undefined)
  return [exampleNumber(words), 1, 0, ...bounds.map(Number)]
}

const candidates: Readonly<Record<FieldKind, readonly unknown[] | Candidates>> = {
  text,
  token: text,
  enum: ({ field }) => field.values ?? [],
  uuid: [exampleUuid],
  boolean: [true],
  integer: number,
  bigint: (subject) => [...number(subject), subject.field.minimum],
  float: number,
  decimal: ['9.90', '9.9', '9', '0.9', '0.09', '0'],
  date: ['2026-01-31'],
  time: ['09:30:00'],
  datetime: ['2026-01-31T09:30:00Z'],
  localdatetime: ['2026-01-31T09:30:00'],
  bytes: ['aGVsbG8=', 'aGk=', 'AA==', ''],
  file: [],
  image: [],
  json: [{ key: 'value' }],
  opaque: ['value'],
  array: ({ field, words, model }) => {
    const { element, size = 1 } = field
    if (element === undefined) return [[]]
    const value = fitting(candidatesOf({ field: element, words, model }), element)
    return [Array.from({ length: size }, () => value)]
  },
}

const candidatesOf = (subject: ExampleSubject): readonly unknown[] => {
  const known = candidates[subject.field.kind]
  return typeof known === 'function' ? known(subject) : known
}

/** Typical strings by name: the first entry with a word of the name applies. */
const textsByWord: readonly (readonly [words: Words, example: string])[] = [
  [['email', 'mail'], 'ada@example.com'],
  [['url', 'website', 'homepage', 'link', 'uri'], 'https://example.com/'],
  [['phone', 'mobile', 'telephone', 'fax'], '+44 20 7946 0000'],
  [['first', 'given', 'forename'], 'Ada'],
  [['last', 'family', 'surname'], 'Lovelace'],
  [['username', 'login', 'nickname', 'handle'], 'ada'],
  [['password', 'passphrase'], 'correct horse battery staple'],
  [['street', 'address'], '12 St James Square'],
  [['city', 'town'], 'London'],
  [['country'], 'United Kingdom'],
  [['zip', 'postcode', 'postal'], 'SW1Y 4JH'],
  [['currency'], 'GBP'],
  [['locale', 'language', 'lang'], 'en'],
  [['timezone', 'tz'], 'Europe/London'],
  [['color', 'colour'], 'blue'],
  [['ip', 'inet', 'host'], '192.0.2.1'],
  [['duration', 'interval'], '1 day'],
  [['sku', 'code', 'number', 'reference', 'isbn', 'ean'], 'AB-1234'],
  [['image', 'photo', 'avatar', 'picture'], 'images/example.png'],
  [['file', 'path', 'document'], 'files/example.pdf'],
  [['status', 'state'], 'active'],
  [['description', 'body', 'content', 'text', 'summary', 'comment', 'note', 'notes', 'bio'], 'A few words.'],
]

/** Columns of two characters hold codes. */
const codes: Readonly<Record<string, string>> = { 'United Kingdom': 'GB', 'Europe/London': 'UTC' }

const people: Words = 'user customer person author member employee contact'.split(' ')

const exampleText = (words: Words, model: Words, maxLength: number = Number.POSITIVE_INFINITY): string => {
  const known = textsByWord.find(([names]) => names.some((name) => words.includes(name)))?.[1]
  if (known !== undefined) return known.length > maxLength ? (codes[known] ?? known) : known
  if (words.includes('slug')) return `example-${model.join('-')}`
  if (words.includes('name') && model.some((word) => people.includes(word))) return 'Ada Lovelace'
  if (words.includes('name') || words.includes('title')) return `Example ${model.join(' ')}`
  return `Example ${words.join(' ')}`
}

const numbersByWord: readonly (readonly [words: Words, example: number])[] = [
  [['id', 'key'], 1],
  [['year'], 2026],
  [['age'], 36],
  [['quantity', 'stock', 'count', 'amount'], 3],
  [['latitude', 'lat'], 51.5],
  [['longitude', 'lon', 'lng'], -0.1],
  [['rating', 'stars', 'score'], 4],
  [['percent', 'percentage', 'discount'], 10],
]

const exampleNumber = (words: Words): number =>
  numbersByWord.find(([names]) => names.some((name) => words.includes(name)))?.[1] ?? 1
