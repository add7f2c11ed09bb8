import type { KindRow } from './codec.ts'
import type { FieldKind } from './field-kinds.ts'
import { arrayRow } from './kinds/array.ts'
import { bigint } from './kinds/bigint.ts'
import { bytes } from './kinds/bytes.ts'
import { boolean, choice, uuid } from './kinds/choice.ts'
import { date } from './kinds/date.ts'
import { datetime, localdatetime } from './kinds/datetime.ts'
import { decimal } from './kinds/decimal.ts'
import { file, image } from './kinds/file.ts'
import { json, opaque } from './kinds/json.ts'
import { float, integer } from './kinds/number.ts'
import { text, token } from './kinds/text.ts'
import { time } from './kinds/time.ts'
import type { Field } from './model.ts'

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
