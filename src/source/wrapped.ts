import type { ModelSource } from './source.ts'

/** The members that a wrapper replaces. */
type Replaced<Types> = Pick<ModelSource<Types>, 'store'> &
  Partial<Pick<ModelSource<Types>, 'models' | 'transaction' | 'conditionOf'>>

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
  const [missing, refusalOf, loggable, conditionOf, observed] = [
    source.missing?.bind(source),
    source.refusalOf?.bind(source),
    source.loggable?.bind(source),
    source.conditionOf?.bind(source),
    source.observed?.bind(source),
  ]
  return Object.freeze<ModelSource<Types>>({
    models: source.models,
    capabilities: source.capabilities,
    db: source.db,
    transaction: (work) => source.transaction(work),
    ...(conditionOf && { conditionOf }),
    ...replaced,
    ping: () => source.ping(),
    ...(source.notes && { notes: source.notes }),
    ...(source.queues && { queues: source.queues }),
    ...(missing && { missing }),
    ...(refusalOf && { refusalOf }),
    ...(loggable && { loggable }),
    ...(observed && { observed: (watch) => wrap(observed(watch)) }),
  })
}
