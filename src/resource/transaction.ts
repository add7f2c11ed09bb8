import { isDeepStrictEqual } from 'node:util'
import { hookContext, runHook } from '../controller/hooks.ts'
import type { ScopedCall } from '../controller/scope.ts'
import { problem } from '../error/errors.ts'
import { ownValue } from '../model/objects.ts'
import { PromiseRefused, runNested, runNestedInOneTick, type Steps, wait } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import { isContended, pauseBefore } from '../source/repeating.ts'
import { type Awaitable, type Row, type Session, SourceError } from '../source/source.ts'
import { afterWrite, changesFiles, keepIfStored, shownWritten } from './files.ts'
import { authoriseRecord, existing, mayRead, type Write, type Written } from './record.ts'
import { assertInReach, assertStoredInReach, type BoundReference, boundReferences } from './references.ts'
import type { Resource } from './resource.ts'

/** Writes in one transaction if hooks or scopes have a say after the statement, or if files are at stake. */
export function* performWrite(resource: Resource, scoped: ScopedCall, write: Write): Steps<Written> {
  const { controller, commits, files, media, source, scopedReferences, store } = resource
  const { call } = scoped
  const { event } = write
  const references = scopedReferences.length > 0 ? yield* boundReferences(resource, scoped, write) : none
  const written = needsTransaction(resource, scoped, write, references)
    ? yield* writeInTransaction(resource, scoped, write, references)
    : shownAsStored(yield* write.act(store))
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
    const given = yield* runHook(resource.controller, afterHooks[event], (hook) => {
      hasRunHook = true
      return hook(call.request, { ...stored.record }, hookContext(session.db, call))
    })
    written = given === undefined ? stored : { ...stored, shown: given }
    return written
  }
  try {
    // Hooks run once: what they do may be more than the database can undo.
    return yield* inTransaction(resource, work, () => !hasRunHook)
  } catch (error) {
    // The commit itself failed, but the database may have done it.
    if (written !== undefined && uploads !== undefined) yield* keepIfStored(resource, call, uploads, error)
    throw error
  }
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
  // Its files are those that it holds when no other request can change it any more.
  const before =
    event === 'update' && key !== undefined && files !== undefined && changesFiles(files, write)
      ? yield* existing(model, store.read(key, guard, 'lock'))
      : undefined
  const record = yield* write.act(store)
  if (open.length > 0) yield* assertStoredInReach(open, record, session)
  if (event !== 'delete' && guard !== everything) {
    const stored = model.primaryKey.map((name) => ownValue(record, name))
    if ((yield* wait(store.read(stored, guard))) === undefined)
      throw problem('forbidden', 'The record would be out of your reach.')
  }
  return { ...shownAsStored(record), ...(before && { before }) }
}

/** The record that a permission has seen may have changed since. From here on no other request can change it. */
function* authoriseAgain(
  resource: Resource,
  scoped: ScopedCall,
  { event, key, seen }: Write,
  session: Session,
): Steps<void> {
  const { model, access } = resource
  if (event === 'create' || key === undefined || typeof access[event] !== 'function') return
  const record = yield* existing(model, session.store(model).read(key, scoped.guard, 'lock'))
  if (isDeepStrictEqual(record, seen)) return
  try {
    yield* authoriseRecord(resource, event, scoped, record, session.db)
  } catch (error) {
    // It has waited before, where that was possible: here it cannot, and whoever asks again finds the record as it is.
    if (error instanceof Error && error.cause instanceof PromiseRefused)
      throw new SourceError('contended', { cause: error })
    throw error
  }
}

type Transactional = Pick<Resource, 'source' | 'transactionTimeout' | 'databaseRetries'>

/** What the steps throw undoes it, as does taking too long. If others undid it, it is repeated as long as `isRepeatable` agrees. */
export function* inTransaction<T>(
  resource: Transactional,
  work: (session: Session) => Steps<T>,
  isRepeatable: () => boolean = () => true,
): Steps<T> {
  // A synchronous driver cannot wait for the others.
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
    const detail = `A transaction took longer than TRANSACTION_TIMEOUT (${seconds} s) and was undone. A hook that waits for something outside of it, or for the database by another way than context.db, may wait forever.`
    timer = setTimeout(() => reject(new Error(detail)), seconds * 1000)
  })
  try {
    // What fails at once must end the timer too.
    return await Promise.race([runNested(steps), late])
  } finally {
    clearTimeout(timer)
    // Of a transaction that is undone nothing more may be done.
    steps.return(undefined as never)
  }
}
