import { isDeepStrictEqual } from 'node:util'
import { hookContext, runHook } from '../controller/hooks.ts'
import type { ScopedCall } from '../controller/scope.ts'
import { problem } from '../error/errors.ts'
import { ownValue } from '../model/objects.ts'
import { runNested, runNestedInOneTick, type Steps, wait } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import { isContended, pauseBefore } from '../source/repeating.ts'
import type { Awaitable, Row, Session } from '../source/source.ts'
import { type Body, withUploads } from './body.ts'
import { afterWrite, keepIfStored, leavesFiles, shownWritten, withoutHeldFiles } from './files.ts'
import { authoriseRecord, existing, mayRead, type Write, type Written } from './record.ts'
import { assertInReach, assertStoredInReach, type BoundReference, boundReferences } from './references.ts'
import type { Around, Resource } from './resource.ts'

/**
 * Writes: the statement alone, or, where hooks or scopes have a say after it, or files are at stake, all in one transaction
 * with them (contract, 6).
 */
export function* performWrite(resource: Resource, visit: ScopedCall, write: Write): Steps<Written> {
  const { around, store } = resource
  // Asked here, as hardly any model has foreign keys that a scope binds.
  const references =
    around.scopedReferences.length > 0 ? yield* boundReferences(resource, visit, write) : unbound
  const written = isTransaction(resource, visit, write, references)
    ? yield* inOneTransaction(resource, visit, { ...write, references })
    : alone(yield* write.act(store))
  afterWrite(resource, visit.call, write, written)
  const { controller, commits, source } = around
  if (controller?.hooks.afterCommit !== undefined) {
    const record = { ...written.record }
    commits.announce({ controller, event: write.event, record, call: visit.call, db: source.db })
  }
  if (write.event === 'delete') return written
  if (!(yield* mayRead(resource, visit, written.record))) return { ...written, shown: undefined }
  return yield* shownWritten(resource, written)
}

const unbound: readonly BoundReference[] = []

const alone = (record: Row): Written => ({ record, shown: record })

const afterHooks = { create: 'afterCreate', update: 'afterUpdate', delete: 'afterDelete' } as const

const isTransaction = (
  resource: Resource,
  { guard }: ScopedCall,
  write: Write,
  references: readonly BoundReference[],
): boolean => {
  const { around } = resource
  const { event, uploads } = write
  return (
    around.controller?.hooks[afterHooks[event]] !== undefined ||
    (event !== 'create' && typeof around.access[event] === 'function') ||
    (event !== 'delete' && guard !== everything) ||
    references.length > 0 ||
    (uploads !== undefined && uploads.files.size > 0) ||
    (event === 'update' && leavesFiles(resource, write))
  )
}

/** A write with its foreign keys that are bound to the caller's reach. */
interface BoundWrite extends Write {
  readonly references: readonly BoundReference[]
}

/** The write in a transaction. */
function* inOneTransaction(resource: Resource, visit: ScopedCall, write: BoundWrite): Steps<Written> {
  const { uploads } = write
  const progress: Progress = { isHooked: false, isThrough: false }
  try {
    return yield* inTransaction(
      resource.around,
      function* (inside) {
        progress.isThrough = false
        const written = yield* within(resource, visit, write, inside, progress)
        progress.isThrough = true
        return written
      },
      // Hooks run once: what they do may be more than the database can undo.
      () => !progress.isHooked,
    )
  } catch (error) {
    if (progress.isThrough && uploads !== undefined) yield* keepIfStored(resource, visit.call, uploads, error)
    throw error
  }
}

/** How far a transaction got. */
interface Progress {
  /** An after-hook has begun. */
  isHooked: boolean
  /** Nothing is left but the commit. */
  isThrough: boolean
}

function* within(
  resource: Resource,
  visit: ScopedCall,
  write: BoundWrite,
  inside: Session,
  progress: Progress,
): Steps<Written> {
  const { model, around } = resource
  const { call, guard } = visit
  yield* permitAgain(resource, visit, write, inside)
  const open = yield* assertInReach(resource, visit, write, write.references, inside)
  const before = yield* heldBefore(resource, visit, write, inside)
  const record = yield* write.act(inside.store(model))
  yield* assertStoredInReach(open, record, inside)
  if (write.event !== 'delete' && guard !== everything) {
    const key = model.primaryKey.map((name) => ownValue(record, name))
    if ((yield* wait(inside.store(model).read(key, guard))) === undefined) throw outOfScope()
  }
  const given = yield* runHook(around.controller, afterHooks[write.event], (hook) => {
    progress.isHooked = true
    return hook(call.request, { ...record }, hookContext(inside.db, call))
  })
  return { record, shown: given ?? record, ...(before && { before }) }
}

/** The record that a change takes files from: as it is when nobody else can change it any more. */
function* heldBefore(
  resource: Resource,
  { guard }: ScopedCall,
  write: Write,
  inside: Session,
): Steps<Row | undefined> {
  const { event, key } = write
  if (event !== 'update' || key === undefined || !leavesFiles(resource, write)) return undefined
  return yield* existing(resource.model, inside.store(resource.model).read(key, guard, 'lock'))
}

/** The record that was asked about before may have changed since. From here on nobody else can change it. */
function* permitAgain(
  resource: Resource,
  visit: ScopedCall,
  { event, key, seen }: Write,
  inside: Session,
): Steps<void> {
  const { model, around } = resource
  if (event === 'create' || key === undefined || typeof around.access[event] !== 'function') return
  const record = yield* existing(model, inside.store(model).read(key, visit.guard, 'lock'))
  if (!isDeepStrictEqual(record, seen)) yield* authoriseRecord(resource, event, visit, record, inside.db)
}

const outOfScope = (): Error => problem('forbidden', 'The record would be out of your reach.')

/** What a create stores: the payload, or what `beforeCreate` made of it, checked against the columns. */
export function* beforeCreate(resource: Resource, visit: ScopedCall, body: Body): Steps<Row> {
  const { sent, uploads } = body
  const values = withUploads(body.values, uploads)
  const { around, columns, bodies } = resource
  const { controller, source } = around
  if (controller?.hooks.beforeCreate === undefined) {
    return bodies.isCustom.create ? columns.create.parse(values, sent) : body.values
  }
  const payload = { ...values }
  const given = yield* runHook(controller, 'beforeCreate', (hook) =>
    hook(visit.call.request, payload, columns.create, hookContext(source.db, visit.call)),
  )
  return columns.create.parse(withUploads(given ?? payload, uploads), sent)
}

/** What an update stores: the payload, or what `beforeUpdate` made of it, checked against the columns. */
export function* beforeUpdate(
  resource: Resource,
  visit: ScopedCall,
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
  const given = yield* runHook(controller, 'beforeUpdate', (hook) =>
    hook(visit.call.request, { ...found }, payload, columns.update, hookContext(source.db, visit.call)),
  )
  const stored = withoutHeldFiles(resource, withUploads(given ?? payload, uploads), found)
  return columns.update.parse(stored, sent)
}

/** A snapshot of the record goes to `beforeDelete`, which may refuse. */
export function* beforeDelete(
  { around }: Resource,
  { call }: ScopedCall,
  found: Row | undefined,
): Steps<void> {
  yield* runHook(around.controller, 'beforeDelete', (hook) =>
    hook(call.request, { ...found }, hookContext(around.source.db, call)),
  )
}

/**
 * Runs steps in one transaction. What they throw undoes it; so does taking longer than it may. What others undid is done
 * again.
 *
 * @param isRepeatable whether all that was done so far may be done again
 */
export function* inTransaction<T>(
  around: Pick<Around, 'source' | 'transactionTimeout' | 'databaseRetries'>,
  work: (inside: Session) => Steps<T>,
  isRepeatable: () => boolean = () => true,
): Steps<T> {
  // What is synchronous cannot wait for the others.
  const retries = around.source.capabilities.synchronous ? 0 : around.databaseRetries
  for (let repeats = 0; ; repeats += 1) {
    try {
      return yield* wait(begun(around, work))
    } catch (error) {
      if (!isContended(error) || repeats >= retries || !isRepeatable()) throw error
    }
    yield* wait(pauseBefore(repeats))
  }
}

const begun = <T>(
  { source, transactionTimeout }: Pick<Around, 'source' | 'transactionTimeout'>,
  work: (inside: Session) => Steps<T>,
): Awaitable<T> =>
  source.capabilities.synchronous
    ? source.transaction((inside) => runNestedInOneTick(work(inside)))
    : source.transaction((inside) => withinTime(work(inside), transactionTimeout))

const withinTime = async <T>(steps: Steps<T>, seconds: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLong(seconds)), seconds * 1000)
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

const tooLong = (seconds: number): Error =>
  new Error(
    `A transaction took longer than TRANSACTION_TIMEOUT (${seconds} s) and was undone. A hook that waits for something outside of it, or for the database by another way than context.db, may wait forever.`,
  )
