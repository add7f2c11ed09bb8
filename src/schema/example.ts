import type { KindField } from '../model/codec.ts'
import type { FieldKind } from '../model/field-kinds.ts'
import { isFileField } from '../model/file-fields.ts'
import { kinds } from '../model/kinds.ts'
import type { Field, Model } from '../model/model.ts'
import { wordsOf } from '../model/naming.ts'
import { onceFor } from '../model/once-for.ts'
import { exampleNumber, exampleText } from './example-words.ts'
import { lazyRecord } from './lazy-record.ts'
import { isReply, type Member, membersOf, type SchemaName, schemaNames } from './members.ts'

/** A record or body as it could be, in JSON, for the documentation. It fits the schema of that name. */
export const exampleOf = (model: Model, which: SchemaName): Readonly<Record<string, unknown>> =>
  examplesOf(model)[which]

/** A field looks the same in all five. */
const examplesOf = onceFor((model: Model) => {
  const example = onceFor((field: Field) => exampleIn(model, field))
  const shown = (field: Field, which: SchemaName): unknown =>
    isGuess(field) && field.nullable && !isReply(which) ? null : example(field)
  return lazyRecord(schemaNames, (which) => {
    const members = membersOf(model, which).filter((member) => isReply(which) || isSent(member))
    return Object.freeze(Object.fromEntries(members.map(({ field }) => [field.name, shown(field, which)])))
  })
})

/**
 * A document cannot know which records there are to refer to, and JSON cannot send a file: the server would refuse a body
 * that named either.
 */
const isSent = ({ field, required }: Member): boolean =>
  required || !(field.foreign === true || isFileField(field) || (isGuess(field) && !field.nullable))

/** Only the column knows which values it takes: the server may refuse the example. */
const isGuess = ({ kind, example }: Field): boolean => kind === 'opaque' && example === undefined

const exampleIn = (model: Model, field: Field): unknown =>
  kinds[field.kind].shown ??
  fitting(
    [
      field.example,
      ...ownDefault(field),
      ...candidates[field.kind]({ field, words: wordsOf(field.name), model }),
    ],
    field,
  )

/** A constant default is the most likely value, unless it says nothing. */
const ownDefault = ({ access, default: value }: Field): readonly unknown[] =>
  access === 'write-only' || value === undefined || value === null || value === '' ? [] : [value]

/** The first that the field takes, as the field writes it. */
const fitting = (values: readonly unknown[], field: KindField): unknown => {
  const row = kinds[field.kind]
  for (const value of values) {
    const reading = row.read(value, field)
    if (reading.ok) return row.write(reading.value, field)
  }
  return null
}

interface Subject {
  readonly field: KindField
  readonly words: readonly string[]
  readonly model: Model
}

type Candidates = (subject: Subject) => readonly unknown[]

const fixed =
  (...values: readonly unknown[]): Candidates =>
  () =>
    values

const text: Candidates = ({ field, words, model }) => {
  const whole = exampleText(words, wordsOf(model.name), field.maxLength)
  return [whole, [...whole].slice(0, field.maxLength).join('')]
}

const number: Candidates = ({ field, words }) => {
  const bounds = [field.minimum, field.maximum].filter((bound) => bound !== undefined)
  return [exampleNumber(words), 1, 0, ...bounds.map(Number)]
}

const candidates: Readonly<Record<FieldKind, Candidates>> = {
  text,
  token: text,
  enum: ({ field }) => field.values ?? [],
  uuid: fixed('3f2504e0-4f89-41d3-9a0c-0305e82c3301'),
  boolean: fixed(true),
  integer: number,
  bigint: (subject) => [...number(subject), subject.field.minimum],
  float: number,
  decimal: fixed('9.90', '9.9', '9', '0.9', '0.09', '0'),
  date: fixed('2026-01-31'),
  time: fixed('09:30:00'),
  datetime: fixed('2026-01-31T09:30:00Z'),
  localdatetime: fixed('2026-01-31T09:30:00'),
  bytes: fixed('aGVsbG8=', 'aGk=', 'AA==', ''),
  file: fixed(),
  image: fixed(),
  json: fixed({ key: 'value' }),
  opaque: fixed('value'),
  array: ({ field, words, model }) => {
    const { element, size = 1 } = field
    if (element === undefined) return [[]]
    const value = fitting(candidates[element.kind]({ field: element, words, model }), element)
    return [Array.from({ length: size }, () => value)]
  },
}
