import type { DataSource, EntityMetadata, EntitySubscriberInterface } from 'typeorm'

/** What listeners of entities and subscribers hear. */
export type Heard = 'Load' | 'Insert' | 'Update' | 'Remove' | 'SoftRemove'

/** Whether a listener or a subscriber hears an act on an entity. Subscribers may be added at any time. */
export const isHeard = ({ subscribers }: DataSource, metadata: EntityMetadata, act: Heard): boolean => {
  const events = [`before${act}`, `after${act}`]
  // Records of join tables are not entities.
  if (metadata.isJunction) return false
  return (
    metadata.listeners.some(({ type }) => events.includes(spelled[type] ?? '')) ||
    subscribers.some(
      (subscriber) =>
        hears(subscriber, metadata) &&
        events.some((event) => typeof Reflect.get(subscriber, event) === 'function'),
    )
  )
}

const spelled: Readonly<Record<string, string>> = Object.fromEntries(
  ['load', 'insert', 'update', 'remove', 'soft-remove'].flatMap((act) => {
    const name = act.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
    return [
      [`before-${act}`, `before${name}`],
      [`after-${act}`, `after${name}`],
    ]
  }),
)

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
