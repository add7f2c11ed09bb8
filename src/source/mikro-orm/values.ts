import { isDeepStrictEqual } from 'node:util'
import { ReferenceKind, types } from '@mikro-orm/core'
import type { Field } from '../../model/model.ts'
import { type Codec, checked, itself, plainDate, codecOf as sqlCodecOf } from '../sql/codecs.ts'
import { dateOf } from '../sql/times.ts'
import type { Database, Property } from './database.ts'
import { isOwnType, typeNameOf } from './fields.ts'

/** How the values of a column get to the database, to entities, and back. */
export interface EntityCodec extends Codec {
  /** The value as entities have it. */
  readonly inEntity: (value: unknown) => unknown
  /** The value of an entity in the form of the field. */
  readonly ofEntity: (value: unknown) => unknown
}

/** @param scalar the property that says the type of the column */
export const codecOf = (
  scalar: Property,
  field: Omit<Field, 'access' | 'optional'>,
  database: Database,
): EntityCodec => {
  const { family, offset } = database
  const { collation } = scalar
  const column = { field, type: typeNameOf(scalar), collation, offset }
  const plain = sqlCodecOf(column, family)
  if (isOwnType(scalar)) return convertedBy(scalar, plain, field, database)
  return {
    ...{ ...plain, inEntity: itself, ofEntity: checked(field) },
    ...ofKind[field.kind]?.(scalar, field, database),
  }
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A type of the application. */
const convertedBy = (
  { customType, hasConvertToDatabaseValueSQL, hasConvertToJSValueSQL }: Property,
  plain: Codec,
  field: Pick<Field, 'kind' | 'form'>,
  { platform }: Database,
): EntityCodec => {
  if (customType === undefined) return { ...plain, inEntity: itself, ofEntity: itself }
  const check = checked(field)
  const stored = (value: unknown): unknown => customType.convertToDatabaseValue(value, platform, {})
  return {
    ...(plain.exact && { exact: plain.exact }),
    ...(plain.searched && { searched: plain.searched }),
    read: (sql) => (hasConvertToJSValueSQL ? (customType.convertToJSValueSQL?.(sql, platform) ?? sql) : sql),
    decode: (raw) => check(customType.convertToJSValue(raw, platform)),
    param: stored,
    fits: (value) => {
      try {
        stored(value)
        return true
      } catch {
        return false
      }
    },
    ...(hasConvertToDatabaseValueSQL && {
      around: (sql: string) => customType.convertToDatabaseValueSQL?.(sql, platform) ?? sql,
    }),
    ...{ inEntity: itself, ofEntity: check },
  }
}

type OfKind = (
  scalar: Property,
  field: Pick<Field, 'kind' | 'form' | 'scale'>,
  database: Database,
) => Partial<EntityCodec> | undefined

/** SQLite keeps milliseconds since 1970, but its own clock writes text. */
const epoch: Partial<EntityCodec> = {
  read: (sql) => sql,
  decode: (raw) => (typeof raw === 'number' ? new Date(raw) : dateOf(raw)),
  param: (value) => (value as Date).getTime(),
  sorted: (sql) =>
    `case typeof(${sql}) when 'text' then cast(round((julianday(${sql}) - 2440587.5) * 86400000) as integer) else ${sql} end`,
}

/** A literal of an array of PostgreSQL. That of MikroORM loses backslashes, line breaks and the text `NULL`. */
const arrayLiteral = (value: unknown): string => {
  const parts = (value as readonly unknown[]).map((part) =>
    part === null ? 'NULL' : `"${String(part).replaceAll(/["\\]/g, '\\$&')}"`,
  )
  return `{${parts.join(',')}}`
}

const withZeros = (value: number, scale: number): string => {
  const fixed = value.toFixed(scale)
  return Number(fixed) === value ? fixed : String(value)
}

const ofKind: Readonly<Partial<Record<Field['kind'], OfKind>>> = {
  datetime: (_scalar, _field, { family }) => ({ ...(family === 'sqlite' && epoch), inEntity: plainDate }),
  localdatetime: () => ({ inEntity: plainDate }),
  bigint: (_scalar, field, { family }) => {
    const check = checked(field)
    const parse = (value: unknown): unknown =>
      field.form === 'string' ? String(check(value)) : BigInt(check(value) as string)
    return {
      ...(family === 'sqlite' && { read: (sql: string) => `cast(${sql} as text)` }),
      ...{ decode: parse, ofEntity: parse, param: String },
    }
  },
  // SQLite does not keep zeros at the end.
  decimal: (_scalar, field, { family }) =>
    family === 'sqlite' && field.form === 'string' && field.scale !== undefined
      ? { read: itself, decode: (raw) => withZeros(Number(checked(field)(raw)), field.scale ?? 0) }
      : undefined,
  enum: ({ items = [] }) => {
    const item = (value: unknown): unknown => items.find((one) => String(one) === value) ?? value
    return { param: item, inEntity: item }
  },
  bytes: ({ customType }) => ({
    inEntity: (value) => (customType instanceof types.blob ? Buffer.from(value as Uint8Array) : value),
  }),
  json: ({ kind, array }) => ({
    param: (value) => JSON.stringify(value),
    ...(kind === ReferenceKind.EMBEDDED && {
      fits: (value) => (array ? Array.isArray(value) && value.every(isObject) : isObject(value)),
    }),
  }),
  // MikroORM would write an array as a list of values.
  opaque: () => ({ param: (value) => (typeof value === 'object' ? JSON.stringify(value) : value) }),
  array: ({ customType }, _field, { family, platform }) => {
    if (family === 'pg') return { param: arrayLiteral }
    const joined = (value: unknown): unknown => customType?.convertToDatabaseValue(value, platform, {})
    const split = (raw: unknown): unknown => customType?.convertToJSValue(raw, platform)
    return {
      ...{ param: joined, decode: split },
      // MikroORM joins strings with commas.
      fits: (value) => isDeepStrictEqual(split(joined(value)), value),
    }
  },
}
