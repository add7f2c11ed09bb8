import { ran } from '../controller/ran.ts'
import { contextWith, type Visit } from '../controller/visit.ts'
import type { Steps } from '../operation/steps.ts'
import type { Row } from '../source/source.ts'
import { type Body, withUploads } from './body.ts'
import { withoutHeldFiles } from './held-files.ts'
import type { Resource } from './resource.ts'

/** What a create stores: the payload, or what `beforeCreate` made of it, checked against the columns. */
export function* beforeCreate(resource: Resource, visit: Visit, body: Body): Steps<Row> {
  const { sent, uploads } = body
  const values = withUploads(body.values, uploads)
  const { around, columns, bodies } = resource
  const { controller, source } = around
  if (controller?.hooks.beforeCreate === undefined) {
    return bodies.isCustom.create ? columns.create.parse(values, sent) : body.values
  }
  const payload = { ...values }
  const given = yield* ran(controller, 'beforeCreate', (hook) =>
    hook(visit.call.request, payload, columns.create, contextWith(source.db, visit.call)),
  )
  return columns.create.parse(withUploads(given ?? payload, uploads), sent)
}

/** What an update stores: the payload, or what `beforeUpdate` made of it, checked against the columns. */
export function* beforeUpdate(
  resource: Resource,
  visit: Visit,
  body: Body,
  found: Row | undefined,
): Steps<Row> {
  const { sent, uploads } = body
  const values = withUploads(body.values, uploads)
  const { around, columns, bodies } = resource
  const { controller, source } = around
  if (controller?.hooks.beforeUpdate === undefined) {
    return bodies.isCustom.update ? columns.update.parse(values, sent) : body.values
  }
  const payload = { ...values }
  const given = yield* ran(controller, 'beforeUpdate', (hook) =>
    hook(visit.call.request, { ...found }, payload, columns.update, contextWith(source.db, visit.call)),
  )
  const stored = withoutHeldFiles(resource, withUploads(given ?? payload, uploads), found)
  return columns.update.parse(stored, sent)
}

/** A snapshot of the record goes to `beforeDelete`, which may refuse. */
export function* beforeDelete({ around }: Resource, { call }: Visit, found: Row | undefined): Steps<void> {
  yield* ran(around.controller, 'beforeDelete', (hook) =>
    hook(call.request, { ...found }, contextWith(around.source.db, call)),
  )
}
