import type { KindRow, Reading } from '../codec.ts'
import type { Field, FieldKind, Model, ValueForm } from '../model.ts'
import { onceFor } from '../objects.ts'
import { arrayRow } from './array.ts'
import { bytes, file, image } from './binary.ts'
import { decimal } from './decimal.ts'
import { json, opaque } from './json.ts'
import { bigint, float, integer } from './number.ts'
import { boolean, choice, text, token, uuid } from './text.ts'
import { date, datetime, localdatetime, time } from './time.ts'

/** What each kind of field is: the only place that branches on a kind. */
export const kinds: Readonly<Record<FieldKind, KindRow>> = Object.freeze({
  text,
  enum: choice,
  uuid,
  boolean,
  integer,
  bigint,
  float,
  decimal,
  date,
  time,
  datetime,
  localdatetime,
  bytes,
  json,
  array: arrayRow((kind) => kinds[kind]),
  file,
  image,
  token,
  opaque,
})

/** The row of a field: that of its kind, without the conditions that its column does not take. */
export const rowOf = ({ kind, conditions }: Pick<Field, 'kind' | 'conditions'>): KindRow =>
  conditions === undefined ? kinds[kind] : narrowed[conditions][kind]

const narrowedTo = (less: Partial<KindRow>): Readonly<Record<FieldKind, KindRow>> =>
  Object.fromEntries(Object.entries(kinds).map(([kind, row]) => [kind, { ...row, ...less }])) as Record<
    FieldKind,
    KindRow
  >

const narrowed = Object.freeze({
  equality: narrowedTo({ ordered: false, textual: false }),
  null: narrowedTo({ comparable: false, ordered: false, textual: false }),
})

/** Whether a field holds an uploaded file. */
export const isFileField = ({ kind }: Pick<Field, 'kind'>): boolean => kinds[kind].upload !== undefined

/** The fields of a model that hold uploaded files. */
export const fileFieldsOf: (model: Model) => readonly Field[] = onceFor((model: Model) =>
  Object.freeze(model.fields.filter(isFileField)),
)

/** Forms that hold more than clients may send: a record of the ORM may say `2026-01-31 09:30:00+00`. */
const looseForms: ReadonlySet<ValueForm> = new Set(['string', 'json'])

/** Reads a value that code gives: in the form of the field, as a record of the ORM has it, or as it is in JSON. */
export const readEitherForm = (value: unknown, field: Field): Reading => {
  const row = kinds[field.kind]
  const reading = (row.readOwn ?? row.read)(value, field)
  if (reading.ok || !looseForms.has(field.form)) return reading
  const json = jsonOf(row, value, field)
  const again = json === undefined ? reading : row.read(json, field)
  return again.ok ? again : reading
}

const jsonOf = (row: KindRow, value: unknown, field: Field): unknown => {
  try {
    return row.write(value, field)
  } catch {
    return undefined
  }
}
