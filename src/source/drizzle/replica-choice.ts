import type { Awaitable, RecordStore } from '../source.ts'
import { SourceError } from '../source-error.ts'
import type { Settling } from './settling.ts'

/** The replica that one list is read from, with its count. */
export interface Chosen {
  /** Its place among the replicas. */
  readonly at: number
  /** It gave an answer, if only a refusal. */
  readonly answered: () => void
  readonly failed: (error: unknown) => void
}

/** Milliseconds in which a replica is left out that could not be reached, or did not answer in time. */
const REST = 10_000

/**
 * Chooses as the `getReplica` that `withReplicas()` was given, but for replicas that are left out: then it is the next one.
 * When its time is over one list tries it again, and the others follow when that had an answer.
 *
 * @param given what `withReplicas()` gave
 * @returns `undefined`: the primary is read
 */
export const choiceOf = (given: object, handles: readonly unknown[]): (() => Chosen | undefined) => {
  const queries = handles.map(queryOf)
  const ofPrimary = queryOf(Reflect.get(given, '$primary'))
  const states = handles.map(() => ({ restsUntil: 0 }))
  let turn = 0

  const first = (): number | undefined => {
    // drizzle keeps the function to itself. But what it gives of the replica that was chosen is that replica's own.
    const query = queryOf(given)
    if (query === ofPrimary && query !== undefined) return undefined
    const at = query === undefined ? -1 : queries.indexOf(query)
    if (at >= 0) return at
    turn += 1
    return turn
  }

  return () => {
    const start = first()
    if (start === undefined) return undefined
    const now = performance.now()
    for (let step = 0; step < states.length; step += 1) {
      const at = (start + step) % states.length
      const state = states[at]
      if (state === undefined || state.restsUntil > now) continue
      const rest = (): void => {
        state.restsUntil = performance.now() + REST
      }
      if (state.restsUntil > 0) rest()
      const { restsUntil } = state
      // What was asked before it failed says nothing.
      const answered = (): void => {
        if (state.restsUntil === restsUntil) state.restsUntil = 0
      }
      return { at, answered, failed: (error) => (isAway(error) ? rest() : answered()) }
    }
    return undefined
  }
}

const queryOf = (handle: unknown): unknown => Reflect.get(Object(handle), 'query')

const isAway = (error: unknown): boolean =>
  error instanceof SourceError && (error.kind === 'unavailable' || error.kind === 'lost')

/**
 * A store for one list and its count, which come from the same database. Whatever goes wrong with the replica, the primary
 * has the answer, and the rest of them.
 */
export const laggingStore = (
  replica: RecordStore,
  primary: RecordStore,
  { answered, failed }: Chosen,
  { recovering, after }: Settling,
): RecordStore => {
  let isGivenUp = false
  let begun: Awaitable<unknown>
  const reading =
    <Args extends unknown[], T>(
      ask: (store: RecordStore, ...about: Args) => Awaitable<T>,
    ): ((...about: Args) => Awaitable<T>) =>
    (...about) => {
      if (isGivenUp) return ask(primary, ...about)
      const earlier = begun
      let isBehind = true
      const noted = (answer: T): T => {
        answered()
        return answer
      }
      const own = recovering(
        () => after(ask(replica, ...about), noted),
        (error) => {
          failed(error)
          isGivenUp = true
          isBehind = false
          return ask(primary, ...about)
        },
      )()
      begun = own
      // A count is asked for beside its rows, and may be there before these have failed.
      const settled = (answer: T): Awaitable<T> =>
        after(earlier, () => (isBehind && isGivenUp ? ask(primary, ...about) : answer))
      return after(own, settled)
    }
  return Object.freeze<RecordStore>({
    ...primary,
    list: reading((store, ...about: Parameters<RecordStore['list']>) => store.list(...about)),
    count: reading((store, ...about: Parameters<RecordStore['count']>) => store.count(...about)),
    estimate: reading((store, ...about: Parameters<RecordStore['estimate']>) => store.estimate(...about)),
  })
}
