import { isDeepStrictEqual } from 'node:util'
import { hookContext, runHook, useResult } from '../controller/hooks.ts'
import type { ScopedCall } from '../controller/scope.ts'
import { problem } from '../error/errors.ts'
import { ownValue } from '../model/objects.ts'
import type { Call } from '../operation/call.ts'
import { PromiseRefused, type Steps, wait } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import { type Row, type Session, SourceError } from '../source/source.ts'
import { changesFiles } from './files.ts'
import { authoriseRecord, existing, type Write, type Written } from './record.ts'
import { assertInReach, assertStoredInReach, type BoundReference } from './references.ts'
import type { Resource } from './resource.ts'

const none: readonly BoundReference[] = []

export const shownAsStored = (record: Row): Written => ({ record, shown: record })

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
    hook(call.request, { ...stored.record }, hookContext(session.db, call)),
  )
  return given === undefined ? stored : { ...stored, shown: shownBy(resource, event, call, given) }
}

/** What an after-hook returned instead of the record. */
const shownBy = (
  { controller, model }: Resource,
  event: Write['event'],
  call: Call,
  given: object,
): object => {
  if (controller === undefined || event === 'delete') return given
  return useResult(controller, afterHooks[event], call, (hook) => {
    if (model.fields.some(({ name }) => Object.hasOwn(given, name))) return given
    throw new Error(
      `${hook()} returned an object without a field of ${model.name}, such as the result of a statement. Return the record to show, or nothing.`,
    )
  })
}

/** Runs a write inside a transaction, with all checks that must hold at that moment. */
export function* checkedWrite(
  resource: Resource,
  scoped: ScopedCall,
  write: Write,
  references: readonly BoundReference[],
  session: Session,
): Steps<Written> {
  yield* authoriseAgain(resource, scoped, write, session)
  return yield* permittedWrite(resource, scoped, write, references, session)
}

/** The same for a write that is permitted already. */
export function* permittedWrite(
  resource: Resource,
  scoped: ScopedCall,
  write: Write,
  references: readonly BoundReference[],
  session: Session,
): Steps<Written> {
  const { model, files } = resource
  const { guard } = scoped
  const { event, key } = write
  const store = session.store(model)
  const open =
    references.length > 0 ? yield* assertInReach(resource, scoped, write, references, session) : none
  // Locked, so that no other request changes its files before this write.
  const before =
    event === 'update' && key !== undefined && files !== undefined && changesFiles(files, write)
      ? yield* wait(existing(model, store.read(key, guard, 'lock')))
      : undefined
  const record = yield* wait(write.act(store))
  if (open.length > 0) yield* assertStoredInReach(open, record, session)
  if (event !== 'delete' && guard !== everything) {
    const stored = model.primaryKey.map((name) => ownValue(record, name))
    if ((yield* wait(store.read(stored, guard))) === undefined)
      throw problem('forbidden', 'You may not create a record outside your scope, or move one out of it.')
  }
  return { ...shownAsStored(record), ...(before && { before }) }
}

/** Locks the record and checks the permission again if the record has changed since the first check. */
function* authoriseAgain(
  resource: Resource,
  scoped: ScopedCall,
  { event, key, seen }: Write,
  session: Session,
): Steps<void> {
  const { model, access } = resource
  if (event === 'create' || key === undefined || typeof access[event] !== 'function') return
  const record = yield* wait(existing(model, session.store(model).read(key, scoped.guard, 'lock')))
  yield* authoriseChanged(resource, event, scoped, { record, seen }, session)
}

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
    yield* authoriseRecord(resource, verb, scoped, record, session.db)
  } catch (error) {
    // The first check could wait, but this one cannot. A retried request checks the current record.
    if (error instanceof Error && error.cause instanceof PromiseRefused)
      throw new SourceError('contended', { cause: error })
    throw error
  }
}
