import { EventType } from '@mikro-orm/core'
import { ownValue } from '../../model/objects.ts'
import type { Row } from '../source.ts'
import { decoded } from '../sql/bound-table.ts'
import { readInOrder } from '../sql/many.ts'
import type { Key } from '../sql/tables.ts'
import type { SqlManager } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { stateOf, valueIn } from './entities.ts'
import { isHeard } from './hooks.ts'
import type { Place } from './place.ts'

/** A stored record as MikroORM loads it, with what `onLoad` hooks and subscribers change. */
export const loadedOf = async (
  manager: SqlManager,
  mapped: MappedEntity,
  stored: Row,
): Promise<{ readonly record: object; readonly row: Row }> => {
  const { metadata, members, model } = mapped
  const record = manager.merge(metadata.class, stateOf(mapped, stored)) as object
  await manager.getEventManager().dispatchEvent(EventType.onLoad, { entity: record, em: manager }, metadata)
  const heard = [...members.values()].flatMap((member): readonly (readonly [string, unknown])[] => {
    const { name } = member.field
    const value = valueIn(record, member)
    if (member.parts !== undefined || value === undefined) return []
    const found = decoded(member.field, value, member.codec.ofEntity, () => model.name)
    return isSameTime(found, ownValue(stored, name)) ? [] : [[name, found]]
  })
  return { record, row: { ...stored, ...Object.fromEntries(heard) } }
}

/** Entities have times of milliseconds. */
const isSameTime = (value: unknown, stored: unknown): boolean =>
  value instanceof Date && stored instanceof Date && value.getTime() === stored.getTime()

/** The records with these keys, in their order, as they were just stored. They need not meet the filters of the entity. */
export const readBack = async (
  { database, engine, manager }: Place,
  entity: MappedEntity,
  keys: readonly Key[],
): Promise<readonly Row[]> => {
  const rows = await readInOrder(entity.model, keys, engine.storedReadsOf(manager, entity))
  if (!isHeard(database, entity, 'Load')) return rows
  const shown: Row[] = []
  for (const row of rows) shown.push((await loadedOf(manager, entity, row)).row)
  return shown
}
