import { isDeepStrictEqual } from 'node:util'
import { hookContext, runHook, useResult } from '../controller/hooks.ts'
import type { ScopedCall } from '../controller/scope.ts'
import { problem } from '../error/errors.ts'
import { after, ownValue } from '../model/objects.ts'
import type { Call } from '../operation/call.ts'
import { PromiseRefused, runNested, runNestedInOneTick, type Steps, wait } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import { isContended, pauseBefore } from '../source/repeating.ts'
import { type Awaitable, type Row, type Session, SourceError } from '../source/source.ts'
import { afterWrite, changesFiles, keepIfStored, shownWritten } from './files.ts'
import { authoriseRecord, existing, mayRead, type Write, type Written } from './record.ts'
import { assertInReach, assertStoredInReach, type BoundReference, boundReferences } from './references.ts'
import type { Resource } from './resource.ts'

/** Uses a transaction if an after-hook, a scope or files need it. Otherwise the write is a single statement. */
export const performWrite = (resource: Resource, scoped: ScopedCall, write: Write): Steps<Written> =>
  isOneStatement(resource, scoped, write)
    ? wait(after(write.act(resource.store), shownAsStored))
    : performWhole(resource, scoped, write)

/** Nothing belongs to the write besides its statement, and every caller may read the record. */
const isOneStatement = (resource: Resource, scoped: ScopedCall, write: Write): boolean =>
  resource.scopedReferences.length === 0 &&
  resource.files === undefined &&
  resource.access.read === 'public' &&
  resource.controller?.hooks.afterCommit === undefined &&
  !needsTransaction(resource, scoped, write, none)

function* performWhole(resource: Resource, scoped: ScopedCall, write: Write): Steps<Written> {
  const { controller, commits, files, media, source, scopedReferences, store } = resource
  const { call } = scoped
  const { event } = write
  const references = scopedReferences.length > 0 ? yield* boundReferences(resource, scoped, write) : none
  const written = needsTransaction(resource, scoped, write, references)
    ? yield* writeInTransaction(resource, scoped, write, references)
    : shownAsStored(yield* wait(write.act(store)))
  if (files !== undefined) afterWrite(resource, files, call, write, written)
  if (controller?.hooks.afterCommit !== undefined)
    commits.announce({ controller, event, record: { ...written.record }, call, db: source.db })
  if (event === 'delete') return written
  if (!(yield* mayRead(resource, scoped, written.record))) return { ...written, shown: undefined }
  return media === undefined ? written : yield* shownWritten(resource, written)
}

const none: readonly BoundReference[] = []

const shownAsStored = (record: Row): Written => ({ record, shown: record })

const afterHooks = { create: 'afterCreate', update: 'afterUpdate', delete: 'afterDelete' } as const

const needsTransaction = (
  resource: Resource,
  { guard }: ScopedCall,
  write: Write,
  references: readonly BoundReference[],
): boolean => {
  const { event, uploads } = write
  return (
    resource.controller?.hooks[afterHooks[event]] !== undefined ||
    (event !== 'create' && typeof resource.access[event] === 'function') ||
    (event !== 'delete' && guard !== everything) ||
    references.length > 0 ||
    (uploads !== undefined && uploads.files.size > 0) ||
    (event === 'update' && resource.files !== undefined && changesFiles(resource.files, write))
  )
}

function* writeInTransaction(
  resource: Resource,
  scoped: ScopedCall,
  write: Write,
  references: readonly BoundReference[],
): Steps<Written> {
  const { event, uploads } = write
  const { call } = scoped
  let hasRunHook = false
  let written: Written | undefined
  const work = function* (session: Session): Steps<Written> {
    written = undefined
    const stored = yield* checkedWrite(resource, scoped, write, references, session)
    const given = yield* runHook(resource.controller, afterHooks[event], call, (hook) => {
      hasRunHook = true
      return hook(call.request, { ...stored.record }, hookContext(session.db, call))
    })
    written = given === undefined ? stored : { ...stored, shown: shownBy(resource, event, call, given) }
    return written
  }
  try {
    // Hooks run once, because the database cannot roll back their other effects.
    return yield* inTransaction(resource, work, () => !hasRunHook)
  } catch (error) {
    // The commit failed, but may have succeeded in the database.
    if (written !== undefined && uploads !== undefined) yield* keepIfStored(resource, call, uploads, error)
    throw error
  }
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

function* checkedWrite(
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
  yield* authoriseAgain(resource, scoped, write, session)
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
  if (isDeepStrictEqual(record, seen)) return
  try {
    yield* authoriseRecord(resource, event, scoped, record, session.db)
  } catch (error) {
    // The first check could wait, but this one cannot. A retried request checks the current record.
    if (error instanceof Error && error.cause instanceof PromiseRefused)
      throw new SourceError('contended', { cause: error })
    throw error
  }
}

type Transactional = Pick<Resource, 'source' | 'transactionTimeout' | 'databaseRetries'>

/** Rolls back on an error or timeout. Retries after a conflict as long as `isRepeatable` allows. */
export function* inTransaction<T>(
  resource: Transactional,
  work: (session: Session) => Steps<T>,
  isRepeatable: () => boolean = () => true,
): Steps<T> {
  // A synchronous driver cannot wait for other transactions.
  const retries = resource.source.capabilities.synchronous ? 0 : resource.databaseRetries
  for (let repeats = 0; ; repeats += 1) {
    try {
      return yield* wait(begun(resource, work))
    } catch (error) {
      if (!isContended(error) || repeats >= retries || !isRepeatable()) throw error
    }
    yield* wait(pauseBefore(repeats))
  }
}

const begun = <T>(
  { source, transactionTimeout }: Transactional,
  work: (session: Session) => Steps<T>,
): Awaitable<T> =>
  source.capabilities.synchronous
    ? source.transaction((session) => runNestedInOneTick(work(session)))
    : source.transaction((session) => withinTime(work(session), transactionTimeout))

const withinTime = async <T>(steps: Steps<T>, seconds: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const detail = `A transaction took longer than TRANSACTION_TIMEOUT (${seconds} s) and was rolled back. A hook that queries the database other than through context.db, or awaits other work, can deadlock.`
    timer = setTimeout(() => reject(new Error(detail)), seconds * 1000)
  })
  try {
    // Awaited inside try, so that an immediate failure also clears the timer.
    return await Promise.race([runNested(steps), late])
  } finally {
    clearTimeout(timer)
    // Steps of a transaction that was rolled back must not continue.
    steps.return(undefined as never)
  }
}
