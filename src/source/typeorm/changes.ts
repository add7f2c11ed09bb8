import { isDeepStrictEqual } from 'node:util'
import type { ObjectLiteral } from 'typeorm'
import type { Field } from '../../model/model.ts'
import { ownValue, putAt } from '../../model/objects.ts'
import { DEFAULT, type Row, SourceError } from '../source.ts'
import { memberOf } from '../sql/tables.ts'
import { sql } from '../sql/text.ts'
import type { EntityMember, MappedEntity } from './describe.ts'
import type { ColumnMetadata, TypeormDatabase } from './values.ts'

/** Whether a stored value is the given one. The digits of a decimal may differ. */
export const isStoredAs = ({ kind }: Field, stored: unknown, given: unknown): boolean =>
  kind === 'decimal' ? shortest(stored) === shortest(given) : isDeepStrictEqual(stored, given)

const shortest = (decimal: unknown): string => String(decimal).replace(/\.0*$|(\.\d*?)0+$/, '$1')

/** A record that the engine writes, with what TypeORM adds to a new one. */
export const newRow = ({ source }: TypeormDatabase, { members, metadata }: MappedEntity, given: Row): Row => {
  const { driver } = source
  const added = (column: ColumnMetadata): unknown => {
    if (column.isVersion) return 1
    if (column.isDiscriminator) return metadata.discriminatorValue
    const isMade = column.generationStrategy === 'uuid' && !driver.isUUIDGenerationSupported()
    return isMade ? crypto.randomUUID() : undefined
  }
  const own = [...members].map(([name, { metadata: column }]): readonly [string, unknown] => {
    if (!column.isInsert) return [name, undefined]
    const value = column.isDiscriminator ? undefined : ownValue(given, name)
    return [name, value === undefined ? added(column) : value]
  })
  return { ...given, ...Object.fromEntries(own) }
}

/** The changes of a record that the engine writes, with what TypeORM adds to them. */
export const writtenRow = (
  { source, family }: TypeormDatabase,
  { members, metadata: { isJunction } }: MappedEntity,
  given: Row,
): Row => {
  const added = ({ metadata: column, column: name }: EntityMember): unknown => {
    if (column.isVersion) return sql`${sql.identifier(name)} + 1`
    return column.isUpdateDate ? sql`current_timestamp` : undefined
  }
  const own = [...members].map(([name, member]): readonly [string, unknown] => {
    const value = ownValue(given, name)
    if (value === DEFAULT && family === 'sqlite')
      return [name, sql.raw(source.driver.normalizeDefault(member.metadata) ?? 'null')]
    return [name, value === undefined && !isJunction ? added(member) : value]
  })
  return { ...given, ...Object.fromEntries(own) }
}

/** The values as entities have them, under the names of properties. `DEFAULT` is an SQL expression. */
export const literalOf = (database: TypeormDatabase, entity: MappedEntity, given: Row): ObjectLiteral => {
  // TypeORM also reads inherited members, such as the function of `toString`.
  const literal: ObjectLiteral = Object.create(null)
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const member = memberOf(entity, name)
    assign(database, literal, entity, member, inEntity(database, member, value))
  }
  return literal
}

const inEntity = (
  { source, family }: TypeormDatabase,
  { codec, metadata, field }: EntityMember,
  value: unknown,
): unknown => {
  if (value === DEFAULT) {
    const known = family === 'sqlite' ? (source.driver.normalizeDefault(metadata) ?? 'null') : '\tDEFAULT'
    return () => known
  }
  if (value === null) return null
  if (codec.fits?.(value) === false) throw new SourceError('value', { fields: [field.name] })
  return codec.inEntity(value)
}

const assign = (
  { source }: TypeormDatabase,
  literal: ObjectLiteral,
  { metadata: { isJunction, tablePath } }: MappedEntity,
  { metadata: column }: EntityMember,
  value: unknown,
): void => {
  const { databaseName, propertyName, propertyPath, relationMetadata, referencedColumn } = column
  const isKey = column.isVirtual && !isJunction
  const own = isJunction
    ? [source.hasMetadata(tablePath) ? propertyName : databaseName]
    : ((isKey ? relationMetadata?.propertyPath : undefined) ?? propertyPath).split('.')
  // A foreign key without a property is the key of the related entity.
  const path =
    isKey && value !== null && referencedColumn ? [...own, ...referencedColumn.propertyPath.split('.')] : own
  putAt(literal, path, value)
}

/** Sets values of a loaded entity. */
export const change = (
  database: TypeormDatabase,
  record: ObjectLiteral,
  entity: MappedEntity,
  given: Row,
): void => {
  for (const [name, value] of Object.entries(given)) {
    const member = memberOf(entity, name)
    const own = inEntity(database, member, value)
    if (member.metadata.isVirtual) assign(database, record, entity, member, own)
    else member.metadata.setEntityValue(record, own)
  }
}
