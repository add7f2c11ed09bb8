import type { Controller } from '../controller/controller.ts'
import { hookContext, runHook, useResult } from '../controller/hooks.ts'
import type { ScopedCall } from '../controller/scope.ts'
import { after, ownValue } from '../model/objects.ts'
import type { Call } from '../operation/call.ts'
import { withStamps } from '../operation/stamps.ts'
import { andThen, type Steps, wait } from '../operation/steps.ts'
import type { Condition } from '../query/ast.ts'
import { cannotComplete } from '../schema/columns.ts'
import type { Awaitable, RecordStore, Row, Session } from '../source/source.ts'
import { type Body, withUploads } from './body.ts'
import { withoutHeldFiles } from './files.ts'
import type { Resource } from './resource.ts'

/**
 * The values to store: the payload or the result of the hook, checked against the columns.
 *
 * @param session the transaction of the hook. @default none
 */
export const beforeCreate = (
  resource: Resource,
  { call }: ScopedCall,
  body: Body,
  session: Session = resource.source,
): Steps<Row> => {
  const values = valuesToCreate(resource, call, body, session)
  return resource.model.stamps === undefined
    ? values
    : andThen(values, (given) => wait(withStamps(resource.model, call, 'create', given)))
}

const valuesToCreate = (resource: Resource, call: Call, body: Body, session: Session): Steps<Row> => {
  const { controller, columns, bodies } = resource
  if (controller?.hooks.beforeCreate !== undefined)
    return hookedCreate(resource, controller, call, body, session)
  if (!bodies.isCustom.create) {
    assertComplete(resource, body.values)
    return wait(body.values)
  }
  return wait(columns.create.parse(withUploads(body.values, body.uploads), body.sent))
}

const assertComplete = ({ lacking }: Resource, values: Row): void => {
  for (const name of lacking ?? []) if ((ownValue(values, name) ?? null) === null) throw cannotComplete()
}

function* hookedCreate(
  { columns }: Resource,
  controller: Controller,
  call: Call,
  { values, sent, uploads }: Body,
  session: Session,
): Steps<Row> {
  const payload = { ...withUploads(values, uploads) }
  const given = yield* runHook(controller, 'beforeCreate', call, (hook) =>
    hook(call.request, payload, columns.create, hookContext(session, call)),
  )
  return useResult(controller, 'beforeCreate', call, () =>
    columns.create.parse(withUploads(given ?? payload, uploads), sent),
  )
}

/**
 * The same for the changes of a record.
 *
 * @param complete adds the fields that a PUT resets
 */
export const beforeUpdate = (
  resource: Resource,
  { call }: ScopedCall,
  body: Body,
  found: Row | undefined,
  complete: (values: Row) => Row,
  session: Session = resource.source,
): Steps<Row> =>
  andThen(valuesToUpdate(resource, call, body, found, session), (given) => {
    const values = complete(given)
    return wait(
      resource.model.stamps === undefined ? values : withStamps(resource.model, call, 'update', values),
    )
  })

const valuesToUpdate = (
  resource: Resource,
  call: Call,
  body: Body,
  found: Row | undefined,
  session: Session,
): Steps<Row> => {
  const { controller, columns, bodies } = resource
  if (controller?.hooks.beforeUpdate !== undefined)
    return hookedUpdate(resource, controller, call, body, found, session)
  if (!bodies.isCustom.update) return wait(body.values)
  return wait(columns.update.parse(withUploads(body.values, body.uploads), body.sent))
}

function* hookedUpdate(
  { columns, files }: Resource,
  controller: Controller,
  call: Call,
  { values, sent, uploads }: Body,
  found: Row | undefined,
  session: Session,
): Steps<Row> {
  const payload = { ...withUploads(values, uploads) }
  const given = yield* runHook(controller, 'beforeUpdate', call, (hook) =>
    hook(call.request, { ...found }, payload, columns.update, hookContext(session, call)),
  )
  return useResult(controller, 'beforeUpdate', call, () => {
    const stored = withUploads(given ?? payload, uploads)
    return columns.update.parse(files === undefined ? stored : withoutHeldFiles(files, stored, found), sent)
  })
}

/** `undefined`: no record matches. Reads the record only for hooks and files, so that a record with unrepresentable values can be deleted too. */
export const deleted = (
  { files, controller, audited }: Resource,
  key: readonly unknown[],
  guard: Condition,
  records: RecordStore,
): Awaitable<Row | undefined> => {
  const { afterDelete, afterCommit } = controller?.hooks ?? {}
  const hasFiles = files !== undefined && files.fields.length > 0
  if (afterDelete !== undefined || afterCommit !== undefined || hasFiles || audited !== undefined)
    return records.take(key, guard)
  return after(records.remove(key, guard), (isRemoved) => (isRemoved ? {} : undefined))
}
