import { EventType } from '@mikro-orm/core'
import { ownValue } from '../../model/objects.ts'
import { type Key, keyText, keyValues } from '../record-keys.ts'
import type { Awaitable, Row } from '../source.ts'
import { decoded } from '../sql/bound-table.ts'
import { readInOrder } from '../sql/many.ts'
import type { SqlManager } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { mergeData, valueIn } from './entities.ts'
import { actIn, type Execution, inOneTransaction } from './execution.ts'
import { hasListeners } from './hooks.ts'

/** A stored record as MikroORM loads it, with what `onLoad` hooks and subscribers change. */
export const loadedOf = async (
  manager: SqlManager,
  mapped: MappedEntity,
  stored: Row,
): Promise<{ readonly record: object; readonly row: Row }> => {
  const { metadata, members, model } = mapped
  const record = manager.merge(metadata.class, mergeData(mapped, stored)) as object
  await manager.getEventManager().dispatchEvent(EventType.onLoad, { entity: record, em: manager }, metadata)
  const shown = [...members.values()].flatMap((member): readonly (readonly [string, unknown])[] => {
    const { name } = member.field
    const value = valueIn(record, member)
    if (member.parts !== undefined || value === undefined) return []
    const found = decoded(member.field, value, member.codec.ofEntity, () => model.name)
    return isSameTime(found, ownValue(stored, name)) ? [] : [[name, found]]
  })
  return { record, row: { ...stored, ...Object.fromEntries(shown) } }
}

/** Entities have times of milliseconds. */
const isSameTime = (value: unknown, stored: unknown): boolean =>
  value instanceof Date && stored instanceof Date && value.getTime() === stored.getTime()

/** Stored records as MikroORM loads them. It hears once of a record that is there several times. */
export const shownIn = async (
  manager: SqlManager,
  entity: MappedEntity,
  rows: readonly Row[],
): Promise<readonly Row[]> => {
  const byKey = new Map<string, Row>()
  const shown: Row[] = []
  for (const stored of rows) {
    const key = keyText(keyValues(stored, entity.model.primaryKey))
    const row = byKey.get(key) ?? (await loadedOf(manager, entity, stored)).row
    byKey.set(key, row)
    shown.push(row)
  }
  return shown
}

/** The records with these keys, in their order, as they were just stored. They need not meet the filters of the entity. */
export const readBack = async (
  { database, engine, manager }: Execution,
  entity: MappedEntity,
  keys: readonly Key[],
): Promise<readonly Row[]> => {
  const rows = await readInOrder(entity.model, keys, engine.storedReadsOf(manager, entity))
  if (!hasListeners(database, entity, 'Load')) return rows
  // Entities of the manager that wrote them have already been loaded.
  return shownIn(actIn({ database, manager }).manager, entity, rows)
}

/** What a statement of the engine stored or removed, as reads show it. A hook that fails undoes it. */
export const shownAfter = async (
  place: Execution,
  entity: MappedEntity,
  write: (where: Execution) => Awaitable<readonly Row[]>,
): Promise<readonly Row[]> =>
  hasListeners(place.database, entity, 'Load')
    ? inOneTransaction(place, async (inside) => shownIn(inside.manager, entity, await write(inside)))
    : await write(place)
