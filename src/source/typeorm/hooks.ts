import type { DataSource, EntityMetadata, EntitySubscriberInterface } from 'typeorm'

/** What listeners of entities and subscribers hear. */
type ListenedAct = 'Load' | 'Insert' | 'Update' | 'Remove' | 'SoftRemove'

/** Whether a listener or a subscriber hears an act on an entity. Subscribers may be added at any time. */
export const hasListeners = (
  { subscribers }: DataSource,
  metadata: EntityMetadata,
  act: ListenedAct,
): boolean => {
  // Records of join tables are not entities.
  if (metadata.isJunction) return false
  const times = ['before', 'after']
  return (
    metadata.listeners.some(({ type }) => times.some((time) => type === `${time}-${spelled[act]}`)) ||
    subscribers.some(
      (subscriber) =>
        hears(subscriber, metadata) &&
        times.some((time) => typeof Reflect.get(subscriber, `${time}${act}`) === 'function'),
    )
  )
}

/** Whether TypeORM must write the records, because it puts values of a column into functions of the database. */
export const isSpatial = ({ driver }: DataSource, { columns }: EntityMetadata): boolean =>
  columns.some(({ type }) => driver.spatialTypes.includes(type as never))

const spelled: Readonly<Record<ListenedAct, string>> = {
  ...{ Load: 'load', Insert: 'insert', Update: 'update', Remove: 'remove', SoftRemove: 'soft-remove' },
}

const hears = (subscriber: EntitySubscriberInterface, { target }: EntityMetadata): boolean => {
  const heard: unknown = subscriber.listenTo?.()
  return (
    heard === undefined ||
    heard === Object ||
    heard === target ||
    (typeof heard === 'function' &&
      typeof target === 'function' &&
      Object.prototype.isPrototypeOf.call(heard, target))
  )
}

/** What a write is for listeners. */
export const listenedAct = (
  { deleteDateColumn }: EntityMetadata,
  event: 'create' | 'update' | 'delete',
): ListenedAct => {
  if (event === 'create') return 'Insert'
  if (event === 'update') return 'Update'
  return deleteDateColumn === undefined ? 'Remove' : 'SoftRemove'
}
