import { isDeepStrictEqual } from 'node:util'
import { ran } from '../controller/ran.ts'
import { contextWith, type Visit } from '../controller/visit.ts'
import { problem } from '../error/http-error.ts'
import { ownValue } from '../model/own-value.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import type { Row, Session } from '../source/source.ts'
import { afterWrite, keepIfStored, leavesFiles } from './held-files.ts'
import { existing } from './on-record.ts'
import { mayRead, permit } from './permit.ts'
import { assertInReach, assertStoredInReach, type BoundReference, boundReferences } from './references.ts'
import type { Resource } from './resource.ts'
import { shownWritten } from './shown-files.ts'
import { inTransaction } from './transaction.ts'
import type { Write, Written } from './write.ts'

/**
 * Writes: the statement alone, or, where hooks or scopes have a say after it, or files are at stake, all in one transaction
 * with them (contract, 6).
 */
export function* writing(resource: Resource, visit: Visit, write: Write): Steps<Written> {
  const { around, store } = resource
  // Asked here, as hardly any model has foreign keys that a scope binds.
  const references =
    around.scopedReferences.length > 0 ? yield* boundReferences(resource, visit, write) : unbound
  const written = isTransaction(resource, visit, write, references)
    ? yield* together(resource, visit, { ...write, references })
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
  { guard }: Visit,
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
function* together(resource: Resource, visit: Visit, write: BoundWrite): Steps<Written> {
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
  visit: Visit,
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
  const given = yield* ran(around.controller, afterHooks[write.event], (hook) => {
    progress.isHooked = true
    return hook(call.request, { ...record }, contextWith(inside.db, call))
  })
  return { record, shown: given ?? record, ...(before && { before }) }
}

/** The record that a change takes files from: as it is when nobody else can change it any more. */
function* heldBefore(
  resource: Resource,
  { guard }: Visit,
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
  visit: Visit,
  { event, key, seen }: Write,
  inside: Session,
): Steps<void> {
  const { model, around } = resource
  if (event === 'create' || key === undefined || typeof around.access[event] !== 'function') return
  const record = yield* existing(model, inside.store(model).read(key, visit.guard, 'lock'))
  if (!isDeepStrictEqual(record, seen)) yield* permit(resource, event, visit, record, inside.db)
}

const outOfScope = (): Error => problem('forbidden', 'The record would be out of your reach.')
