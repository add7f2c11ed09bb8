import { StartError } from '../../error/errors.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { FieldKind, ValueForm } from '../../model/model.ts'
import type { TypedField } from './column-facts.ts'
import { type CustomColumn, driverValue, madeBy } from './column-types.ts'
import { fieldOf, formsOf, hasForm, inForm, isSame, jsonOf, type StatedType, texts } from './mapper-trial.ts'
import type { Dialect } from './tables.ts'

type Samples = (type: StatedType) => readonly unknown[]

const numbers: Samples = ({ minimum = -3, maximum = 120 }) =>
  [-3, 1, 12, 120].filter((value) => value >= minimum && value <= maximum)

const always =
  (...samples: readonly unknown[]): Samples =>
  () =>
    samples

/** Values of each kind as JSON, the smallest first. A text such as `31/07/1999` has another order. */
const samples: Readonly<Partial<Record<FieldKind, Samples>>> = {
  text: texts,
  token: texts,
  enum: ({ values = [] }) => values,
  uuid: always('3f2504e0-4f89-41d3-9a0c-0305e82c3301'),
  boolean: always(false, true),
  integer: numbers,
  bigint: (type) => numbers(type).map(String),
  float: numbers,
  decimal: ({ scale = 2 }) => [-12, 2.25, 10.5, 100].map((value) => value.toFixed(scale)),
  date: always('1999-07-31', '2000-01-05', '2026-02-01'),
  time: always('00:10:05', '09:05:30', '23:00:01'),
  datetime: always('1999-07-31T23:59:59Z', '2000-01-05T08:00:00Z', '2026-02-01T00:00:01Z'),
  localdatetime: always('1999-07-31T23:59:59', '2000-01-05T08:00:00', '2026-02-01T00:00:01'),
  bytes: always('AP9B'),
  json: always({ a: [1, 'x', null] }, [true]),
  array: always([]),
}

/** One value, tried in one form. */
interface Attempt {
  readonly json: unknown
  readonly made: unknown
  readonly comesBack: boolean
}

/**
 * What a column is whose own mappers change what its SQL type holds, where the application says its kind: the form of the
 * values that its mappers take and give, and what conditions may ask.
 *
 * @param base what the SQL type holds
 * @throws StartError where the mapper takes no value of the kind
 */
export const typeByTrial = (
  column: CustomColumn,
  stated: StatedType,
  { base, dialect, where }: { readonly base: TypedField; readonly dialect: Dialect; readonly where: string },
): TypedField => {
  const { example } = stated
  const given = [...(example === undefined ? [] : [example]), ...(samples[stated.kind]?.(stated) ?? [])]
  const tried = formsOf(stated.kind).map((form) => ({
    form,
    attempts: given.flatMap((json) => attempt(column, inForm(stated, form), json, base) ?? []),
  }))
  const best = tried.reduce((one, other) => (worthOf(other) > worthOf(one) ? other : one))
  if (best.attempts.length === 0) {
    throw new StartError(
      `${where}: toDriver of the column takes no ${kinds[stated.kind].noun.replace(/^an? /, '')}, such as ${JSON.stringify(given[0])}. Let it take ${formsOf(
        stated.kind,
      )
        .map((form) => nouns[form])
        .join(' or ')}, or state an example that it takes.`,
    )
  }
  const type = inForm(stated, best.form)
  const conditions = conditionsAllowed(column, type, best.attempts, { base, dialect, example })
  return conditions === undefined ? type : { ...type, conditions }
}

const nouns: Readonly<Record<ValueForm, string>> = {
  string: 'a string',
  number: 'a number',
  bigint: 'a bigint',
  boolean: 'a boolean',
  date: 'a Date',
  bytes: 'a Uint8Array',
  json: 'the value of the JSON',
}

const worthOf = ({ attempts }: { readonly attempts: readonly Attempt[] }): number =>
  attempts.filter(({ comesBack }) => comesBack).length * 100 + attempts.length

const attempt = (
  column: CustomColumn,
  type: TypedField,
  json: unknown,
  base: TypedField,
): Attempt | undefined => {
  const reading = kinds[type.kind].read(json, fieldOf(type))
  if (!reading.ok) return undefined
  try {
    const made = driverValue(madeBy(column, reading.value, base))
    return { json, made, comesBack: comesBack(column, type, json, made) }
  } catch {
    return undefined
  }
}

/** Whether the driver's value is read as the one that was written. A number may come as a text, and the other way round. */
const comesBack = (column: CustomColumn, type: TypedField, json: unknown, made: unknown): boolean => {
  const raws = [made, ...(typeof made === 'string' ? [Number(made)] : [String(made)])]
  return raws.some((raw) => {
    try {
      const value: unknown = column.mapFromDriverValue(raw)
      return hasForm(value, type.form) && isSame(jsonOf(type, value), json)
    } catch {
      return false
    }
  })
}

interface Asked {
  readonly base: TypedField
  readonly dialect: Dialect
  readonly example: unknown
}

/**
 * What conditions may ask of values that are stored as something else. An order has to be the same on both sides, and what
 * is equal has to be stored as the same: an encrypted text is another one each time.
 */
const conditionsAllowed = (
  column: CustomColumn,
  type: TypedField,
  attempts: readonly Attempt[],
  { base, dialect, example }: Asked,
): TypedField['conditions'] => {
  // Of other databases, types that are not known may not even have an equality.
  if (base.kind === 'opaque' && dialect !== 'sqlite') return 'null'
  const [first] = attempts
  const again = attempt(column, type, first?.json, base)
  if (!isSame(plainBytes(again?.made), plainBytes(first?.made))) return 'null'
  if (!kinds[type.kind].ordered || kinds[type.kind].textual) return 'equality'
  const ascending = attempts.filter(({ json }) => json !== example).map(({ made }) => made)
  return ascending.length > 1 && isAscending(ascending, base) ? undefined : 'equality'
}

const plainBytes = (value: unknown): unknown => (value instanceof Uint8Array ? [...value] : value)

const numeric: ReadonlySet<FieldKind> = new Set(['integer', 'bigint', 'float', 'decimal', 'opaque'])

/** Texts of one length that differ only in digits have the same order in every collation. */
const isAscending = (made: readonly unknown[], base: TypedField): boolean => {
  if (numeric.has(base.kind) && made.every((value) => !Number.isNaN(Number(value))))
    return made.every((value, place) => place === 0 || Number(value) > Number(made[place - 1]))
  return made.every(
    (value, place) =>
      typeof value === 'string' &&
      (place === 0 || (value.length === String(made[place - 1]).length && value > String(made[place - 1]))),
  )
}
