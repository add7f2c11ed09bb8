import { isDeepStrictEqual } from 'node:util'
import { ReferenceKind } from '@mikro-orm/core'
import type { Field } from '../../model/model.ts'
import { checked, convertedBy, type EntityCodec, entityCodecOf, itself, plainDate } from '../sql/codecs.ts'
import { arrayLiteral, isTextList } from '../sql/lists.ts'
import { withSingles } from '../sql/singles.ts'
import { sql } from '../sql/text.ts'
import { dateOf } from '../sql/times.ts'
import type { MikroOrmDatabase, Property } from './database.ts'
import { isOwnType, typeNameOf } from './fields.ts'

/** @param scalar the property that says the type of the column */
export const codecOf = (
  scalar: Property,
  field: Omit<Field, 'access' | 'optional'>,
  database: MikroOrmDatabase,
): EntityCodec => {
  const { family, offset } = database
  const { collation } = scalar
  const column = { field, type: typeNameOf(scalar), collation, offset }
  const plain = entityCodecOf(column, family)
  if (!isOwnType(scalar)) return { ...plain, ...ofKind[field.kind]?.(scalar, field, database) }
  const { exact, searched, inEntity, ofEntity } = plain
  return {
    ...{ ...(exact && { exact }), ...(searched && { searched }), inEntity, ofEntity },
    ...withSingles(ofOwnType(scalar, field, database), column, family),
  }
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type OfKind = (
  scalar: Property,
  field: Pick<Field, 'name' | 'kind' | 'form' | 'scale' | 'element' | 'anyJson'>,
  database: MikroOrmDatabase,
) => Partial<EntityCodec> | undefined

const ofOwnType = (
  { customType, columnTypes }: Property,
  field: Parameters<OfKind>[1],
  { platform, family }: MikroOrmDatabase,
): Required<Pick<EntityCodec, 'selected' | 'written' | 'decode' | 'param' | 'fits'>> => {
  const check = checked(field)
  const decode = (raw: unknown): unknown => check(customType?.convertToJSValue(raw, platform))
  const isList = family === 'pg' && columnTypes?.[0]?.endsWith('[]') === true
  const own = convertedBy(
    field,
    (value) => customType?.convertToDatabaseValue(value, platform, {}),
    decode,
    isList,
  )
  return {
    selected: (column) =>
      sql.made(column, (text) => customType?.convertToJSValueSQL?.(text, platform) ?? text),
    written: (slot) =>
      sql.made(slot, (text) => customType?.convertToDatabaseValueSQL?.(text, platform) ?? text),
    ...{ ...own, decode },
    ...(isList && { param: (value: unknown) => listed(own.param(value)) }),
  }
}

/** SQLite keeps milliseconds since 1970, but its own clock writes text. */
const epoch: Partial<EntityCodec> = {
  decode: (raw) => (typeof raw === 'number' ? new Date(raw) : dateOf(raw)),
  param: (value) => (value as Date).getTime(),
  isMixed: true,
  ordered: (column) =>
    sql`case typeof(${column}) when 'text' then cast(round((julianday(${column}) - 2440587.5) * 86400000) as integer) else ${column} end`,
  // Divisions round toward zero, and times before 1970 are negative.
  seconds: (column) =>
    sql`case typeof(${column}) when 'text' then unixepoch(${column}) else (${column} - (${column} % 1000 + 1000) % 1000) / 1000 end`,
}

/** Some types make a literal of PostgreSQL themselves. */
const listed = (value: unknown): unknown => (Array.isArray(value) ? arrayLiteral(value) : value)

const withZeros = (value: number, scale: number): string => {
  const fixed = value.toFixed(scale)
  return Number(fixed) === value ? fixed : String(value)
}

const ofKind: Readonly<Partial<Record<Field['kind'], OfKind>>> = {
  datetime: (_scalar, _field, { family }) => ({ ...(family === 'sqlite' && epoch), inEntity: plainDate }),
  localdatetime: () => ({ inEntity: plainDate }),
  bigint: (_scalar, field) => {
    const check = checked(field)
    const parse = (value: unknown): unknown =>
      field.form === 'string' ? String(check(value)) : BigInt(check(value) as string)
    return { decode: parse, ofEntity: parse, param: String }
  },
  // SQLite does not keep zeros at the end.
  decimal: (_scalar, field, { family }) =>
    family === 'sqlite' && field.form === 'string' && field.scale !== undefined
      ? { selected: itself, decode: (raw) => withZeros(Number(checked(field)(raw)), field.scale ?? 0) }
      : undefined,
  enum: ({ items = [] }) => {
    const item = (value: unknown): unknown => items.find((one) => String(one) === value) ?? value
    return { param: item, inEntity: item }
  },
  bytes: ({ customType }, _field, { platform }) => ({
    inEntity: (value) => customType?.convertToJSValue(value, platform) ?? value,
  }),
  json: ({ kind, array }) => ({
    param: (value) => JSON.stringify(value),
    ...(kind === ReferenceKind.EMBEDDED && {
      fits: (value) => (array ? Array.isArray(value) && value.every(isObject) : isObject(value)),
    }),
  }),
  // MikroORM would write an array as a list of values.
  opaque: () => ({ param: (value) => (typeof value === 'object' ? JSON.stringify(value) : value) }),
  array: (scalar, field, database) => {
    const { decode, param } = ofOwnType(scalar, field, database)
    if (isTextList(field) && database.family === 'pg') return undefined
    if (database.family === 'pg') return { ...(field.element?.kind === 'float' && { decode }), param: listed }
    // MikroORM joins strings with commas.
    return { decode, param, fits: (value) => isDeepStrictEqual(decode(param(value)), value) }
  },
}
