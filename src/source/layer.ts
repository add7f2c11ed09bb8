import type { Model } from '../model/model.ts'
import { errorHandlingOf, onceFor } from '../model/objects.ts'
import type { Typed } from '../model/types.ts'
import type { ModelSource, RecordStore } from './source.ts'
import { modelTranslations, type StoreTranslation, translatedStore } from './wrapped.ts'

/** Changes that a source in front of another one makes. Everything else stays as it is. */
interface Layer extends Omit<StoreTranslation, 'modelOf'> {
  readonly models?: readonly Model[]
  /** Wraps the stores whose statements run on their own, after their translation. */
  readonly outside?: WrapStore
  /** Wraps the stores of transactions, after their translation. */
  readonly inside?: WrapStore
}

type WrapStore = (store: RecordStore, model: Model) => RecordStore

type Changed = 'models' | 'store' | 'transaction' | 'conditionOf' | 'fills' | 'observed'
type Kept = Exclude<keyof ModelSource, Changed | keyof Typed<unknown>>

/** All members of a source that no layer changes, so that a new one passes every layer. */
const kept: Readonly<Record<Kept, true>> = {
  ...{ capabilities: true, db: true, ping: true, notes: true, queues: true, hooks: true, advice: true },
  ...{ missing: true, refusalOf: true, loggable: true },
}

/** Methods stay bound to the source, which may be an instance of a class. */
const keptOf = (source: ModelSource): Pick<ModelSource, Kept> => {
  const members = (Object.keys(kept) as Kept[]).flatMap((name): readonly (readonly [Kept, unknown])[] => {
    const member = source[name]
    if (member === undefined) return []
    return [[name, typeof member === 'function' ? member.bind(source) : member]]
  })
  return Object.fromEntries(members) as unknown as Pick<ModelSource, Kept>
}

/**
 * A source in front of another one.
 *
 * @param layerOn the layer on this source, or on the same one if it is observed
 */
export const layeredSource = <Types>(
  source: ModelSource<Types>,
  layerOn: (source: ModelSource<Types>) => Layer,
): ModelSource<Types> => {
  const { models = source.models, outside, inside, ...translation } = layerOn(source)
  const byName = new Map(models.map((model) => [model.name, model]))
  const modelOf = (name: string): Model => {
    const model = byName.get(name)
    if (model === undefined) throw new Error(`Unknown model ${name}.`)
    return model
  }
  const { guardOf, namesOf } = translation
  const isTranslated = guardOf !== undefined || namesOf !== undefined
  const translationOf = modelTranslations({ ...translation, modelOf })
  const errorHandling = errorHandlingOf({ synchronous: source.capabilities.synchronous === true })
  const wrapping = (wrap: WrapStore = (store) => store) =>
    onceFor((store: RecordStore) =>
      onceFor((model: Model) =>
        wrap(isTranslated ? translatedStore(store, translationOf(model), errorHandling) : store, model),
      ),
    )
  const [alone, inTransaction] = [wrapping(outside), wrapping(inside)]
  const [conditionOf, observed, fills] = [
    source.conditionOf?.bind(source),
    source.observed?.bind(source),
    source.fills?.bind(source),
  ]
  return Object.freeze<ModelSource<Types>>({
    ...keptOf(source),
    models,
    store: (model, ...use) => alone(source.store(model, ...use))(model),
    transaction: (work) =>
      isTranslated || inside !== undefined
        ? source.transaction((session) =>
            work({ db: session.db, store: (model) => inTransaction(session.store(model))(model) }),
          )
        : source.transaction(work),
    ...(conditionOf && {
      conditionOf: (model, condition) => conditionOf(model, translationOf(model).guard(condition)),
    }),
    ...(fills && {
      fills: (model, field) => fills(model, namesOf?.(model.name)?.fields.get(field) ?? field),
    }),
    ...(observed && { observed: (watch) => layeredSource(observed(watch), layerOn) }),
  })
}
