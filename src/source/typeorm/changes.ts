import { isDeepStrictEqual } from 'node:util'
import type { ObjectLiteral } from 'typeorm'
import type { Field } from '../../model/model.ts'
import { DEFAULT, type Row, SourceError } from '../source.ts'
import { memberOf, valueSql } from '../sql/tables.ts'
import type { MappedEntity, Member } from './describe.ts'
import { type Bound, bound } from './place.ts'
import type { Database } from './values.ts'

/** Whether a stored value is the given one. The digits of a decimal may differ. */
export const isSame = ({ kind }: Field, stored: unknown, given: unknown): boolean =>
  kind === 'decimal' ? shortest(stored) === shortest(given) : isDeepStrictEqual(stored, given)

const shortest = (decimal: unknown): string => String(decimal).replace(/\.0*$|(\.\d*?)0+$/, '$1')

/**
 * The builders of writes replace words that are names of properties, wherever a space, `=` or `(` comes before them. Tabs keep
 * the condition as it is.
 */
export const untouched = (sql: string): string =>
  `\t${sql.replaceAll(/("[^"]*"|`[^`]*`|'[^']*')|([ (=,)])/g, (_, name?: string, space?: string) => name ?? spaced(space))}`

const spaced = (mark: string | undefined): string => (mark === ' ' ? '\t' : `${mark}\t`)

/** The values as TypeORM takes them, under the names of properties. `DEFAULT` and exact times are SQL expressions. */
export const literalOf = (
  database: Database,
  text: Bound['text'],
  entity: MappedEntity,
  given: Row,
  isEntity: boolean,
): ObjectLiteral => {
  // TypeORM also reads inherited members, such as the function of `toString`.
  const literal: ObjectLiteral = Object.create(null)
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const member = memberOf(entity, name)
    assign(database, literal, entity, member, stored(database, text, member, value, isEntity))
  }
  return literal
}

const stored = (
  { source, family }: Database,
  text: Bound['text'],
  member: Member,
  value: unknown,
  isEntity: boolean,
): unknown => {
  const { codec, metadata, field } = member
  if (value === DEFAULT) {
    const known = family === 'sqlite' ? (source.driver.normalizeDefault(metadata) ?? 'null') : '\tDEFAULT'
    return () => known
  }
  if (value === null) return null
  if (codec.fits?.(value) === false) throw new SourceError('value', { fields: [field.name] })
  if (isEntity || !codec.isOwn) return codec.inEntity(value)
  const parameter = untouched(text(valueSql(member, value)))
  return () => parameter
}

const assign = (
  { source }: Database,
  literal: ObjectLiteral,
  { metadata: { isJunction, tablePath } }: MappedEntity,
  { metadata: column }: Member,
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
  let at = literal
  for (const [place, name] of path.entries())
    if (place === path.length - 1) at[name] = value
    else at = at[name] ??= {}
}

/** Sets values of a loaded entity. */
export const change = (database: Database, record: ObjectLiteral, entity: MappedEntity, given: Row): void => {
  for (const [name, value] of Object.entries(given)) {
    const member = memberOf(entity, name)
    const own = stored(database, bound(database).text, member, value, true)
    if (member.metadata.isVirtual) assign(database, record, entity, member, own)
    else member.metadata.setEntityValue(record, own)
  }
}
