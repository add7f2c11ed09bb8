import { isDeepStrictEqual } from 'node:util'
import { ran } from '../controller/ran.ts'
import { contextWith, type Visit } from '../controller/visit.ts'
import { problem } from '../error/http-error.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import type { Row, Session } from '../source/source.ts'
import { existing } from './on-record.ts'
import { permit } from './permit.ts'
import { assertInReach, assertStoredInReach, type BoundReference, boundReferences } from './references.ts'
import type { Resource } from './resource.ts'
import { inTransaction } from './transaction.ts'
import type { Write, Written } from './write.ts'

/**
 * Writes: the statement alone, or, where hooks or scopes have a say after it, all in one transaction with them
 * (contract, 6).
 */
export function* writing(resource: Resource, visit: Visit, write: Write): Steps<Written> {
  const { around, store } = resource
  // Asked here, as hardly any model has foreign keys that a scope binds.
  const references =
    around.scopedReferences.length > 0 ? yield* boundReferences(resource, visit, write) : unbound
  const written = isTransaction(resource, visit, write, references)
    ? yield* inTransaction(around, (inside) => within(resource, visit, { ...write, references }, inside))
    : alone(yield* write.act(store))
  const { controller, commits, source } = around
  if (controller?.hooks.afterCommit !== undefined) {
    const record = { ...written.record }
    commits.announce({ controller, event: write.event, record, call: visit.call, db: source.db })
  }
  return written
}

const unbound: readonly BoundReference[] = []

const alone = (record: Row): Written => ({ record, shown: record })

const afterHooks = { create: 'afterCreate', update: 'afterUpdate', delete: 'afterDelete' } as const

const isTransaction = (
  { around }: Resource,
  { guard }: Visit,
  { event }: Write,
  references: readonly BoundReference[],
): boolean =>
  around.controller?.hooks[afterHooks[event]] !== undefined ||
  (event !== 'create' && typeof around.access[event] === 'function') ||
  (event !== 'delete' && guard !== everything) ||
  references.length > 0

/** A write with its foreign keys that are bound to the caller's reach. */
interface BoundWrite extends Write {
  readonly references: readonly BoundReference[]
}

function* within(resource: Resource, visit: Visit, write: BoundWrite, inside: Session): Steps<Written> {
  const { model, around } = resource
  const { call, guard } = visit
  yield* permitAgain(resource, visit, write, inside)
  const open = yield* assertInReach(resource, visit, write, write.references, inside)
  const record = yield* write.act(inside.store(model))
  yield* assertStoredInReach(open, record, inside)
  if (write.event !== 'delete' && guard !== everything) {
    const key = model.primaryKey.map((name) => record[name])
    if ((yield* wait(inside.store(model).read(key, guard))) === undefined) throw outOfScope()
  }
  const given = yield* ran(around.controller, afterHooks[write.event], (hook) =>
    hook(call.request, { ...record }, contextWith(inside.db, call)),
  )
  return { record, shown: given ?? record }
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
