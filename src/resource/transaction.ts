import type { Commit } from '../controller/commits.ts'
import type { ScopedCall } from '../controller/scope.ts'
import { versionField } from '../model/model.ts'
import { after, onceFor } from '../model/objects.ts'
import { isCounter } from '../model/version.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { inTransaction, type Transactional } from '../operation/transaction.ts'
import { everything } from '../query/ast.ts'
import { type Session, SourceError } from '../source/source.ts'
import { afterHook, checkedWrite, hasAfterHook, showsBefore } from './checked-write.ts'
import { namingDeleted } from './deleted.ts'
import { afterWrites, changesFiles, keepIfStored, shownWritten } from './files.ts'
import { assertKnown, needsLock } from './if-match.ts'
import { presentedWrite } from './presenting.ts'
import { existing, isPresented, mayRead, shownAsStored, type Write, type Written } from './record.ts'
import { type BoundReference, boundReferences } from './references.ts'
import type { Resource } from './resource.ts'
import type { Locate } from './together/errors.ts'
import type { Plan } from './together/plan.ts'
import { writtenMembers } from './together/shown.ts'
import { type Done, type Whole, writeTogether } from './together/write.ts'

/**
 * Uses a transaction if an after-hook, a scope, files or related records need it. Otherwise the write is a single statement.
 *
 * @param plans the related records to write with the record. @default none
 */
export const performWrite = (
  resource: Resource,
  scoped: ScopedCall,
  write: Write,
  plans?: readonly Plan[],
): Steps<Written> => {
  const steps = perform(resource, scoped, write, plans)
  return resource.model.softDelete === undefined || write.event === 'delete'
    ? steps
    : namingDeleted(resource, scoped, write, steps)
}

function* perform(
  resource: Resource,
  scoped: ScopedCall,
  write: Write,
  plans: readonly Plan[] | undefined,
): Steps<Written> {
  try {
    return plans === undefined && isOneStatement(resource, scoped, write)
      ? yield* wait(after(write.act(resource.store), shownAsStored))
      : yield* performWhole(resource, scoped, write, plans)
  } catch (error) {
    if (error instanceof SourceError && error.kind === 'unrepresentable')
      unshownIn(resource.source).add(resource.model.name)
    throw error
  }
}

/**
 * The models of which a write could not be shown, for example because a trigger changed it. They are then written in transactions,
 * so that later ones leave nothing.
 */
const unshownIn = onceFor((_source: Resource['source']) => new Set<string>())

const mayBeUnshown = ({ source, model }: Resource): boolean =>
  source.capabilities.transactions === true && unshownIn(source).has(model.name)

/** Nothing belongs to the write besides its statement, and every caller may read the record. */
const isOneStatement = (resource: Resource, scoped: ScopedCall, write: Write): boolean =>
  resource.scopedReferences.length === 0 &&
  resource.files === undefined &&
  resource.permissions.read === 'public' &&
  resource.controller?.hooks.afterCommit === undefined &&
  !isPresented(resource) &&
  !needsTransaction(resource, scoped, write, none, undefined)

function* performWhole(
  resource: Resource,
  scoped: ScopedCall,
  write: Write,
  plans: readonly Plan[] | undefined,
): Steps<Written> {
  const { scopedReferences } = resource
  yield* assertKnown(resource, scoped, write)
  const references = scopedReferences.length > 0 ? yield* boundReferences(resource, scoped, write) : none
  const done = needsTransaction(resource, scoped, write, references, plans)
    ? yield* writeInTransaction(resource, scoped, write, references, plans)
    : ([{ resource, write, written: yield* writeAlone(resource, scoped, write) }] as const)
  for (const each of done) afterCommitOf(each, scoped)
  const [{ written }] = done
  if (write.event === 'delete') return written
  const shown = yield* shownToCaller(resource, scoped, written)
  if (plans === undefined || shown.shown === undefined) return shown
  const members = yield* writtenMembers(resource, scoped, written.record, plans)
  return members === undefined ? shown : { ...shown, members: { ...shown.members, ...members } }
}

/** The result of a write as the caller may see it. */
export function* shownToCaller(resource: Resource, scoped: ScopedCall, written: Written): Steps<Written> {
  if (!(yield* mayRead(resource, scoped, written.record))) return { ...written, shown: undefined }
  const made = isPresented(resource) ? yield* presentedWrite(resource, written, scoped) : written
  return resource.media === undefined ? made : yield* shownWritten(resource, made)
}

const none: readonly BoundReference[] = []

/** Without a transaction, another request may change the record between what a hook gets of it and the statement. */
function* writeAlone(resource: Resource, { guard }: ScopedCall, write: Write): Steps<Written> {
  const { model, store } = resource
  const { event, key, seen } = write
  const before =
    key !== undefined && showsBefore(resource, event)
      ? (seen ?? (yield* wait(existing(model, store.read(key, guard)))))
      : undefined
  const record = yield* wait(write.act(store))
  return { ...shownAsStored(record), ...(before && { before }) }
}

/** Starts what follows a commit: `afterCommit`, and the deletion of files that no record holds any more. */
export const afterCommitOf = (done: Done, scoped: ScopedCall): void => afterCommitsOf([done], scoped)

/** The same for several writes, whose hooks run one after the other. */
export const afterCommitsOf = (done: readonly Done[], { call }: ScopedCall): void => {
  const [first] = done
  if (first === undefined) return
  const writesOfFiles = done.flatMap(({ resource: { files, model }, write, written }) => {
    // A deleted record that can be restored keeps its files.
    const keepsFiles = write.event === 'delete' && model.softDelete !== undefined
    return files !== undefined && !keepsFiles ? [{ files, write, written }] : []
  })
  if (writesOfFiles.length > 0) afterWrites(first.resource, writesOfFiles, call)
  const announced = done.flatMap(({ resource, write, written }): readonly Commit[] => {
    const { controller, source } = resource
    if (controller?.hooks.afterCommit === undefined) return []
    const { event } = write
    const before = event === 'delete' ? written.record : written.before
    return [{ controller, event, record: { ...written.record }, call, before, source }]
  })
  if (announced.length > 0) first.resource.commits.announce(...announced)
}

const needsTransaction = (
  resource: Resource,
  { guard }: ScopedCall,
  write: Write,
  references: readonly BoundReference[],
  plans: readonly Plan[] | undefined,
): boolean => {
  const { event, uploads, match } = write
  return (
    plans !== undefined ||
    mayBeUnshown(resource) ||
    resource.audited !== undefined ||
    hasAfterHook(resource, event) ||
    runsOrmHooks(resource, event) ||
    (showsBefore(resource, event) && hasLocks(resource)) ||
    (event !== 'create' && typeof resource.permissions[event] === 'function') ||
    needsLock(match) ||
    (event === 'update' && isVersionLocked(resource)) ||
    (event !== 'delete' && guard !== everything) ||
    references.length > 0 ||
    (uploads !== undefined && uploads.files.size > 0) ||
    (event === 'update' && resource.files !== undefined && changesFiles(resource.files, write))
  )
}

/** Whether the ORM runs hooks in a write. A soft deletion of modelrest is an update. */
const runsOrmHooks = ({ source, model }: Resource, event: Write['event']): boolean => {
  const act = event === 'delete' && model.softDelete !== undefined ? 'update' : event
  return source.hooks?.hear(model, act) === true
}

/** Whether the version is a time, which is raised in a transaction. */
const isVersionLocked = ({ model }: Resource): boolean => {
  const field = versionField(model)
  return field !== undefined && !isCounter(field)
}

const hasLocks = ({ source: { capabilities } }: Resource): boolean =>
  capabilities.transactions === true && capabilities.rowLocks === true

/** The writes of a transaction, that of the request first. */
type AllDone = readonly [Done, ...Done[]]

function* writeInTransaction(
  resource: Resource,
  scoped: ScopedCall,
  write: Write,
  references: readonly BoundReference[],
  plans: readonly Plan[] | undefined,
): Steps<AllDone> {
  const { event, uploads, key } = write
  const { call } = scoped
  let written: Written | undefined
  const work = function* (whole: Whole): Steps<AllDone> {
    const { session, endRetries } = whole
    written = undefined
    if (runsOrmHooks(resource, event)) endRetries()
    // Locked first, so that requests that write the same related records run one after the other.
    const locks = plans === undefined ? undefined : true
    const stored = yield* checkedWrite(resource, scoped, write, references, session, locks)
    const inside = { ...whole, record: stored.record, isNew: key === undefined }
    const others = plans === undefined ? [] : yield* writeTogether(plans, inside)
    if (hasAfterHook(resource, event)) endRetries()
    written = yield* afterHook(resource, scoped, event, stored, session)
    return [{ resource, write, written }, ...others]
  }
  try {
    return yield* writingWhole(resource, work)
  } catch (error) {
    // The commit failed, but may have succeeded in the database.
    if (written !== undefined && uploads !== undefined) yield* keepIfStored(resource, call, uploads, error)
    throw error
  }
}

/** Writes several records in one transaction. Its refusals say where the body has the record. */
export function* writingWhole<T>(resource: Transactional, work: (whole: Whole) => Steps<T>): Steps<T> {
  let isFinal = false
  let locate: Locate | undefined
  const endRetries = (): void => {
    isFinal = true
  }
  const failed = (place: Locate): void => {
    locate = place
  }
  const begin = (session: Session): Steps<T> => {
    locate = undefined
    return work({ session, endRetries, failed })
  }
  try {
    // Hooks run once, because the database cannot roll back their other effects.
    return yield* inTransaction(resource, begin, () => !isFinal)
  } catch (error) {
    throw locate !== undefined && error instanceof SourceError ? locate(error) : error
  }
}
