import { type Steps, wait } from '../operation/steps.ts'
import type { Condition } from '../query/ast.ts'
import type { ListQuery } from '../query/list-query.ts'
import type { Row } from '../source/source.ts'
import type { Resource } from './resource.ts'

/** What a list answers. */
export interface Page {
  readonly rows: readonly Row[]
  readonly count: number | null
  /** Of cursor pages: the token for the next one, null behind the last. */
  readonly next?: string | null
}

/** A page as JSON text. */
export const pageText = (
  { serialiser }: Resource,
  { rows, count, next }: Page,
  { fields }: ListQuery,
): string => {
  const token = next === undefined ? '' : `,"next":${JSON.stringify(next)}`
  return `{"items":${serialiser.list(rows, fields)},"count":${count},"count_exact":${count !== null}${token}}`
}

/** Finds the records that a query asks for, and counts what it wants counted. */
export function* findPage(resource: Resource, query: ListQuery, guard: Condition): Steps<Page> {
  const { selection, cursorAfter } = query
  if (cursorAfter === undefined) {
    const rows = selection.limit === 0 ? [] : yield* wait(resource.store.list(selection, guard))
    return { rows, count: yield* total(resource, query, guard, rows) }
  }
  const oneMore = yield* wait(resource.store.list({ ...selection, limit: selection.limit + 1 }, guard))
  const rows = oneMore.slice(0, selection.limit)
  const last = rows.at(-1)
  const next = oneMore.length > rows.length && last !== undefined ? cursorAfter(last) : null
  const count = query.count === 'none' ? null : yield* wait(resource.store.count(query.matching, guard))
  return { rows, count, next }
}

/** How many records match in all, without a statement where the page itself tells it. */
function* total(
  { store }: Resource,
  { selection, matching, count }: ListQuery,
  guard: Condition,
  rows: readonly Row[],
): Steps<number | null> {
  if (count === 'none') return null
  const end = selection.offset + rows.length
  if (pageTellsTotal(rows, selection)) return end
  const counted = yield* wait(store.count(matching, guard))
  return Math.max(counted, rows.length === 0 ? 0 : end)
}

/** A page that is not full is the last one; an empty one says nothing unless it is the first. */
const pageTellsTotal = (rows: readonly Row[], { limit, offset }: ListQuery['selection']): boolean =>
  rows.length < limit && (rows.length > 0 || offset === 0)
