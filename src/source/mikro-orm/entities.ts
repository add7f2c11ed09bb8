import { isRaw, Reference, ScalarReference, Utils } from '@mikro-orm/core'
import { ownValue, putAt } from '../../model/objects.ts'
import { type Row, SourceError } from '../source.ts'
import type { EntityMember, MappedEntity } from './describe.ts'

/** The value of a field in an entity. `undefined`: it has none. */
export const valueIn = (entity: object, { path }: EntityMember): unknown => {
  let at: unknown = entity
  for (const name of path) {
    // The property of a relation may have the key itself.
    if (typeof at !== 'object' || at === null) return at
    at = withoutReference(Reflect.get(at, name))
    // Every object inherits functions, such as `toString`.
    if (typeof at === 'function') return undefined
  }
  return at
}

/** A value without the reference of MikroORM around it. */
export const withoutReference = (value: unknown): unknown =>
  ScalarReference.isScalarReference(value) ? value.unwrap() : Reference.unwrapReference(value as object)

/** What a field is set to. */
export interface MemberChange {
  readonly member: EntityMember
  readonly value: unknown
}

/**
 * The changes as `em.create` and `em.assign` take them, under the names of properties.
 *
 * @param stored the record with the other parts of keys of several columns
 * @param isWhole whether a key must have all its parts or none. If not, it is left out
 * @throws SourceError `value` for a key of which only some parts are null
 */
export const dataOf = (
  mapped: MappedEntity,
  changes: readonly MemberChange[],
  stored: Row,
  isWhole: boolean,
): Record<string, unknown> => {
  const given = new Map(changes.map((change) => [change.member, entityValue(change)]))
  const data: Record<string, unknown> = {}
  for (const [member, value] of given) {
    const { property, path, parts } = member
    if (parts === undefined) {
      putAt(data, path, value)
      continue
    }
    const members = parts.flatMap((column) =>
      [...mapped.members.values()].filter((other) => other.column === column),
    )
    const values = members.map((part) =>
      given.has(part) ? given.get(part) : (ownValue(stored, part.field.name) ?? null),
    )
    const isNull = values.every((part) => part === null)
    const isPartial = !isNull && values.includes(null)
    if (isPartial && isWhole)
      throw new SourceError('value', { fields: members.map(({ field }) => field.name) })
    if (!isPartial)
      data[property] = isNull ? null : Utils.mapFlatCompositePrimaryKey(values as never, member.declared)
  }
  return data
}

/** The value as entities have it. */
const entityValue = ({ member: { codec }, value = null }: MemberChange): unknown =>
  value === null || isRaw(value) ? value : codec.inEntity(value)

/** A stored record as `em.merge` takes it. */
export const mergeData = (mapped: MappedEntity, row: Row): Record<string, unknown> => {
  const changes = [...mapped.members.values()]
    // MikroORM would create the entities of references by another key than the primary one.
    .filter(({ declared }) => declared.targetKey === undefined)
    .map((member) => ({
      // The values of embeddables are in properties of the entity.
      member: member.parts === undefined ? { ...member, path: [member.property] } : member,
      value: ownValue(row, member.field.name),
    }))
  return dataOf(mapped, changes, {}, false)
}

/** The primary key of an entity. Keys that only the database knows are undefined. */
export const entityKey = (
  entity: object,
  mapped: MappedEntity,
  given: (field: string) => unknown,
): unknown[] =>
  mapped.model.primaryKey.map((name) => {
    const member = mapped.members.get(name)
    const value = member && valueIn(entity, member)
    return value === undefined || value === null ? given(name) : member?.codec.ofEntity(value)
  })
