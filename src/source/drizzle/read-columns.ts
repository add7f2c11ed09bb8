import type { Column } from 'drizzle-orm'
import { parse as parseArray } from 'postgres-array'
import { StartError } from '../../error/errors.ts'
import type { FieldKind } from '../../model/model.ts'
import { type TypedColumn, type TypedField, typeOf, unknownType } from './column-types.ts'
import {
  asBuiltIn,
  type CustomColumn,
  hasMappers,
  isCustom,
  mappedToDriver,
  mappersBetween,
  withFacts,
} from './custom-column.ts'
import type { Dialect } from './internals.ts'
import { type Kept, keptBy, typeByTrial } from './mapper-trial.ts'
import { inPlainForm, type StatedColumn, type StatedType } from './stated-columns.ts'

export interface ReadColumn {
  readonly column: TypedColumn
  readonly type: TypedField
}

/** Determines the type of a column: built-in ones by type, `customType` by SQL type or by the option `columns`. */
type ReadColumns = (column: Column, stated?: StatedColumn) => ReadColumn

/** Tries mappers that several columns share only once. */
export const columnReader = (dialect: Dialect): ReadColumns => {
  const keptOf = triedOnce(dialect)
  const read: ReadColumns = (column, stated) => {
    if (isCustom(column)) return readCustom(column, stated, dialect, keptOf)
    if (stated !== undefined) return unmapped(column, typeOf(column), stated, dialect)
    const { baseColumn } = column as { readonly baseColumn?: Column }
    if (baseColumn === undefined) return { column, type: typeOf(column) }
    const element = read(baseColumn)
    if (element.column === baseColumn) return { column, type: typeOf(column) }
    const array = withFacts(column, { baseColumn: element.column })
    return { column: array, type: { ...typeOf(array), element: { ...element.type, nullable: false } } }
  }
  return read
}

type KeptOf = (column: CustomColumn, base: TypedField) => Kept | undefined

const triedOnce = (dialect: Dialect): KeptOf => {
  const trials: { column: CustomColumn; kept: Kept | undefined }[] = []
  return (column, base) => {
    const known = trials.find(({ column: other }) => isSameType(column, other))
    if (known !== undefined) return known.kept
    const kept = keptBy(column, { base, dialect })
    trials.push({ column, kept })
    return kept
  }
}

const isSameType = (one: CustomColumn, other: CustomColumn): boolean =>
  one.mapFrom === other.mapFrom && one.mapTo === other.mapTo && one.getSQLType() === other.getSQLType()

const readCustom = (
  column: CustomColumn,
  stated: StatedColumn | undefined,
  dialect: Dialect,
  keptOf: KeptOf,
): ReadColumn => {
  const builtIn = asBuiltIn(column, dialect)
  const base = builtIn === undefined ? unknownType : typeOf(builtIn)
  if (!hasMappers(column)) {
    const plain = withFacts(builtIn ?? column, { mapping: 'none' })
    return stated === undefined ? { column: plain, type: base } : unmapped(plain, base, stated, dialect)
  }
  const kept = builtIn && keptOf(column, base)
  if (stated !== undefined && kept?.type.kind !== stated.type.kind) {
    const type = typeByTrial(column, stated, { base, dialect })
    return { column: withOwnMappers(builtIn ?? column, column, base, { mapping: 'changed' }), type }
  }
  if (builtIn === undefined || kept === undefined) return { column, type: unknownType }
  const { columnType = builtIn.columnType } = kept
  const facts = { mapping: 'kept', columnType }
  const read = withOwnMappers(builtIn, column, base, facts, parserOf(builtIn, kept))
  return { column: read, type: { ...kept.type, ...stated?.type } }
}

const withOwnMappers = (
  builtIn: Column,
  column: CustomColumn,
  { kind }: TypedField,
  facts: object,
  parse?: (raw: unknown) => unknown,
): Column =>
  withFacts(builtIn, {
    ...facts,
    mapToDriverValue: (value: unknown) => mappedToDriver(column, value, kind),
    mapFromDriverValue: parse
      ? (raw: unknown) => column.mapFromDriverValue(parse(raw))
      : column.mapFromDriverValue,
  })

/** Drivers return some arrays and some JSON as text. */
const parserOf = ({ columnType }: Column, { parsesJson }: Kept): ((raw: unknown) => unknown) | undefined => {
  if (parsesJson) return (raw) => JSON.parse(String(raw))
  return columnType === 'PgArray' ? (raw) => (typeof raw === 'string' ? parseArray(raw) : raw) : undefined
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
  const conditions = conditionsOnHeld(base, type, dialect)
  return { column: read, type: conditions === undefined ? stated : { ...stated, conditions } }
}

const conditionsOnHeld = (base: TypedField, type: StatedType, dialect: Dialect): TypedField['conditions'] => {
  if (base.kind === 'opaque' && dialect !== 'sqlite') return 'null'
  return base.kind === 'token' && type.kind !== 'token' ? 'equality' : undefined
}
