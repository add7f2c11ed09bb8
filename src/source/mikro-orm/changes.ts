import { isDeepStrictEqual } from 'node:util'
import { isRaw, ReferenceKind, raw, ref, ValidationError } from '@mikro-orm/core'
import { ownValue } from '../../model/objects.ts'
import { DEFAULT, type Row, SourceError } from '../source.ts'
import { memberOf } from '../sql/tables.ts'
import { sql } from '../sql/text.ts'
import type { MikroOrmDatabase, SqlManager } from './database.ts'
import type { EntityMember, MappedEntity } from './describe.ts'
import { type MemberChange, valueIn, withoutReference } from './entities.ts'
import type { Execution } from './execution.ts'

/** @throws SourceError `not-null`, `value` */
export const changesOf = (
  { manager, database: { family } }: Execution,
  entity: MappedEntity,
  given: Row,
): readonly MemberChange[] =>
  Object.entries(given).flatMap(([name, value]) => {
    const member = memberOf(entity, name)
    if (value === undefined) return []
    if (value === null && !member.field.nullable) throw new SourceError('not-null', { fields: [name] })
    if (value !== DEFAULT) return [fitting({ member, value })]
    const { onCreate, defaultRaw = 'null' } = member.declared
    const known = raw(family === 'sqlite' ? defaultRaw : 'default')
    return [{ member, value: onCreate === undefined ? known : heldAs(onCreate({}, manager), member) }]
  })

/** @throws SourceError `value` */
const fitting = (change: MemberChange): MemberChange => {
  const { member, value } = change
  if (value !== null && !isRaw(value) && member.codec.fits?.(value) === false)
    throw new SourceError('value', { fields: [member.field.name] })
  return change
}

/** The changes by field, as the engine writes them. */
export const writtenRow = (
  { platform }: Pick<MikroOrmDatabase, 'platform'>,
  changes: readonly MemberChange[],
): Row =>
  Object.fromEntries(
    changes.map(({ member, value }) => [
      member.field.name,
      isRaw(value) ? sql.raw(platform.formatQuery(value.sql, value.params)) : value,
    ]),
  )

/** The data with the entities of relations that refer to another key than the primary one. MikroORM would create them. */
export const withTargets = async (
  manager: SqlManager,
  changes: readonly MemberChange[],
  data: Record<string, unknown>,
): Promise<Record<string, unknown>> => {
  const found = new Map(Object.entries(data))
  for (const { member, value } of changes) {
    const { targetKey, targetMeta } = member.declared
    if (targetKey === undefined || targetMeta === undefined || value === null) continue
    const options = { filters: false, cache: false, connectionType: 'write' } as const
    const target = await manager.findOne(targetMeta.class, { [targetKey]: value }, options)
    if (target === null) throw new SourceError('missing-reference', { fields: [member.field.name] })
    found.set(member.property, target)
  }
  return Object.fromEntries(found)
}

/** Changes a loaded entity. */
export const assign = (
  manager: SqlManager,
  record: object,
  changes: readonly MemberChange[],
  data: Record<string, unknown>,
): void => {
  for (const { member } of changes) forget(record, member)
  manager.assign(record, data, { mergeObjectProperties: false })
  for (const { member } of changes) refer(record, member)
}

/** MikroORM would merge the new JSON of an embeddable with the old. */
const forget = (record: object, member: EntityMember): void => {
  const { path, declared } = member
  const parent = valueIn(record, { ...member, path: path.slice(0, -1) })
  if (declared.kind === ReferenceKind.EMBEDDED && typeof parent === 'object' && parent !== null)
    Reflect.set(parent, path.at(-1) ?? '', undefined)
}

/** `em.assign` puts no reference around a scalar, without which MikroORM cannot save it. */
const refer = (record: object, { property, declared, parts }: EntityMember): void => {
  const value: unknown = Reflect.get(record, property)
  if (declared.ref && parts === undefined && typeof value !== 'object')
    Reflect.set(record, property, ref(value))
}

/** MikroORM refuses a record without a value that it needs before the database does. */
export const flushed = async (manager: SqlManager, records: ReadonlySet<unknown>): Promise<void> => {
  try {
    await manager.flush()
  } catch (error) {
    const [, property] =
      /^Value for [^.]*\.(\S+) is required/.exec(String(Reflect.get(Object(error), 'message'))) ?? []
    if (!(error instanceof ValidationError) || !records.has(error.getEntity()) || property === undefined)
      throw error
    throw new SourceError('not-null', { fields: [property], cause: error })
  }
}

/** What a function of the application made for a field, in its form. */
const heldAs = (value: unknown, { codec }: EntityMember): unknown => {
  if (value === undefined || value === null) return null
  return isRaw(value) ? value : codec.ofEntity(value)
}

/**
 * What the constructor of the entity, `onCreate` and defaults have set.
 *
 * @param data what the entity was made of
 */
export const madeIn = (
  record: object,
  entity: MappedEntity,
  given: Row,
  data: Row,
  manager: SqlManager,
): readonly MemberChange[] =>
  [...entity.members.values()].flatMap((member) => {
    const { metadata } = entity
    const { declared, field } = member
    if (declared.generated !== undefined) return []
    if (ownValue(given, field.name) !== undefined && !isRemade(record, entity, member, data)) return []
    // MikroORM fills in references of scalars later.
    const isClass = member.property === metadata.root.discriminatorColumn
    const value =
      valueIn(record, member) ??
      (isClass ? metadata.discriminatorValue : undefined) ??
      withoutReference(declared.onCreate?.(record, manager))
    if (value === undefined) return []
    const isDefault = value === declared.default && declared.defaultRaw !== undefined
    return [fitting({ member, value: isDefault ? raw(declared.defaultRaw ?? '') : heldAs(value, member) })]
  })

/** Whether the constructor takes a value, and has set another one, such as a hash. */
const isRemade = (record: object, { metadata }: MappedEntity, member: EntityMember, data: Row): boolean => {
  const { declared, path, property } = member
  if (declared.kind !== ReferenceKind.SCALAR || path.length > 1) return false
  if (metadata.constructorParams?.some((name) => name === property) !== true) return false
  const [value, taken] = [valueIn(record, member), ownValue(data, property)]
  return value !== undefined && !isRaw(taken) && !isDeepStrictEqual(value, taken)
}

/** What MikroORM changes itself in an update. */
const touching = ({ members }: MappedEntity, given: Row): readonly EntityMember[] =>
  [...members.values()].filter(
    ({ declared, field }) => declared.onUpdate !== undefined && ownValue(given, field.name) === undefined,
  )

/** Whether a function of the application that changes a field gets the entity. */
export const needsEntity = (entity: MappedEntity, given: Row): boolean =>
  touching(entity, given).some(({ declared }) => (declared.onUpdate?.length ?? 0) > 0)

export const touchedBy = (entity: MappedEntity, given: Row, manager: SqlManager): readonly MemberChange[] =>
  touching(entity, given)
    .filter(({ declared }) => declared.onUpdate?.length === 0)
    .map((member) => fitting({ member, value: heldAs(member.declared.onUpdate?.({}, manager), member) }))
