import { type Steps, wait } from '../operation/steps.ts'
import { type Condition, everything } from '../query/ast.ts'
import type { ListQuery } from '../query/list-query.ts'
import type { Awaitable } from '../source/source.ts'
import type { Listing } from './resource.ts'

/** How many records match in all, as the reply says it. */
export interface Total {
  /** Null: they were not counted. */
  readonly count: number | null
  readonly exact: boolean
}

/** What is known of the total once the page is there. */
export interface Known {
  readonly atLeast: number
  /** The page ends with the last record, so that `atLeast` is the total. */
  readonly isAll: boolean
  /** What `countBeside` counted in the meantime. */
  readonly counted?: number | undefined
}

/** Counts while the page is read. `undefined`: nothing that is sure to be asked for. */
export const countBeside = (
  { store, rules: { countBound } }: Listing,
  { count, matching, selection: { offset, limit } }: ListQuery,
  guard: Condition,
): (() => Awaitable<number>) | undefined => {
  if (count === 'exact') return () => store.count(matching, guard)
  if (count === 'none' || offset + limit > countBound) return undefined
  return () => store.count(matching, guard, countBound + 1)
}

/** How many records match in all, without a statement where that is known. */
export function* totalOf(pages: Listing, query: ListQuery, guard: Condition, known: Known): Steps<Total> {
  if (query.count === 'none') return { count: null, exact: false }
  if (known.isAll) return { count: known.atLeast, exact: true }
  return yield* totals[query.count](pages, query, guard, known)
}

const totals: Readonly<Record<Exclude<ListQuery['count'], 'none'>, typeof totalOf>> = {
  *exact({ store }, { matching }, guard, { atLeast, counted }) {
    const count = counted ?? (yield* wait(store.count(matching, guard)))
    return { count: Math.max(count, atLeast), exact: true }
  },
  *estimated({ store, rules: { countBound } }, { matching }, guard, { atLeast, counted }) {
    if (atLeast <= countBound) {
      const count = counted ?? (yield* wait(store.count(matching, guard, countBound + 1)))
      if (count <= countBound) return { count: Math.max(count, atLeast), exact: true }
    }
    // Statistics know no scope.
    const estimate = guard === everything ? yield* wait(store.estimate(matching)) : undefined
    const beyond = estimate === undefined ? countBound : Math.max(estimate, countBound + 1)
    return { count: Math.max(beyond, atLeast), exact: false }
  },
}
