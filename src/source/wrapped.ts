import type { ModelSource, RecordStore } from './source.ts'

/** The members that a wrapper replaces. */
type Replaced<Types> = Pick<ModelSource<Types>, 'store'> &
  Partial<Pick<ModelSource<Types>, 'models' | 'transaction' | 'conditionOf' | 'fills'>>

/**
 * A source in front of another one. Methods stay bound to the other, which may be an instance of a class.
 *
 * @param wrap wraps the source again, if it is observed
 */
export const wrappedSource = <Types>(
  source: ModelSource<Types>,
  replaced: Replaced<Types>,
  wrap: (observed: ModelSource<Types>) => ModelSource<Types>,
): ModelSource<Types> => {
  const [missing, refusalOf, loggable, conditionOf, observed, fills] = [
    source.missing?.bind(source),
    source.refusalOf?.bind(source),
    source.loggable?.bind(source),
    source.conditionOf?.bind(source),
    source.observed?.bind(source),
    source.fills?.bind(source),
  ]
  return Object.freeze<ModelSource<Types>>({
    models: source.models,
    capabilities: source.capabilities,
    db: source.db,
    transaction: (work) => source.transaction(work),
    ...(conditionOf && { conditionOf }),
    ...(fills && { fills }),
    ...replaced,
    ping: () => source.ping(),
    ...(source.notes && { notes: source.notes }),
    ...(source.queues && { queues: source.queues }),
    ...(source.hooks && { hooks: source.hooks }),
    ...(source.advice && { advice: source.advice }),
    ...(missing && { missing }),
    ...(refusalOf && { refusalOf }),
    ...(loggable && { loggable }),
    ...(observed && { observed: (watch) => wrap(observed(watch)) }),
  })
}

type Method<Name extends keyof RecordStore> = NonNullable<RecordStore[Name]>

/** What a wrapper makes of the methods of a store. A method that the store does not have is not wrapped. */
export type StoreWraps = { readonly [Name in keyof RecordStore]?: (method: Method<Name>) => Method<Name> }

/** All methods of a store, so that a new optional one passes every wrapper. */
const methods: Readonly<Record<keyof RecordStore, true>> = {
  ...{ list: true, count: true, estimate: true, related: true, countRelated: true, aggregate: true },
  ...{ read: true, create: true, createMany: true, update: true, remove: true, take: true },
}
const methodNames = Object.keys(methods) as readonly (keyof RecordStore)[]

/** A store in front of another one. Methods stay bound to the other, which may be an instance of a class. */
export const wrappedStore = (store: RecordStore, wraps: StoreWraps): RecordStore => {
  const wrap = <Name extends keyof RecordStore>(name: Name): readonly [Name, unknown][] => {
    const method = store[name]?.bind(store) as Method<Name> | undefined
    return method === undefined ? [] : [[name, wraps[name]?.(method) ?? method]]
  }
  return Object.freeze(
    Object.fromEntries(methodNames.flatMap((name) => wrap(name))),
  ) as unknown as RecordStore
}
