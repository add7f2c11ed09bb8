import { isDeepStrictEqual } from 'node:util'
import type { Column } from 'drizzle-orm'
import { parse as parseArray } from 'postgres-array'
import { StartError } from '../../error/errors.ts'
import { formsOf } from '../../model/facts.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { FieldKind } from '../../model/model.ts'
import type { Dialect } from '../sql/text.ts'
import { mappedType, type TypedColumn, type TypedField, typeOf, unknownType } from './column-types.ts'
import {
  asBuiltIn,
  type CustomColumn,
  hasBothMappers,
  hasMappers,
  isCustom,
  mappedToDriver,
  mappersBetween,
  withFacts,
} from './custom-column.ts'
import { type Held, keptBy, roundTrip, samplesOf, type Trip, type Way } from './round-trip.ts'
import { inForm, inPlainForm, type StatedColumn, type StatedType } from './stated-columns.ts'

export interface ReadColumn {
  readonly column: TypedColumn
  readonly type: TypedField
}

/** Determines the type of a column: built-in ones by type, `customType` by SQL type or by the option `columns`. */
type ReadColumns = (column: Column, stated?: StatedColumn) => ReadColumn

/** Tries mappers that several columns share only once. */
export const columnReader = (dialect: Dialect): ReadColumns => {
  const keptOf = triedOnce()
  const read: ReadColumns = (column, stated) => {
    if (isCustom(column)) return readCustom(column, stated, dialect, keptOf)
    if (stated !== undefined) return unmapped(column, typeOf(column), stated, dialect)
    const { baseColumn } = column as { readonly baseColumn?: Column }
    if (baseColumn === undefined) return { column, type: typeOf(column) }
    const element = read(baseColumn)
    if (element.column === baseColumn) return { column, type: typeOf(column) }
    const array = withFacts(column, { baseColumn: element.column })
    // Only values of columns are shown again before they are stored.
    const { anyJson: _, ...inner } = element.type
    return { column: array, type: { ...typeOf(array), element: { ...inner, nullable: false } } }
  }
  return read
}

type KeptBy = typeof keptBy

const triedOnce = (): KeptBy => {
  const trials: { column: CustomColumn; kept: Way | undefined }[] = []
  return (held) => {
    const known = trials.find(({ column }) => isSameType(column, held.column))
    if (known !== undefined) return known.kept
    const kept = keptBy(held)
    trials.push({ column: held.column, kept })
    return kept
  }
}

const isSameType = (one: CustomColumn, other: CustomColumn): boolean =>
  one.mapFrom === other.mapFrom && one.mapTo === other.mapTo && one.getSQLType() === other.getSQLType()

const readCustom = (
  column: CustomColumn,
  stated: StatedColumn | undefined,
  dialect: Dialect,
  keptOf: KeptBy,
): ReadColumn => {
  const builtIn = asBuiltIn(column, dialect)
  const base = builtIn === undefined ? unknownType : typeOf(builtIn)
  if (!hasMappers(column)) {
    const plain = withFacts(builtIn ?? column, { mapping: 'none' })
    return stated === undefined ? { column: plain, type: base } : unmapped(plain, base, stated, dialect)
  }
  const held: Held = { column, base, dialect }
  const kept = builtIn && keptOf(held)
  if (stated !== undefined && kept?.type.kind !== stated.type.kind)
    return { column: withOwnMappers(builtIn ?? column, held, 'changed'), type: changedType(held, stated) }
  if (builtIn === undefined || kept === undefined)
    return { column, type: hasBothMappers(column) ? mappedType : unknownType }
  // As text, because it may be larger than a number.
  const isLarge = dialect === 'mysql' && kept.type.kind === 'bigint'
  const read = isLarge ? withFacts(builtIn, { columnType: 'MySqlBigInt64' }) : builtIn
  const parse = kept.parse ?? (builtIn.columnType === 'PgArray' ? parsedArray : undefined)
  const type = { ...(isLarge && typeOf(read)), ...kept.type, ...stated?.type }
  return { column: withOwnMappers(read, held, 'kept', parse), type }
}

const withOwnMappers = (
  builtIn: Column,
  { column, base }: Held,
  mapping: TypedColumn['mapping'],
  parse: Way['parse'] = (raw) => raw,
): Column =>
  withFacts(builtIn, {
    mapping,
    mapToDriverValue: (value: unknown) => mappedToDriver(column, value, base.kind),
    mapFromDriverValue: (raw: unknown) => column.mapFromDriverValue(parse(raw)),
  })

/** Drivers return some arrays as text. */
const parsedArray = (raw: unknown): unknown => (typeof raw === 'string' ? parseArray(raw) : raw)

/**
 * The type of a column whose own mappers change its values: of the kind that the application states, in the form that the
 * mappers accept and return. @throws StartError if the mappers do not accept a value of this kind
 */
const changedType = (held: Held, { type: stated, where }: StatedColumn): TypedField => {
  // Many mappers keep only whole seconds.
  const values = [stated.example, ...samplesOf({ ...stated, fractionDigits: 0 })]
  const tried = formsOf(stated.kind).map((form) => {
    const type = inForm(stated, form)
    const trips = values.flatMap((json) => roundTrip(held, { type }, json) ?? [])
    return { type, trips, worth: trips.length + trips.filter(({ comesBack }) => comesBack).length }
  })
  const { type, trips } = tried.reduce((one, other) => (other.worth > one.worth ? other : one))
  if (trips.length > 0) return { ...type, ...conditionsAllowed(held, type, trips) }
  const example = JSON.stringify(values.find((json) => json !== undefined))
  const forms = tried.map(({ type: { form } }) => form).join(', ')
  throw new StartError(
    `${where}: toDriver of the column does not accept ${kinds[stated.kind].noun}, such as ${example} (tried as ${forms}). Change toDriver, or set an example that it accepts.`,
  )
}

type Conditions = Pick<TypedField, 'conditions'>

/**
 * The conditions that a column supports if its stored values differ. Comparing by order needs the same order on both sides;
 * equality needs equal stored values, which an encrypted text does not have.
 */
const conditionsAllowed = (held: Held, type: TypedField, trips: readonly Trip[]): Conditions => {
  const [first] = trips
  const again = roundTrip(held, { type }, first?.json)
  if (!isDeepStrictEqual(again?.made, first?.made)) return { conditions: 'null' }
  const { ordered, textual } = kinds[type.kind]
  const made = trips.filter(({ json }) => json !== type.example).map((trip) => trip.made)
  const isOrdered = ordered && !textual && made.length > 1 && isAscending(made, held.base)
  return { ...(!isOrdered && { conditions: 'equality' }), ...conditionsOnHeld(held.base, type, held.dialect) }
}

/** Strings of equal length that differ only in digits have the same order in every collation. */
const isAscending = (made: readonly unknown[], { kind }: TypedField): boolean => {
  const areNumbers =
    ['opaque', ...numbers].includes(kind) && !made.some((value) => Number.isNaN(Number(value)))
  return made.slice(1).every((value, at) => {
    const before = made[at]
    if (areNumbers) return Number(value) > Number(before)
    if (typeof before !== 'string' || typeof value !== 'string') return false
    return value.length === before.length && value > before
  })
}

const numbers = ['integer', 'bigint', 'float', 'decimal'] as const
const moments = ['date', 'time', 'datetime', 'localdatetime'] as const

/** The kinds that the option `columns` may state for a column without mappers, by the kind of its SQL type. */
const statable: Readonly<Partial<Record<FieldKind, readonly FieldKind[]>>> = {
  text: ['text', 'token', 'enum', 'uuid', ...moments, 'json'],
  token: ['token', 'text', 'enum', 'uuid'],
  integer: ['integer', 'boolean'],
  bigint: ['bigint', 'integer'],
  decimal: ['decimal'],
  json: ['json', 'array'],
  opaque: ['text', 'token', 'enum', 'uuid', 'boolean', ...numbers, ...moments, 'bytes'],
}

const littleKnown: ReadonlySet<FieldKind> = new Set(['opaque', 'json', 'token'])

const unmapped = (
  column: TypedColumn,
  base: TypedField,
  { type, where }: StatedColumn,
  dialect: Dialect,
): ReadColumn => {
  const isOpen = column.mapping !== undefined || littleKnown.has(base.kind)
  const allowed = isOpen ? (statable[base.kind] ?? [base.kind]) : []
  if (!allowed.includes(type.kind)) {
    const sqlType = column.getSQLType()
    throw new StartError(
      allowed.length === 0
        ? `${where}: a column of type ${sqlType} is always ${base.kind}. Remove the entry.`
        : `${where}: a column of type ${sqlType} without mappers cannot be ${type.kind}. Allowed: ${allowed.join(', ')}.`,
    )
  }
  const stated = type.kind === base.kind ? { ...base, ...type, form: base.form } : inPlainForm(type)
  const read = withFacts(column, mappersBetween(base.kind, type.kind))
  return { column: read, type: { ...stated, ...conditionsOnHeld(base, type, dialect) } }
}

const conditionsOnHeld = (base: TypedField, type: StatedType, dialect: Dialect): Conditions => {
  // On other databases, an unknown type might not support equality.
  if (base.kind === 'opaque' && dialect !== 'sqlite') return { conditions: 'null' }
  return base.kind === 'token' && type.kind !== 'token' ? { conditions: 'equality' } : {}
}
