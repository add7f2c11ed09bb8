import { hookContext, runHook, useResult } from '../controller/hooks.ts'
import type { ScopedCall } from '../controller/scope.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Condition } from '../query/ast.ts'
import type { RecordStore, Row } from '../source/source.ts'
import { type Body, withUploads } from './body.ts'
import { withoutHeldFiles } from './files.ts'
import { existing, noSuchRecord } from './record.ts'
import type { Resource } from './resource.ts'

/**
 * The values to store: the payload or the result of the hook, checked against the columns.
 *
 * @param db the handle for the hook. @default that of the source
 */
export function* beforeCreate(
  resource: Resource,
  { call }: ScopedCall,
  body: Body,
  db: unknown = resource.source.db,
): Steps<Row> {
  const { controller, columns, bodies } = resource
  const { sent, uploads } = body
  const values = withUploads(body.values, uploads)
  if (controller?.hooks.beforeCreate === undefined)
    return bodies.isCustom.create ? columns.create.parse(values, sent) : body.values
  const payload = { ...values }
  const given = yield* runHook(controller, 'beforeCreate', call, (hook) =>
    hook(call.request, payload, columns.create, hookContext(db, call)),
  )
  return useResult(controller, 'beforeCreate', call, () =>
    columns.create.parse(withUploads(given ?? payload, uploads), sent),
  )
}

export function* beforeUpdate(
  resource: Resource,
  { call }: ScopedCall,
  body: Body,
  found: Row | undefined,
  db: unknown = resource.source.db,
): Steps<Row> {
  const { controller, columns, bodies, files } = resource
  const { sent, uploads } = body
  const values = withUploads(body.values, uploads)
  if (controller?.hooks.beforeUpdate === undefined)
    return bodies.isCustom.update ? columns.update.parse(values, sent) : body.values
  const payload = { ...values }
  const given = yield* runHook(controller, 'beforeUpdate', call, (hook) =>
    hook(call.request, { ...found }, payload, columns.update, hookContext(db, call)),
  )
  return useResult(controller, 'beforeUpdate', call, () => {
    const stored = withUploads(given ?? payload, uploads)
    return columns.update.parse(files === undefined ? stored : withoutHeldFiles(files, stored, found), sent)
  })
}

/** Reads the record only for hooks and files, so that a record with unrepresentable values can be deleted too. */
export function* deleted(
  { model, files, controller }: Resource,
  key: readonly unknown[],
  guard: Condition,
  records: RecordStore,
): Steps<Row> {
  const { afterDelete, afterCommit } = controller?.hooks ?? {}
  const hasFiles = files !== undefined && files.fields.length > 0
  if (afterDelete !== undefined || afterCommit !== undefined || hasFiles)
    return yield* existing(model, records.take(key, guard))
  if (!(yield* wait(records.remove(key, guard)))) throw noSuchRecord(model)
  return {}
}
