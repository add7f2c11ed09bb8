import { EventType } from '@mikro-orm/core'
import { isPivot, type MikroOrmDatabase } from './database.ts'
import type { MappedEntity } from './describe.ts'

/** What hooks of entities and subscribers hear. */
type ListenedAct = 'Load' | 'Create' | 'Update' | 'Delete'

const flushes = [EventType.beforeFlush, EventType.onFlush, EventType.afterFlush] as const

const eventsOf: Readonly<Record<ListenedAct, readonly EventType[]>> = {
  Load: [EventType.onLoad],
  Create: [EventType.beforeCreate, EventType.afterCreate],
  Update: [EventType.beforeUpdate, EventType.afterUpdate],
  Delete: [EventType.beforeDelete, EventType.afterDelete],
}

/** Whether a hook or a subscriber hears an act on an entity. Subscribers may be added at any time. Records of pivot tables are not heard. */
export const hasListeners = (
  { orm }: MikroOrmDatabase,
  { metadata }: MappedEntity,
  act: ListenedAct,
): boolean => {
  if (isPivot(metadata)) return false
  const events = orm.em.getEventManager()
  return (
    eventsOf[act].some((event) => events.hasListeners(event, metadata)) ||
    (act !== 'Load' &&
      [...events.getSubscribers()].some((subscriber) => flushes.some((event) => event in subscriber)))
  )
}

/** What a write is for hooks. */
export const listenedAct = { create: 'Create', update: 'Update', delete: 'Delete' } as const

/** Whether the class of an entity sets the property of a new one, or may set it because its constructor needs arguments. */
export const isInitialised = ({ metadata }: MappedEntity, property: string): boolean => {
  if (isPivot(metadata)) return false
  try {
    return Reflect.get(Reflect.construct(metadata.class, []), property) !== undefined
  } catch {
    return true
  }
}
