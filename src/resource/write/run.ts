import type { Commit } from '../../controller/commits.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { type Model, versionField } from '../../model/model.ts'
import { after, onceFor } from '../../model/objects.ts'
import { isCounter } from '../../model/version.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { inTransaction } from '../../operation/transaction.ts'
import { everything } from '../../query/ast.ts'
import { type ModelSource, type Session, SourceError } from '../../source/source.ts'
import { existing, isPresented, mayRead } from '../parts/record.ts'
import type { ModelRecords, WriteTarget } from '../parts/resource.ts'
import { shownWithUrls } from '../show/files.ts'
import { presentedWrite } from '../show/presenting.ts'
import type { Shown } from '../show/replies.ts'
import { writeBelow } from './below.ts'
import type { Change, Locate, Stored, Transaction, WriteContext } from './change.ts'
import {
  eventOf,
  hasAfterHook,
  isDecided,
  runsOrmHooks,
  showsBefore,
  statement,
  storedAs,
  written,
} from './checked.ts'
import { namingDeleted } from './deleted.ts'
import { afterWrites, changesFiles, keepIfStored } from './files.ts'
import { assertMatchAllowed, needsLock } from './if-match.ts'
import { boundReferences } from './references.ts'
import { writtenRecords } from './shown.ts'

type Refused = NonNullable<Transaction['refused']>

/** The writes of a transaction, that of the request first. */
type AllStored = readonly [Stored, ...Stored[]]

/**
 * Writes the record of a request, whose hook has run, and those below it. Uses a transaction if an after-hook, a scope, files or
 * related records need it. Otherwise the write is a single statement.
 */
export const writeOne = (writing: WriteContext, change: Change): Steps<Stored> => {
  const isNaming = writing.target.model.softDelete !== undefined && change.verb !== 'delete'
  return isNaming || change.below !== undefined
    ? namingDeleted((refused) => perform(writing, change, refused))
    : perform(writing, change)
}

function* perform(writing: WriteContext, change: Change, refused?: Refused): Steps<Stored> {
  const { model, records } = writing.target
  try {
    return isOneStatement(writing, change)
      ? yield* alone(writing, change, refused)
      : yield* performWhole(writing, change, refused)
  } catch (error) {
    if (error instanceof SourceError && error.kind === 'unrepresentable')
      unshownIn(records.source).add(model.name)
    throw error
  }
}

const alone = (writing: WriteContext, change: Change, refused?: Refused): Steps<Stored> => {
  const { target, scoped } = writing
  refused?.({ target, scoped, change })
  return wait(after(statement(writing, change, target.records), (record) => storedAs(target, change, record)))
}

/** Without a transaction, another request may change the record between what a hook gets of it and the statement. */
function* aloneWithBefore(writing: WriteContext, change: Change, refused?: Refused): Steps<Stored> {
  const { target, scoped } = writing
  const { model, access, records } = target
  const { key, seen } = change
  const read = (key: readonly unknown[]) => existing(model, records.read(scoped, key))
  const before =
    key !== undefined && showsBefore(access, eventOf(change)) ? (seen ?? (yield* wait(read(key)))) : undefined
  const stored = yield* alone(writing, change, refused)
  return before === undefined ? stored : { ...stored, before }
}

/**
 * The models of which a write could not be shown, for example because a trigger changed it. They are then written in transactions,
 * so that later ones leave nothing.
 */
const unshownIn = onceFor((_source: ModelSource) => new Set<string>())

const mayBeUnshown = ({ model, records: { source } }: WriteTarget): boolean =>
  source.capabilities.transactions === true && unshownIn(source).has(model.name)

/** Nothing belongs to the write besides its statement, and every caller may read the record. */
const isOneStatement = (writing: WriteContext, change: Change): boolean => {
  const { target } = writing
  const { access, bodies } = target
  return (
    access.scopedReferences.length === 0 &&
    bodies.files === undefined &&
    access.permissions.read === 'public' &&
    access.controller?.hooks.afterCommit === undefined &&
    !isPresented(target) &&
    !needsTransaction(writing, change)
  )
}

function* performWhole(writing: WriteContext, given: Change, refused?: Refused): Steps<Stored> {
  const { target, scoped } = writing
  const { access } = target
  yield* assertMatchAllowed(target, scoped, given)
  const isBound = access.scopedReferences.length > 0
  const change = isBound ? { ...given, references: yield* boundReferences(access, scoped, given) } : given
  const all: AllStored = needsTransaction(writing, change)
    ? yield* inside(writing, change, refused)
    : [yield* aloneWithBefore(writing, change, refused)]
  for (const each of all) afterCommits([each], scoped)
  const [stored] = all
  if (change.verb === 'delete') return stored
  const shown = yield* shownToCaller(target, scoped, stored)
  if (change.below === undefined || shown.shown === undefined) return shown
  const included = yield* writtenRecords(target, scoped, stored.record, change.below)
  return included === undefined ? shown : { ...shown, included }
}

/** The result of a write as the caller may see it. */
export function* shownToCaller<Some extends Shown>(
  resource: Pick<WriteTarget, 'model' | 'access' | 'bodies'>,
  scoped: ScopedCall,
  stored: Some,
): Steps<Some> {
  if (!(yield* mayRead(resource.access, scoped, stored.record))) return { ...stored, shown: undefined }
  const made = isPresented(resource) ? yield* presentedWrite(resource, stored, scoped) : stored
  return resource.bodies.media === undefined ? made : yield* shownWithUrls(resource, made)
}

const needsTransaction = ({ target, scoped }: WriteContext, change: Change): boolean => {
  const { model, access, records, bodies } = target
  const { uploads, match, below, references } = change
  const event = eventOf(change)
  const isUpdate = event === 'update'
  return (
    below !== undefined ||
    mayBeUnshown(target) ||
    records.audited !== undefined ||
    hasAfterHook(access, event) ||
    runsOrmHooks(target, event) ||
    (showsBefore(access, event) && hasLocks(records)) ||
    isDecided(access, event) ||
    needsLock(match) ||
    (isUpdate && isVersionLocked(model)) ||
    (event !== 'delete' && scoped.guard !== everything) ||
    (references !== undefined && references.length > 0) ||
    (uploads !== undefined && uploads.files.size > 0) ||
    (isUpdate && bodies.files !== undefined && changesFiles(bodies.files, change))
  )
}

/** Whether the version is a time, which is raised in a transaction. */
const isVersionLocked = (model: Model): boolean => {
  const field = versionField(model)
  return field !== undefined && !isCounter(field)
}

const hasLocks = ({ source: { capabilities } }: ModelRecords): boolean =>
  capabilities.transactions === true && capabilities.rowLocks === true

function* inside(writing: WriteContext, change: Change, refused?: Refused): Steps<AllStored> {
  const { target, scoped } = writing
  const { uploads } = change
  let all: AllStored | undefined
  const work = function* (transaction: Transaction): Steps<AllStored> {
    all = undefined
    let others: readonly Stored[] = []
    const { below } = change
    const between =
      below &&
      function* (stored: Stored): Steps<void> {
        others = yield* writeBelow(stored, below, transaction)
      }
    all = [yield* written({ ...writing, transaction }, change, between), ...others]
    return all
  }
  try {
    return yield* transacted(target.records, work, refused)
  } catch (error) {
    // The commit failed, but may have succeeded in the database.
    if (all !== undefined && uploads !== undefined) yield* keepIfStored(target, scoped.call, uploads, error)
    throw error
  }
}

/** Writes records in one transaction. Its refusals say where the body has the record. @param refused @default refusals are not looked into */
export function* transacted<T>(
  records: ModelRecords,
  work: (transaction: Transaction) => Steps<T>,
  refused?: Refused,
): Steps<T> {
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
    return work({ session, endRetries, failed, ...(refused && { refused }) })
  }
  try {
    // Hooks run once, because the database cannot roll back their other effects.
    return yield* inTransaction(records, begin, () => !isFinal)
  } catch (error) {
    throw locate !== undefined && error instanceof SourceError ? locate(error) : error
  }
}

/**
 * Starts what follows a commit: the hooks `afterCommit`, one after the other, and the deletion of files that no record holds any more.
 */
export const afterCommits = (all: readonly Stored[], { call }: ScopedCall): void => {
  const [first] = all
  if (first === undefined) return
  const { records } = first.target
  // A deleted record that can be restored keeps its files.
  const holding = all.filter(
    ({
      target: {
        model,
        bodies: { files },
      },
      change: { verb },
    }) => files !== undefined && !(verb === 'delete' && model.softDelete !== undefined),
  )
  const files = holding[0]?.target.bodies.files
  if (files !== undefined) afterWrites(files, holding, records, call)
  const announced = all.flatMap(({ target, change, record, before }): readonly Commit[] => {
    const { controller } = target.access
    const { source } = target.records
    if (controller?.hooks.afterCommit === undefined) return []
    const event = eventOf(change)
    const earlier = event === 'delete' ? record : before
    return [{ controller, event, record: { ...record }, call, before: earlier, source }]
  })
  if (announced.length > 0) records.commits.announce(...announced)
}
