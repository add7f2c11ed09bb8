import type { Controller } from '../controller/controller.ts'
import { ran } from '../controller/ran.ts'
import { contextWith, type Visit } from '../controller/visit.ts'
import type { Steps } from '../operation/steps.ts'
import type { AskedList, ListQuery } from '../query/list-query.ts'
import { withKey } from '../query/sort.ts'
import { findPage, type Page } from './page.ts'
import { isHead } from './replies.ts'
import type { Resource } from './resource.ts'

/** A page as it is shown, and the fields of it that were asked for. */
export interface ShownPage {
  readonly page: Page
  readonly fields: readonly string[] | undefined
  /** What a hook shows in place of the records. */
  readonly shown?: readonly object[]
}

/** Finds what was asked for, with the hooks of the list before and after it. */
export function* listed(resource: Resource, visit: Visit, asked: AskedList): Steps<ShownPage> {
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
  const context = contextWith(resource.around.source.db, visit.call)
  const shown = yield* ran(controller, 'afterList', (hook) => hook(visit.call.request, records, context))
  return shown === undefined ? { page, fields } : { page, fields, shown }
}

function* beforeList(
  { model, around }: Resource,
  controller: Controller,
  { call }: Visit,
  asked: AskedList,
): Steps<AskedList> {
  const { filter, order, limit, offset } = asked
  const given = yield* ran(controller, 'beforeList', (hook) =>
    hook(call.request, { filter, order, limit, offset }, contextWith(around.source.db, call)),
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
