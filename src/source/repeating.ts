import { type Awaitable, type ModelSource, type RecordStore, SourceError } from './source.ts'

/** Milliseconds before what others undid is done again for the first time. Each time after waits up to twice as long. */
const FIRST_PAUSE = 20

/** Whether a refusal says that nothing was done, and that the same may succeed when it is done again. */
export const isContended = (error: unknown): boolean =>
  error instanceof SourceError && error.kind === 'contended'

/** Lets those who were in each other's way come back at different times. */
export const pauseBefore = (repeats: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, FIRST_PAUSE * 2 ** repeats * (0.5 + Math.random() / 2))
  })

type Act<Args extends unknown[], T> = (...args: Args) => Awaitable<T>

const repeatingStore = (store: RecordStore, retries: number): RecordStore => {
  /** A statement is a transaction of its own: if others undid it, it may be done again, whatever it is. */
  const write =
    <Args extends unknown[], T>(act: Act<Args, T>): Act<Args, T> =>
    async (...args) => {
      for (let repeats = 0; ; repeats += 1) {
        try {
          return await act(...args)
        } catch (error) {
          if (!isContended(error) || repeats >= retries) throw error
        }
        await pauseBefore(repeats)
      }
    }

  /** A read changes nothing: it is tried once more, over another connection, if the first one broke. */
  const read = <Args extends unknown[], T>(act: Act<Args, T>): Act<Args, T> =>
    write(async (...args) => {
      for (let again = retries > 0; ; again = false) {
        try {
          return await act(...args)
        } catch (error) {
          if (!(error instanceof SourceError) || error.kind !== 'lost') throw error
          if (!again) throw new SourceError('unavailable', { cause: error })
        }
      }
    })

  return Object.freeze<RecordStore>({
    list: read((...given) => store.list(...given)),
    count: read((...given) => store.count(...given)),
    estimate: (...given) => store.estimate(...given),
    read: read((...given) => store.read(...given)),
    create: write((...given) => store.create(...given)),
    update: write((...given) => store.update(...given)),
    remove: write((...given) => store.remove(...given)),
    take: write((...given) => store.take(...given)),
  })
}

/**
 * A source whose statements are done again where that is safe, each by itself: what others undid, and reads whose
 * connection broke. A write whose connection broke may have been done: it is not repeated. Neither are transactions, since
 * their work may do more than statements.
 * A synchronous source has its database in its own process, and cannot wait: it stays as it is.
 */
export const repeatingSource = <Types>(source: ModelSource<Types>, retries: number): ModelSource<Types> => {
  if (source.capabilities.synchronous) return source
  const observed = source.observed?.bind(source)
  const lagging = source.lagging?.bind(source)
  return Object.freeze<ModelSource<Types>>({
    models: source.models,
    notes: source.notes,
    capabilities: source.capabilities,
    db: source.db,
    store: (model) => repeatingStore(source.store(model), retries),
    ...(lagging && {
      lagging: (model) => {
        const storeOfPage = lagging(model)
        return () => repeatingStore(storeOfPage(), retries)
      },
    }),
    transaction: (work) => source.transaction(work),
    refusalOf: (error) => source.refusalOf(error),
    loggable: (error) => source.loggable(error),
    missingTables: (models) => source.missingTables(models),
    ping: () => source.ping(),
    ...(observed && { observed: (watch) => repeatingSource(observed(watch), retries) }),
  })
}
