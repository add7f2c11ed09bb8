import type { Controller } from '../../controller/controller.ts'
import { hookContext, runHook, useResult } from '../../controller/hooks.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { isPromise } from '../../model/objects.ts'
import { isHead } from '../../operation/methods.ts'
import { runNested, type Steps, wait } from '../../operation/steps.ts'
import { type Condition, everything, type Include } from '../../query/ast.ts'
import { givenQuery } from '../../query/given.ts'
import { givenIncludes, hookIncludes } from '../../query/hook-include.ts'
import type { IncludeRequest } from '../../query/include.ts'
import { type ListQuery, listQueryOf } from '../../query/list-query.ts'
import { relatedModels, withGuards } from '../../query/related.ts'
import type { ListRules } from '../../query/settings.ts'
import { withKey } from '../../query/sort.ts'
import { optionalUses } from '../../query/tally.ts'
import { guardKey } from '../../source/shared-reads.ts'
import { totalBytes } from '../../source/sizing.ts'
import type { Awaitable } from '../../source/source.ts'
import type { ParsedList } from '../parts/parsers.ts'
import { openReach } from '../parts/reach.ts'
import { takesWhole } from '../parts/record.ts'
import { heldAdmits, type MemoryBounds, type PageReads } from '../parts/records.ts'
import type { CallerAccess, ModelRecords, Page, Resource, Rules, ShownPage } from '../parts/resource.ts'
import { includedMembers } from '../show/include.ts'
import { type Including, includingOf } from '../show/including.ts'
import { presented } from '../show/presenting.ts'
import { pageTooLarge } from '../show/replies.ts'

export function* readPage(
  resource: Omit<Resource, 'related'>,
  scoped: ScopedCall,
  parsed: ParsedList,
): Steps<ShownPage> {
  const { model, access, rules } = resource
  const { controller } = access
  const { call, guard } = scoped
  const list =
    controller === undefined ? parsed : yield* beforeList(access, rules, controller, scoped, parsed)
  list.query ??= listQueryOf(list.request, rules)
  list.related ??= relatedModels(list.query, rules)
  const reach = list.related.length === 0 ? openReach : yield* access.reach(scoped, list.related)
  const query = reach.isOpen ? list.query : withGuards(list.query, model, reach)
  const viewed = { scoped, reach }
  const hasHook = controller?.hooks.afterList !== undefined || controller?.hooks.present !== undefined
  if (!hasHook && (isHead(call) || !takesWhole(resource, query.fields))) {
    if (isHead(call)) return yield* shownPageOf(resource, atMostOne(query), viewed)
    // Without records, only a count is read, which is shared itself, or nothing.
    const share = query.selection.limit === 0 || reach.runsHooks ? undefined : resource.records.sharePage
    const sharers = share && list.id && sharersOf(guard, reach.text)
    if (share === undefined || sharers === undefined) return yield* shownPageOf(resource, query, viewed, list)
    return yield* wait(
      share(`${list.id} ${sharers}`, () => runNested(shownPageOf(resource, query, viewed, list))),
    )
  }
  const found = yield* shownPageOf(resource, withAllFields(query), viewed, list)
  const records = found.page.rows.map((row) => ({ ...row }))
  const context = hookContext(access.scopes.source, call)
  const given = yield* runHook(controller, 'afterList', call, (hook) => hook(call.request, records, context))
  const { page, included } = found
  const made = yield* presented(resource, page.rows, scoped, given, query.fields)
  const { shown, places = [], computed } = made
  if (shown === undefined) {
    return computed === undefined ? found : { ...found, members: computed }
  }
  const { names = [], texts = [] } = included ?? {}
  const moved = included && { names, texts: places.map((place) => texts[place] ?? '') }
  return { ...found, shown, ...(moved && { included: moved }) }
}

/** Callers with the same text get the same page. */
const sharersOf = (guard: Condition, text: string | undefined): string | undefined => {
  const own = guardKey(guard)
  return own === undefined || text === undefined ? undefined : `${own.length}:${own}${text}`
}

// Not a generator within the other: V8 keeps all that such a generator can reach until the next collection of old objects.
function* shownPageOf(
  { model, records, rules }: Pick<Resource, 'model' | 'records' | 'rules'>,
  query: ListQuery,
  { scoped, reach }: Pick<Including, 'scoped' | 'reach'>,
  list?: Pick<ParsedList, 'countsAhead'>,
): Steps<ShownPage> {
  const page = yield* findPage(records, rules, query, scoped, list)
  if (query.include.length === 0) return { page, query }
  const include = reach.listed(query.include)
  const inside = includingOf({ records, rules }, { scoped, reach, from: 'page' })
  const included = yield* includedMembers({ model, records }, page.rows, include, inside)
  return { page, query, included }
}

function* beforeList(
  { model, scopes }: CallerAccess,
  rules: Rules,
  controller: Controller,
  { call }: ScopedCall,
  parsed: ParsedList,
): Steps<ParsedList> {
  const { filter, order, limit, offset, ...requested } = parsed.request
  const include = hookIncludes(requested.include, rules)
  const given = yield* runHook(controller, 'beforeList', call, (hook) =>
    hook(call.request, { filter, order, limit, offset, include }, hookContext(scopes.source, call)),
  )
  if (given === undefined) return parsed
  return useResult(controller, 'beforeList', call, (hook) => {
    const { hasRelations, relatedSort: sortsRelated } = rules
    const place = { model, modelOf: scopes.modelOf, hook, hasRelations, sortsRelated }
    const made = givenQuery(given, parsed.request, place)
    const { include: returned = include } = given
    const included =
      returned === include
        ? requested
        : includeRequest(givenIncludes(returned, place, rules), requested, rules)
    const request = Object.freeze({
      ...made,
      ...{ include: included.include, uses: included.uses, order: withKey(made.order, model) },
    })
    return { request, countsAhead: false }
  })
}

/** A relation that the request names is refused as before if the caller may not list it, also if the hook has removed it. */
const includeRequest = (
  include: readonly Include[],
  { uses }: IncludeRequest,
  rules: ListRules,
): IncludeRequest => ({
  include,
  uses: [...uses.filter(({ isOptional }) => isOptional !== true), ...optionalUses(include, rules)],
})

/** A hook gets whole records, regardless of the fields that the client requested. */
const withAllFields = (query: ListQuery): ListQuery => {
  if (query.fields === undefined) return query
  const { fields: _fields, ...selection } = query.selection
  return { ...query, selection }
}

/** The query for HEAD: reading one record is enough. */
const atMostOne = (query: ListQuery): ListQuery => {
  const { selection } = query
  return {
    ...query,
    count: 'none',
    include: [],
    selection: { ...selection, limit: Math.min(selection.limit, 1) },
  }
}

/** Counts and reads in parallel if the driver can and the previous page of this query did not reveal the total. */
export function* findPage(
  records: Pick<ModelRecords, 'page' | keyof MemoryBounds>,
  rules: Pick<Rules, 'countBound'>,
  query: ListQuery,
  scoped: ScopedCall,
  list: Pick<ParsedList, 'countsAhead'> = { countsAhead: false },
): Steps<Page> {
  const { selection, cursorAfter, continued = [] } = query
  const reads = records.page(scoped)
  const bound = query.count === 'exact' ? Infinity : rules.countBound
  const counting = { query, scoped, reads, bound }
  const scale = pageScale(records, query)
  const admits = heldAdmits(records, scoped.call, scale.admits)
  // One more record shows whether a next page exists.
  const wanted = cursorAfter === undefined ? selection : { ...selection, limit: selection.limit + 1 }
  const first = wanted.limit === 0 ? [] : reads.list(scoped, wanted, admits)
  const isSureToCount = query.count !== 'none' && selection.offset + selection.limit <= bound
  const [begun, counted] =
    isPromise(first) && list.countsAhead && isSureToCount
      ? yield* wait(Promise.all([first, (async () => count(counting))()]))
      : [yield* wait(first)]
  scale.next()
  let found = begun
  // The rest of a page whose records are in several ranges of the sort order.
  for (const filter of continued) {
    const limit = wanted.limit - found.length
    if (limit === 0) break
    found = [
      ...found,
      ...(yield* wait(
        reads.list(scoped, { ...wanted, filter, limit }, heldAdmits(records, scoped.call, scale.admits)),
      )),
    ]
    scale.next()
  }
  const known = knownFrom(query, found.length, wanted.limit)
  if (isPromise(first)) list.countsAhead = !known.isAll
  const total = query.count === 'none' ? notCounted : yield* totalOf(counting, known, counted)
  if (cursorAfter === undefined) return { rows: found, ...total }
  const rows = found.slice(0, selection.limit)
  const last = rows.at(-1)
  const next = found.length > rows.length && last !== undefined ? cursorAfter(last, found.slice(-3)) : null
  return { rows, ...total, next }
}

/**
 * Without a cursor, a page that is not full is the last one and reveals the total, unless it is empty and not the first
 * page.
 */
const knownFrom = ({ selection, matching, cursorAfter }: ListQuery, found: number, limit: number) => {
  const { filter, offset } = selection
  if (cursorAfter !== undefined && filter !== matching) return { atLeast: found, isAll: false }
  return { atLeast: found === 0 ? 0 : offset + found, isAll: found < limit && (found > 0 || offset === 0) }
}

interface Counting {
  readonly query: ListQuery
  readonly scoped: ScopedCall
  readonly reads: PageReads
  /** The maximum number of records to count exactly. */
  readonly bound: number
}

const count = ({ query, scoped, reads, bound }: Counting): Awaitable<number> =>
  reads.count(scoped, query.matching, bound === Infinity ? undefined : bound + 1)

const notCounted = Object.freeze({ count: null, exact: false })

/** The number of matching records, without a statement if it is known. @param counted a count that ran in parallel */
function* totalOf(
  counting: Counting,
  { atLeast, isAll }: ReturnType<typeof knownFrom>,
  counted?: number,
): Steps<Pick<Page, 'count' | 'exact'>> {
  const { query, scoped, reads, bound } = counting
  if (isAll) return { count: atLeast, exact: true }
  if (atLeast <= bound) {
    const matching = counted ?? (yield* wait(count(counting)))
    if (matching <= bound) return { count: Math.max(matching, atLeast), exact: true }
  }
  // Database statistics ignore scopes.
  const estimate = scoped.guard === everything ? yield* wait(reads.estimate(query.matching)) : undefined
  const beyond = estimate === undefined ? bound : Math.max(estimate, bound + 1)
  return { count: Math.max(beyond, atLeast), exact: false }
}

/** Limits the bytes that are read for a page, before they are decoded. A record beyond its limit does not count. */
const pageScale = (
  bounds: Pick<MemoryBounds, 'pageBytes'>,
  query: Pick<ListQuery, 'paging' | 'selection'>,
) => {
  const { limit } = query.selection
  let before: readonly number[] = []
  let all = before
  const fits = (): boolean => all.length <= 1 || totalBytes(all) <= bounds.pageBytes
  return {
    admits: (sizes: readonly number[]): boolean => {
      // A source may retry a read after a broken connection. The same rows count once.
      all = before.length === 0 && sizes.length <= limit ? sizes : [...before, ...sizes].slice(0, limit)
      return fits()
    },
    /** Starts the next range of the page. */
    next: (): void => {
      if (!fits()) throw pageTooLarge(bounds, query)
      before = all
    },
  }
}
