import { getTableColumns, getViewSelectedFields, isTable } from 'drizzle-orm'
import { assertKnown, StartError, suggest } from '../../error/errors.ts'
import { formsOf } from '../../model/facts.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { FieldKind, ValueForm } from '../../model/model.ts'
import { isPlainObject } from '../../model/objects.ts'
import type { TypedField } from './column-types.ts'
import { assertNamedTables, type GivenTable, tablePlace } from './tables.ts'

/**
 * The kind of a column's values, as the application states it: their format in JSON, and their limits.
 *
 * `example` is a valid value as JSON. The OpenAPI document shows it, and modelrest tests the column's own mappers with it at
 * start.
 */
export type ColumnKind =
  | ColumnKindName
  | ((
      | { readonly kind: 'text' | 'token' | 'bytes'; readonly maxLength?: number }
      | { readonly kind: 'enum'; readonly values: readonly string[] }
      | { readonly kind: 'uuid' | 'boolean' | 'date' | 'json' }
      | {
          readonly kind: 'integer' | 'bigint' | 'float'
          readonly minimum?: number
          readonly maximum?: number
        }
      | { readonly kind: 'decimal'; readonly precision?: number; readonly scale?: number }
      | { readonly kind: 'time' | 'datetime' | 'localdatetime'; readonly fractionDigits?: number }
      | { readonly kind: 'array'; readonly element: ColumnKind; readonly size?: number }
    ) & { readonly example?: unknown })

/** The kinds without required options. */
export type ColumnKindName = Exclude<FieldKind, 'enum' | 'array' | 'file' | 'image' | 'opaque'>

/** Kinds of columns, as the application states them: key of a table, or `app.key` -> column -> kind. */
export type ColumnKinds = Readonly<
  Record<string, Readonly<Record<string, ColumnKind | undefined>> | undefined>
>

/** A type without the form of its values, which a mapper determines. */
export type StatedType = Omit<TypedField, 'form' | 'nullable'>

export interface StatedColumn {
  readonly type: StatedType
  /** Names the column in errors. */
  readonly where: string
}

/** A JavaScript `Date` has milliseconds, regardless of the precision of the column. */
export const inForm = (type: StatedType, form: ValueForm): TypedField =>
  form === 'date' && type.fractionDigits !== undefined
    ? { ...type, form, fractionDigits: Math.min(type.fractionDigits, 3) }
    : { ...type, form }

/** In the string form if the kind has one, which drivers return without a mapper. */
export const inPlainForm = (type: StatedType): TypedField => {
  const [first = 'string', ...others] = formsOf(type.kind)
  return inForm(type, others.includes('string') ? 'string' : first)
}

interface Option {
  readonly takes: string
  readonly fits: (value: unknown) => boolean
  readonly required?: true
}

const wholeNumber = (from: number, to = Number.MAX_SAFE_INTEGER): Option['fits'] => {
  return (value) => Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to
}

const length: Option = { takes: 'a positive integer', fits: wholeNumber(1) }
const count: Option = { takes: 'an integer of at least 0', fits: wholeNumber(0) }
const bound: Option = { takes: 'a number', fits: Number.isFinite }
const wholeBound: Option = { takes: 'an integer', fits: Number.isSafeInteger }
const values: Option = {
  takes: 'an array of strings',
  fits: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string'),
  required: true,
}
const element: Option = { takes: 'a kind', fits: (value) => value !== undefined, required: true }

const sized = { maxLength: length }
const timed = { fractionDigits: { takes: 'an integer from 0 to 6', fits: wholeNumber(0, 6) } }

const options: Readonly<Record<string, Readonly<Record<string, Option>>>> = {
  text: sized,
  token: sized,
  uuid: {},
  enum: { values },
  boolean: {},
  integer: { minimum: bound, maximum: bound },
  bigint: { minimum: wholeBound, maximum: wholeBound },
  float: { minimum: bound, maximum: bound },
  decimal: { precision: length, scale: count },
  date: {},
  time: timed,
  datetime: timed,
  localdatetime: timed,
  bytes: sized,
  json: {},
  array: { element, size: length },
}

/** @throws StartError for an unknown table, column, kind or option */
export const statedColumns = (
  given: readonly GivenTable[],
  columns: ColumnKinds,
): ((table: GivenTable) => ReadonlyMap<string, StatedColumn>) => {
  if (!isPlainObject(columns))
    throw new StartError(
      "drizzleModels: columns must be an object, such as { products: { price: 'decimal' } }.",
    )
  assertNamedTables(given, columns, 'drizzleModels: columns')
  return (table) =>
    new Map([table.key, tablePlace(table)].flatMap((place) => entriesOf(table, place, columns[place])))
}

const entriesOf = (
  { source }: GivenTable,
  place: string,
  kinds: ColumnKinds[string],
): readonly (readonly [string, StatedColumn])[] => {
  if (kinds === undefined) return []
  const where = `drizzleModels: columns.${place}`
  if (!isPlainObject(kinds)) throw new StartError(`${where} must be an object, such as { price: 'decimal' }.`)
  const names = Object.keys(isTable(source) ? getTableColumns(source) : getViewSelectedFields(source))
  return Object.entries(kinds).flatMap(([name, kind]) => {
    assertKnown(`${where}: unknown column`, name, names)
    const at = `${where}.${name}`
    return kind === undefined ? [] : [[name, { type: statedType(kind, at), where: at }] as const]
  })
}

/** The stated type of a column, without its form. @param where names the option in errors */
const statedType = (given: unknown, where: string): StatedType => {
  const { kind, example, ...facts } = isPlainObject(given) ? given : { kind: given }
  if (typeof kind !== 'string' || !Object.hasOwn(options, kind)) {
    const wrong = typeof kind === 'string' ? kind : `${JSON.stringify(kind)}`
    throw new StartError(`${where}: unknown kind ${wrong}.${suggest(wrong, Object.keys(options))}`)
  }
  const known = options[kind] ?? {}
  for (const name of Object.keys(facts))
    assertKnown(`${where}: unknown ${kind} option`, name, Object.keys(known))
  for (const [name, { takes, fits, required }] of Object.entries(known)) {
    const value: unknown = facts[name]
    if (value === undefined && required !== true) continue
    if (!fits(value)) throw new StartError(`${where}: ${name} must be ${takes}.`)
  }
  const { minimum, maximum, precision, scale } = facts
  if (Number(minimum) > Number(maximum)) throw new StartError(`${where}: minimum must not be above maximum.`)
  if (Number(scale) > Number(precision)) throw new StartError(`${where}: scale must not be above precision.`)
  const inner: unknown = facts['element']
  // Array elements have the form of their JSON.
  const element = inner !== undefined && inPlainForm(statedType(inner, `${where}: element`))
  const type: StatedType = {
    kind: kind as FieldKind,
    ...facts,
    ...(element && { element: Object.freeze({ ...element, nullable: false }) }),
  }
  if (example === undefined) return Object.freeze(type)
  const reading = kinds[type.kind].read(example, { nullable: false, form: 'json', ...type })
  if (!reading.ok) throw new StartError(`${where}: example must be ${reading.expected}.`)
  return Object.freeze({ ...type, example })
}
