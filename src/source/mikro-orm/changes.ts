import { isRaw, ReferenceKind, raw, ref, ValidationError } from '@mikro-orm/core'
import { ownValue } from '../../model/objects.ts'
import { type Row, SourceError } from '../source.ts'
import type { SqlManager } from './database.ts'
import type { MappedEntity, Member } from './describe.ts'
import { unwrapped, valueIn } from './entities.ts'

/** What a field is set to. */
export interface Change {
  readonly member: Member
  readonly value: unknown
}

/** @throws SourceError `value` */
export const fitting = (change: Change): Change => {
  const { member, value } = change
  if (value !== null && !isRaw(value) && member.codec.fits?.(value) === false)
    throw new SourceError('value', { fields: [member.field.name] })
  return change
}

/** The data with the entities of relations that refer to another key than the primary one. MikroORM would create them. */
export const withTargets = async (
  manager: SqlManager,
  changes: readonly Change[],
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

/** MikroORM would merge the new JSON of an embeddable with the old. */
export const forget = (record: object, member: Member): void => {
  const { path, declared } = member
  const parent = valueIn(record, { ...member, path: path.slice(0, -1) })
  if (declared.kind === ReferenceKind.EMBEDDED && typeof parent === 'object' && parent !== null)
    Reflect.set(parent, path.at(-1) ?? '', undefined)
}

/** `em.assign` puts no reference around a scalar, without which MikroORM cannot save it. */
export const refer = (record: object, { property, declared, parts }: Member): void => {
  const value: unknown = Reflect.get(record, property)
  if (declared.ref && parts === undefined && typeof value !== 'object')
    Reflect.set(record, property, ref(value))
}

/** MikroORM refuses a record without a value that it needs before the database does. */
export const flushed = async (manager: Pick<SqlManager, 'flush'>, record: object): Promise<void> => {
  try {
    await manager.flush()
  } catch (error) {
    const [, property] =
      /^Value for [^.]*\.(\S+) is required/.exec(String(Reflect.get(Object(error), 'message'))) ?? []
    if (!(error instanceof ValidationError) || error.getEntity() !== record || property === undefined)
      throw error
    throw new SourceError('not-null', { fields: [property], cause: error })
  }
}

/** What a function of the application made for a field, in its form. */
export const heldAs = (value: unknown, { ofEntity }: Member['codec']): unknown => {
  if (value === undefined || value === null) return null
  return isRaw(value) ? value : ofEntity(value)
}

/** What the constructor of the entity, `onCreate` and defaults have set. */
export const madeIn = (
  record: object,
  { members }: MappedEntity,
  given: Row,
  manager: SqlManager,
): readonly Change[] =>
  [...members.values()].flatMap((member) => {
    const { declared, field, codec } = member
    if (ownValue(given, field.name) !== undefined || declared.generated !== undefined) return []
    // MikroORM fills in references of scalars later.
    const value = valueIn(record, member) ?? unwrapped(declared.onCreate?.(record, manager))
    if (value === undefined) return []
    const isDefault = value === declared.default && declared.defaultRaw !== undefined
    return [{ member, value: isDefault ? raw(declared.defaultRaw ?? '') : heldAs(value, codec) }]
  })
