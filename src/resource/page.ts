import { isPromise } from '../model/awaitable.ts'
import { type Steps, together, wait } from '../operation/steps.ts'
import type { Condition, Selection } from '../query/ast.ts'
import type { ListQuery } from '../query/list-query.ts'
import type { Row } from '../source/source.ts'
import { type PageScale, pageScale } from './page-size.ts'
import type { Listing, Pages } from './resource.ts'
import { countBeside, type Known, type Total, totalOf } from './total.ts'

/** What a list answers. */
export interface Page extends Total {
  readonly rows: readonly Row[]
  /** Of cursor pages: the token for the next one, null behind the last. */
  readonly next?: string | null
}

/** Queries whose last page did not tell the total: the next one need not be waited for before counting. */
const untold = new WeakSet<ListQuery>()

/** Finds the records that a query asks for, and counts what it wants counted: at the same time where the driver can. */
export function* findPage(given: Pages, query: ListQuery, guard: Condition): Steps<Page> {
  const pages: Listing = { store: given.storeOfPage(), rules: given.rules }
  const { selection, cursorAfter } = query
  const scale = pageScale(given, selection.limit)
  // One more record says whether there is a next page.
  const asked = cursorAfter === undefined ? selection : { ...selection, limit: selection.limit + 1 }
  const listing = asked.limit === 0 ? [] : pages.store.list(asked, guard, scale.admits)
  const beside = isPromise(listing) && untold.has(query) ? countBeside(pages, query, guard) : undefined
  const [begun, counted] = beside === undefined ? [yield* wait(listing)] : yield* together(listing, beside)
  scale.next()
  const found = yield* filled(pages, query, guard, { asked, begun, scale })
  const told = toldBy(query, found.length, asked.limit)
  if (isPromise(listing)) remember(query, told)
  const { count, exact } = yield* totalOf(pages, query, guard, { ...told, counted })
  if (cursorAfter === undefined) return { rows: found, count, exact }
  const rows = found.slice(0, selection.limit)
  const last = rows.at(-1)
  const next = found.length > rows.length && last !== undefined ? cursorAfter(last, found.slice(-3)) : null
  return { rows, count, exact, next }
}

interface Begun {
  readonly asked: Selection
  readonly begun: readonly Row[]
  readonly scale: PageScale
}

/** The rest of a page whose records lie in several ranges of the sort. */
function* filled(
  { store }: Listing,
  { continued = [] }: ListQuery,
  guard: Condition,
  { asked, begun, scale }: Begun,
): Steps<readonly Row[]> {
  let rows = begun
  for (const filter of continued) {
    const limit = asked.limit - rows.length
    if (limit === 0) return rows
    rows = [...rows, ...(yield* wait(store.list({ ...asked, filter, limit }, guard, scale.admits)))]
    scale.next()
  }
  return rows
}

/** A page that is not full is the last one; an empty one says nothing unless it is the first. So does one behind a cursor. */
const toldBy = ({ selection, matching, cursorAfter }: ListQuery, found: number, limit: number): Known => {
  const { filter, offset } = selection
  if (cursorAfter !== undefined && filter !== matching) return { atLeast: found, isAll: false }
  return { atLeast: found === 0 ? 0 : offset + found, isAll: found < limit && (found > 0 || offset === 0) }
}

const remember = (query: ListQuery, { isAll }: Known): void => {
  if (isAll) untold.delete(query)
  else untold.add(query)
}
