import type { DataSource, EntityMetadata, EntitySubscriberInterface } from 'typeorm'

/** What listeners of entities and subscribers hear. */
export type Heard = 'Load' | 'Insert' | 'Update' | 'Remove' | 'SoftRemove'

/** Whether a listener or a subscriber hears an act on an entity. Subscribers may be added at any time. */
export const isHeard = ({ subscribers }: DataSource, metadata: EntityMetadata, act: Heard): boolean => {
  // Records of join tables are not entities.
  if (metadata.isJunction) return false
  return (
    metadata.listeners.some(
      ({ type }) => type === `before-${spelled[act]}` || type === `after-${spelled[act]}`,
    ) ||
    subscribers.some(
      (subscriber) =>
        hears(subscriber, metadata) &&
        (['before', 'after'] as const).some(
          (when) => typeof Reflect.get(subscriber, `${when}${act}`) === 'function',
        ),
    )
  )
}

const spelled: Readonly<Record<Heard, string>> = {
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
