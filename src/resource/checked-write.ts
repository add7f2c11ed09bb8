import { isDeepStrictEqual } from 'node:util'
import { runHook, useResult, writtenContext } from '../controller/hooks.ts'
import type { ScopedCall } from '../controller/scope.ts'
import { problem } from '../error/errors.ts'
import { ownValue } from '../model/objects.ts'
import { withDeleted } from '../model/soft-deletion.ts'
import { recordWrite } from '../operation/audit.ts'
import type { Call } from '../operation/call.ts'
import { PromiseRefused, type Steps, wait } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import { type Row, type Session, SourceError } from '../source/source.ts'
import { authorOf } from './audit.ts'
import { changesFiles } from './files.ts'
import { assertMatch, needsLock } from './if-match.ts'
import { authoriseRecord, existing, shownAsStored, type Write, type Written } from './record.ts'
import { assertInReach, assertStoredInReach, type BoundReference } from './references.ts'
import type { Resource } from './resource.ts'

const none: readonly BoundReference[] = []

const afterHooks = { create: 'afterCreate', update: 'afterUpdate', delete: 'afterDelete' } as const

export const hasAfterHook = ({ controller }: Resource, event: Write['event']): boolean =>
  controller?.hooks[afterHooks[event]] !== undefined

/** Runs the hook that follows a write in its transaction. */
export function* afterHook(
  resource: Resource,
  { call }: ScopedCall,
  event: Write['event'],
  stored: Written,
  session: Session,
): Steps<Written> {
  const given = yield* runHook(resource.controller, afterHooks[event], call, (hook) =>
    hook(call.request, { ...stored.record }, writtenContext(session, call, stored.before)),
  )
  if (given === undefined) return stored
  const shown = event === 'delete' ? given : recordBy(resource, afterHooks[event], call, given)
  return { ...stored, shown }
}

/** What a hook returned instead of the record. */
export const recordBy = (
  { controller, model }: Resource,
  name: 'afterCreate' | 'afterUpdate' | 'afterRead',
  call: Call,
  given: object,
): object => {
  if (controller === undefined) return given
  return useResult(controller, name, call, (hook) => {
    const known = model.fields.flatMap(({ name, inSource = name }) => [name, inSource])
    if (known.some((name) => Object.hasOwn(given, name))) return given
    throw new Error(
      `${hook()} returned an object without a field of ${model.name}, such as the result of a statement. Return the record to show, or nothing.`,
    )
  })
}

/**
 * Runs a write inside a transaction, with all checks that must hold at that moment.
 *
 * @param locksFirst whether the record is locked before anything else. @default if a permission is asked about it, or it is compared with `If-Match`
 */
export function* checkedWrite(
  resource: Resource,
  scoped: ScopedCall,
  write: Write,
  references: readonly BoundReference[],
  session: Session,
  locksFirst: boolean = isDecided(resource, write.event) || needsLock(write.match),
): Steps<Written> {
  const { event, key, seen, locked } = write
  const record =
    locked ?? (key !== undefined && locksFirst ? yield* lockedBy(resource, scoped, key, session) : undefined)
  if (record !== undefined && event !== 'create' && isDecided(resource, event))
    yield* authoriseChanged(resource, event, scoped, { record, seen }, session)
  if (record !== undefined) assertMatch(write.match, record)
  return yield* permittedWrite(resource, scoped, write, references, session, record)
}

const lockedBy = (
  { model }: Resource,
  { guard }: ScopedCall,
  key: readonly unknown[],
  session: Session,
): Steps<Row> => wait(existing(model, session.store(model).read(key, guard, 'lock')))

/**
 * The same for a write that is permitted already.
 *
 * @param locked the record as it was, if it is locked already
 */
export function* permittedWrite(
  resource: Resource,
  scoped: ScopedCall,
  write: Write,
  references: readonly BoundReference[],
  session: Session,
  locked?: Row,
): Steps<Written> {
  const { model } = resource
  const { guard } = scoped
  const { event, key } = write
  const store = session.store(model)
  const open =
    references.length > 0 ? yield* assertInReach(resource, scoped, write, references, session) : none
  // No other request may change the record before this write.
  const found =
    locked ??
    (key !== undefined && needsBefore(resource, write)
      ? yield* lockedBy(resource, scoped, key, session)
      : undefined)
  const record = yield* wait(write.act(store))
  if (open.length > 0) yield* assertStoredInReach(open, record, session)
  if (event !== 'delete' && guard !== everything) {
    const stored = model.primaryKey.map((name) => ownValue(record, name))
    // The application may delete the record by the update.
    const all = session.store(withDeleted(model))
    if ((yield* wait(all.read(stored, guard))) === undefined)
      throw problem('forbidden', 'You may not create a record outside your scope, or move one out of it.')
  }
  const before = event === 'delete' ? record : found
  if (resource.audited !== undefined) {
    const after = event === 'delete' ? undefined : record
    yield* recordWrite(
      resource.audited,
      authorOf(resource.audited, scoped),
      { event, before, after },
      session,
    )
  }
  return { ...shownAsStored(record), ...(before && { before }) }
}

/** Whether hooks follow that get the record as it was. */
export const showsBefore = ({ controller }: Resource, event: Write['event']): boolean =>
  event === 'update' &&
  (controller?.hooks.afterUpdate !== undefined || controller?.hooks.afterCommit !== undefined)

/** Whether hooks or files need the record as it was. */
const needsBefore = (resource: Resource, write: Write): boolean => {
  const { files } = resource
  const { event } = write
  return (
    showsBefore(resource, event) ||
    (event === 'update' && resource.audited !== undefined) ||
    (event === 'update' && files !== undefined && changesFiles(files, write))
  )
}

/** Whether a permission is asked about the record. */
const isDecided = ({ permissions }: Resource, event: Write['event']): boolean =>
  event !== 'create' && typeof permissions[event] === 'function'

/** Checks the permission of a locked record again, unless it is the same as at the first check. */
export function* authoriseChanged(
  resource: Resource,
  verb: 'update' | 'delete',
  scoped: ScopedCall,
  { record, seen }: { readonly record: Row; readonly seen: Row | undefined },
  session: Session,
): Steps<void> {
  if (isDeepStrictEqual(record, seen)) return
  try {
    yield* authoriseRecord(resource, verb, scoped, record, session)
  } catch (error) {
    // The first check could wait, but this one cannot. A retried request checks the current record.
    if (error instanceof Error && error.cause instanceof PromiseRefused)
      throw new SourceError('contended', { cause: error })
    throw error
  }
}
