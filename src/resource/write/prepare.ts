import type { Controller } from '../../controller/controller.ts'
import { hookContext, runHook, useResult } from '../../controller/hooks.ts'
import { assertCaller, needsCaller } from '../../controller/permissions.ts'
import { ownValue } from '../../model/objects.ts'
import type { Call } from '../../operation/call.ts'
import { withStamps } from '../../operation/stamps.ts'
import { andThen, type Steps, wait } from '../../operation/steps.ts'
import { cannotComplete } from '../../schema/columns.ts'
import { keyValues } from '../../source/record-keys.ts'
import type { Row, Session } from '../../source/source.ts'
import { assertReachable, permit } from '../parts/record.ts'
import type { Bodies, Resource } from '../parts/resource.ts'
import { absentFields, withUploads } from './body.ts'
import type { Change, ChangeVerb, WriteContext, WriteContextInside } from './change.ts'
import { withoutHeldFiles } from './files.ts'

/**
 * Runs the hook that comes before a write, and determines the values to store. Then goes on with `next`.
 *
 * @param writing with a transaction, in which the hook runs. @default it runs before one
 * @param row the existing record, or the fields of it that are known. @default it was not read
 */
export const prepared = <Own extends Preparing, T>(
  writing: Own,
  change: Change,
  row: Row | undefined,
  next: Next<Own, T>,
): Steps<T> => {
  const { verb } = change
  if (verb === 'create') return preparedCreate(writing, change, next)
  const steps =
    verb === 'delete'
      ? preparedDelete(writing, change, row)
      : preparedUpdate(writing, change, row, completing[verb])
  return andThen(steps, (ready) => next(writing, ready))
}

type Next<Own, T> = (writing: Own, ready: Change) => Steps<T>

type Preparing = WriteContext & Partial<WriteContextInside>

/** Where hooks run. They run once, so that no retry follows. */
const sessionFor = ({ target, transaction }: Preparing): Session =>
  transaction?.session ?? target.access.scopes.source

const preparedCreate = <Own extends Preparing, T>(
  writing: Own,
  change: Change,
  next: Next<Own, T>,
): Steps<T> => {
  const { target, scoped, parent, transaction } = writing
  const { model, access } = target
  // The link existed when its permission was not needed.
  if (change.seen !== undefined) return preparedLink(writing, change, next)
  if (access.controller?.hooks.beforeCreate !== undefined) transaction?.endRetries()
  const given = parent === undefined ? change : { ...change, values: { ...change.values, ...parent } }
  const values = valuesToCreate(target, scoped.call, given, sessionFor(writing))
  return andThen(values, (made) => {
    const stamped = model.stamps === undefined ? made : withStamps(model, scoped.call, 'create', made)
    const all = parent === undefined ? stamped : { ...stamped, ...parent }
    assertReachable(model, all)
    const isReady = all === change.values && change.key === undefined
    return next(writing, isReady ? change : { ...change, key: undefined, values: all })
  })
}

function* preparedLink<Own extends Preparing, T>(
  writing: Own,
  { seen: _seen, ...change }: Change,
  next: Next<Own, T>,
): Steps<T> {
  yield* permit(writing.target.access, 'create', writing.scoped, undefined, sessionFor(writing))
  return yield* preparedCreate(writing, change, next)
}

const valuesToCreate = (
  resource: Pick<Resource, 'access' | 'bodies'>,
  call: Call,
  change: Change,
  session: Session,
): Steps<Row> => {
  const { bodies } = resource
  const { columns } = bodies
  const { controller, lacking } = resource.access
  if (controller?.hooks.beforeCreate !== undefined)
    return hookedCreate(bodies, controller, call, change, session)
  const { values, uploads, sent } = change
  if (bodies.isCustom.create) return wait(columns.create.parse(withUploads(values, uploads), sent))
  for (const name of lacking ?? []) if ((ownValue(values, name) ?? null) === null) throw cannotComplete()
  return wait(values)
}

function* hookedCreate(
  { columns }: Bodies,
  controller: Controller,
  call: Call,
  { values, sent, uploads }: Change,
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

/** What the verb itself sets, whatever hooks do. */
const completing: Readonly<
  Record<Exclude<ChangeVerb, 'create' | 'delete'>, (writing: WriteContext, values: Row) => Row>
> = {
  update: (_writing, values) => values,
  replace: ({ target }, values) => ({ ...absentFields(target, values), ...values }),
  restore: ({ target: { model } }, values) => ({ ...values, [model.softDelete ?? '']: null }),
}

const preparedUpdate = (
  writing: Preparing,
  change: Change,
  row: Row | undefined,
  complete: (writing: WriteContext, values: Row) => Row,
): Steps<Change> => {
  const { target, scoped, transaction } = writing
  const { model, access } = target
  if (access.controller?.hooks.beforeUpdate !== undefined) transaction?.endRetries()
  const values = valuesToUpdate(target, scoped.call, change, row, sessionFor(writing))
  return andThen(values, (given) => {
    const all = complete(writing, given)
    const stamped = model.stamps === undefined ? all : withStamps(model, scoped.call, 'update', all)
    // A body with related records changes the record too.
    const isRaised = model.version !== undefined && change.below !== undefined
    return wait(
      existing(writing, change, row, isRaised ? { ...stamped, [model.version]: undefined } : stamped),
    )
  })
}

const valuesToUpdate = (
  resource: Pick<Resource, 'access' | 'bodies'>,
  call: Call,
  change: Change,
  row: Row | undefined,
  session: Session,
): Steps<Row> => {
  const { bodies } = resource
  const { columns } = bodies
  const { controller } = resource.access
  if (controller?.hooks.beforeUpdate !== undefined)
    return hookedUpdate(bodies, controller, call, change, row, session)
  const { values, uploads, sent } = change
  return wait(bodies.isCustom.update ? columns.update.parse(withUploads(values, uploads), sent) : values)
}

function* hookedUpdate(
  { columns, files }: Bodies,
  controller: Controller,
  call: Call,
  { values, sent, uploads }: Change,
  row: Row | undefined,
  session: Session,
): Steps<Row> {
  const payload = { ...withUploads(values, uploads) }
  const given = yield* runHook(controller, 'beforeUpdate', call, (hook) =>
    hook(call.request, { ...row }, payload, columns.update, hookContext(session, call)),
  )
  return useResult(controller, 'beforeUpdate', call, () => {
    const stored = withUploads(given ?? payload, uploads)
    return columns.update.parse(files === undefined ? stored : withoutHeldFiles(files, stored, row), sent)
  })
}

function* preparedDelete(writing: Preparing, change: Change, row: Row | undefined): Steps<Change> {
  const { target, scoped, transaction } = writing
  const { access } = target
  const { call } = scoped
  // Its permission was not checked if it appeared after the body was read.
  if (change.seen === undefined && needsCaller(access, 'delete')) assertCaller(call)
  const session = sessionFor(writing)
  yield* runHook(access.controller, 'beforeDelete', call, (hook) => {
    transaction?.endRetries()
    return hook(call.request, { ...row }, hookContext(session, call))
  })
  return existing(writing, change, row, change.values)
}

/** A hook may have changed the record with statements of its own, so that it is no longer known. */
const existing = (
  { target, transaction }: Preparing,
  change: Change,
  row: Row | undefined,
  values: Row,
): Change => {
  const { model, access } = target
  const { beforeDelete, beforeUpdate } = access.controller?.hooks ?? {}
  const hook = change.verb === 'delete' ? beforeDelete : beforeUpdate
  const locked = hook === undefined ? change.locked : undefined
  // A body has only a part of the key of a related record.
  const key = row === undefined || transaction === undefined ? change.key : keyValues(row, model.primaryKey)
  const isReady = values === change.values && locked === change.locked && key === change.key
  return isReady ? change : { ...change, key, values, locked }
}
