import { type Controller, hookContext, runHook } from '../controller/hooks.ts'
import type { ScopedCall } from '../controller/scope.ts'
import { problem } from '../error/errors.ts'
import { isPromise } from '../model/objects.ts'
import { type Steps, together, wait } from '../operation/steps.ts'
import { type Condition, everything, type Selection } from '../query/ast.ts'
import type { ListQuery, ListRequest } from '../query/list-query.ts'
import { withKey } from '../query/sort.ts'
import { hookResultJson, jsonList } from '../schema/serialiser.ts'
import type { Admits, Awaitable, Row } from '../source/source.ts'
import { isHead } from './record.ts'
import type { Listing, Pages, Resource } from './resource.ts'

/** A page as it is shown, and the fields of it that were asked for. */
export interface ShownPage {
  readonly page: Page
  readonly fields: readonly string[] | undefined
  /** What a hook shows in place of the records. */
  readonly shown?: readonly object[]
}

/** Finds what was asked for, with the hooks of the list before and after it. */
export function* readPage(resource: Resource, visit: ScopedCall, asked: ListRequest): Steps<ShownPage> {
  const { controller } = resource.around
  const changed = controller === undefined ? asked : yield* beforeList(resource, controller, visit, asked)
  const query = resource.queries.queryOf(changed)
  const { fields } = query
  if (controller?.hooks.afterList === undefined) {
    const wanted = isHead(visit.call) ? atMostOne(query) : query
    return { page: yield* findPage(resource.pages, wanted, visit.guard), fields }
  }
  const page = yield* findPage(resource.pages, withAllFields(query), visit.guard)
  const records = page.rows.map((row) => ({ ...row }))
  const context = hookContext(resource.around.source.db, visit.call)
  const shown = yield* runHook(controller, 'afterList', (hook) => hook(visit.call.request, records, context))
  return shown === undefined ? { page, fields } : { page, fields, shown }
}

function* beforeList(
  { model, around }: Resource,
  controller: Controller,
  { call }: ScopedCall,
  asked: ListRequest,
): Steps<ListRequest> {
  const { filter, order, limit, offset } = asked
  const given = yield* runHook(controller, 'beforeList', (hook) =>
    hook(call.request, { filter, order, limit, offset }, hookContext(around.source.db, call)),
  )
  return given === undefined
    ? asked
    : Object.freeze({ ...asked, ...given, order: withKey(given.order, model) })
}

/** One record shows that the list can be read. */
const atMostOne = (query: ListQuery): ListQuery => {
  const { selection } = query
  return { ...query, count: 'none', selection: { ...selection, limit: Math.min(selection.limit, 1) } }
}

/** A hook sees whole records, whatever the client asked to be shown. */
const withAllFields = (query: ListQuery): ListQuery => {
  if (query.fields === undefined) return query
  const { fields: _fields, ...selection } = query.selection
  return { ...query, selection }
}

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

/** How many records match in all, as the reply says it. */
interface Total {
  /** Null: they were not counted. */
  readonly count: number | null
  readonly exact: boolean
}

/** What is known of the total once the page is there. */
interface Known {
  readonly atLeast: number
  /** The page ends with the last record, so that `atLeast` is the total. */
  readonly isAll: boolean
  /** What `countBeside` counted in the meantime. */
  readonly counted?: number | undefined
}

/** Counts while the page is read. `undefined`: nothing that is sure to be asked for. */
const countBeside = (
  { store, rules: { countBound } }: Listing,
  { count, matching, selection: { offset, limit } }: ListQuery,
  guard: Condition,
): (() => Awaitable<number>) | undefined => {
  if (count === 'exact') return () => store.count(matching, guard)
  if (count === 'none' || offset + limit > countBound) return undefined
  return () => store.count(matching, guard, countBound + 1)
}

/** How many records match in all, without a statement where that is known. */
function* totalOf(pages: Listing, query: ListQuery, guard: Condition, known: Known): Steps<Total> {
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

type Bounds = Pick<Resource, 'pageBytes' | 'rules'>

const pageTooLarge = ({ pageBytes, rules }: Bounds): Error => {
  const remedy = rules.paging === 'page-number' ? 'Choose' : 'Use a smaller `limit`, or choose'
  return problem('page_too_large', `The page has more than ${pageBytes} bytes. ${remedy} fewer \`fields\`.`)
}

/** Holds what is read of one page to the bytes that a page may have, before it is decoded. */
interface PageScale {
  readonly admits: Admits
  /** The next range of the page follows. @throws HttpError 400 `page_too_large` where the last one was not admitted */
  next(): void
}

/** @param limit the most records that the page shows: those read beside them do not count */
const pageScale = (bounds: Bounds, limit: number): PageScale => {
  let before: Weighed = noRows
  let last: Weighed = noRows
  return {
    admits: (sizes) => {
      // A source may read again what a broken connection took: the same rows count once.
      last = sum(before, sizes, limit)
      return isWithin(bounds, last)
    },
    next: () => {
      if (!isWithin(bounds, last)) throw pageTooLarge(bounds)
      before = last
    },
  }
}

interface Weighed {
  readonly rows: number
  readonly bytes: number
}

const noRows: Weighed = { rows: 0, bytes: 0 }

const sum = (before: Weighed, sizes: readonly number[], limit: number): Weighed => {
  let { rows, bytes } = before
  for (const size of sizes.slice(0, limit - rows)) {
    rows += 1
    bytes += size
  }
  return { rows, bytes }
}

const isWithin = ({ pageBytes }: Bounds, { rows, bytes }: Weighed): boolean => rows <= 1 || bytes <= pageBytes

/** A page as JSON text. @throws HttpError 400 `page_too_large` */
export const pageText = (resource: Resource, shownPage: ShownPage): string => {
  const items = itemsText(resource, shownPage)
  if (items === undefined) throw pageTooLarge(resource)
  const { count, exact, next } = shownPage.page
  const token = next === undefined ? '' : `,"next":${JSON.stringify(next)}`
  return `{"items":${items},"count":${count},"count_exact":${exact}${token}}`
}

const itemsText = (
  { model, serialiser, pageBytes }: Resource,
  { page, fields, shown }: ShownPage,
): string | undefined =>
  shown === undefined
    ? serialiser.list(page.rows, fields, pageBytes)
    : jsonList(shown, (item) => hookResultJson(model, item, fields), pageBytes)
