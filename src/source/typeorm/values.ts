import type { DataSource, EntityMetadata } from 'typeorm'
import type { Field, FieldKind } from '../../model/model.ts'
import type { ConnectionQueue } from '../source.ts'
import {
  convertedBy,
  type EntityCodec,
  entityCodecOf,
  type Family,
  itself,
  plainDate,
} from '../sql/codecs.ts'
import { isTextList } from '../sql/lists.ts'
import { withSingles } from '../sql/singles.ts'

export type ColumnMetadata = EntityMetadata['columns'][number]

/** A data source with what its statements depend on. */
export interface TypeormDatabase {
  readonly source: DataSource
  readonly family: Family
  readonly quoted: (name: string) => string
  readonly typeOf: (column: ColumnMetadata) => string
  /** Those of its pools. */
  readonly queues: readonly ConnectionQueue[]
}

export interface TypeormCodec extends EntityCodec {
  /** Writes do not pass through TypeORM's own conversion, which would lose digits or depend on the zone of the process. */
  readonly isOwn: boolean
  /** Entities have the value exactly. If not, it is read apart. */
  readonly isInEntities: boolean
}

const times: readonly FieldKind[] = ['datetime', 'localdatetime']

/** Kinds that TypeORM keeps in its own ways, such as arrays that are stored as text. */
const converted: readonly FieldKind[] = ['array', 'opaque']

const parsed: readonly string[] = ['json', 'jsonb']

export const codecOf = (
  column: ColumnMetadata,
  field: Omit<Field, 'access' | 'optional'>,
  { source: { driver }, family, typeOf }: TypeormDatabase,
): TypeormCodec => {
  const { collation, transformer } = column
  const stored = { field, type: typeOf(column), collation, isMixed: isFilled(column) }
  const own = entityCodecOf(stored, family)
  const { exact, searched, inEntity, ofEntity } = own
  const hydrated = (raw: unknown): unknown => ofEntity(driver.prepareHydratedValue(raw, column))
  // The driver of PostgreSQL parses them.
  const isParsed = family === 'pg' && parsed.includes(String(column.type))
  const shown = (stored: unknown): unknown => hydrated(isParsed ? JSON.parse(String(stored)) : stored)
  const throughTypeorm = {
    decode: hydrated,
    ...convertedBy(field, (value) => driver.preparePersistentValue(value, column), shown, column.isArray),
  }
  if (transformer !== undefined)
    return {
      ...withSingles<TypeormCodec>(
        { ...throughTypeorm, inEntity, ofEntity, selected: itself, isOwn: false, isInEntities: true },
        stored,
        family,
      ),
      ...{ ...(exact && { exact }), ...(searched && { searched }) },
    }
  const isTime = times.includes(field.kind)
  const isText = family === 'pg' && isTextList(field)
  return {
    ...{ ...own, isOwn: isTime || isText, ...(isTime && { inEntity: plainDate }) },
    ...(converted.includes(field.kind) && !isText && throughTypeorm),
    ...(field.kind === 'json' && { param: (value) => driver.preparePersistentValue(value, column) }),
    isInEntities: own.selected === itself || isInEntities(field.kind, family),
    ...(isJoined(column) && { fits: isSplitAgain }),
  }
}

/** Kinds that statements read as text, but that entities have exactly. */
const isInEntities = (kind: FieldKind, family: Family): boolean =>
  kind === 'time' ||
  (family === 'pg' && ['json', 'decimal', 'bigint'].includes(kind)) ||
  (family === 'sqlite' && kind === 'integer')

const isJoined = ({ type }: ColumnMetadata): boolean => type === 'simple-array' || type === 'set'

/** Whether the strings of an array are the same after TypeORM has joined them with commas. */
const isSplitAgain = (value: unknown): boolean =>
  Array.isArray(value) &&
  !value.some((text) => String(text).includes(',')) &&
  !(value.length === 1 && value[0] === '')

/** Columns that the database may fill in itself, in SQLite without a fraction of a second. */
const isFilled = (column: ColumnMetadata): boolean =>
  column.isCreateDate || column.isUpdateDate || column.isDeleteDate || typeof column.default === 'function'
