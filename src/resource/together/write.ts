import { hookContext, runHook } from '../../controller/hooks.ts'
import { assertCaller, needsCaller } from '../../controller/permissions.ts'
import { type Awaitable, ownValue } from '../../model/objects.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { both, type Condition } from '../../query/ast.ts'
import { type RecordStore, type Row, type Session, SourceError } from '../../source/source.ts'
import { beforeCreate, beforeUpdate, deleted } from '../before.ts'
import { afterHook, checkedWrite, hasAfterHook } from '../checked-write.ts'
import { assertReachable, changedRow, existing, type Write, type Written } from '../record.ts'
import { absentFields } from '../replaced.ts'
import type { Resource } from '../resource.ts'
import { isCreatable, permit } from './changes.ts'
import { type Current, currentOf, equalTo, foreignValues, keyIn, keyText, noRows } from './current.ts'
import { type Locate, locating } from './errors.ts'
import type { Change, Plan } from './plan.ts'

/** A transaction that writes several records. */
export interface Whole {
  readonly session: Session
  /** Called before a hook runs, because hooks run once, and if a retry could not succeed. */
  readonly endRetries: () => void
  /** Called if one of the records is refused. */
  readonly failed: (locate: Locate) => void
}

/** A write of a transaction that is done, except for its commit. */
export interface Done {
  readonly resource: Resource
  readonly write: Write
  readonly written: Written
}

/** The transaction that writes related records, after the record that they belong to. */
interface Inside extends Whole {
  /** The record as it was stored in this transaction. */
  readonly record: Row
  readonly isNew: boolean
}

/**
 * Writes the related records of a body. Deletes first and creates last, so that a new record may take a unique value of an
 * old one.
 */
export function* writeTogether(plans: readonly Plan[], inside: Inside): Steps<readonly Done[]> {
  const done: Done[] = []
  for (const plan of plans) {
    const { together, scoped, changes } = plan
    const writing = yield* writingOf(plan, inside)
    const all = [...deletesOf(plan, writing.current), ...changes.filter(({ verb }) => verb !== 'delete')]
    for (const change of byKey(plan, all).toSorted((a, b) => order[a.verb] - order[b.verb])) {
      const written = yield* locating(
        together,
        scoped.call,
        change.path,
        apply(writing, change),
        inside.failed,
      )
      if (written !== undefined) done.push(written)
    }
  }
  return done
}

/**
 * The order of keys, so that requests that write the same records lock them in the same order and do not wait for each other.
 * Records without a key follow in the order of the body.
 */
export const byKey = ({ together }: Plan, changes: readonly Change[]): readonly Change[] => {
  const texts = new Map(changes.map((change) => [change, change.key && keyText(together, change.key)]))
  return changes.toSorted((one, other) => {
    const [a, b] = [texts.get(one), texts.get(other)]
    if (a === b) return 0
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1
    return a < b ? -1 : 1
  })
}

const order: Readonly<Record<Change['verb'], number>> = { delete: 0, update: 1, replace: 1, create: 2 }

/** What the writes of a plan have in common. */
export interface Acting extends Pick<Whole, 'session' | 'endRetries'> {
  readonly plan: Plan
  /** The foreign key to the parent. */
  readonly parent: Row
  /** The caller's scope, and the parent. */
  readonly guard: Condition
  /** Called with the write that is refused. */
  readonly refused?: (write: Write, error: unknown) => void
  /** The error for a record that the guard no longer matches. @default a 404 */
  readonly missing?: () => Error
  /** Whether the records that are changed are locked, and were read under the lock. @default false */
  readonly isLocked?: boolean
}

interface Writing extends Inside, Acting {
  readonly store: RecordStore
  /** The existing records, while the lock on the parent makes other requests wait. */
  readonly current: Current
}

function* writingOf(plan: Plan, inside: Inside): Steps<Writing> {
  const { together, scoped, changes, isWhole } = plan
  const { target } = together
  const parent = foreignValues(together, inside.record)
  const store = inside.session.store(target.model)
  const keys = changes.flatMap(({ key }) => (key === undefined ? [] : [key]))
  const current =
    inside.isNew || (!isWhole && keys.length === 0)
      ? noRows
      : yield* currentOf(plan, parent, keys, store, target.maxChildren)
  return { ...inside, plan, store, parent, guard: both(scoped.guard, equalTo(parent)), current }
}

/** Those of the plan, and those of records that appeared since it was made. */
const deletesOf = ({ together, changes, isWhole }: Plan, { reached }: Current): readonly Change[] => {
  const planned = changes.filter(({ verb }) => verb === 'delete')
  if (!isWhole) return planned
  const textOf = ({ key }: Change): string => (key === undefined ? '' : keyText(together, key))
  const wanted = new Set(changes.filter(({ verb }) => verb !== 'delete').map(textOf))
  const known = new Map(planned.map((change) => [textOf(change), change]))
  const path = [together.relation.name]
  return [...reached]
    .filter(([text]) => !wanted.has(text))
    .map(([text, row]) => {
      const key = keyIn(together, row)
      return known.get(text) ?? { verb: 'delete', path, key, values: {}, sent: [], references: [] }
    })
}

function* apply(writing: Writing, change: Change): Steps<Done | undefined> {
  const { plan, current } = writing
  const { together } = plan
  const { key, verb } = change
  const row = key && current.rows.get(keyText(together, key))
  const isLink = together.relation.through !== undefined
  if (verb === 'create') {
    // Its values were read as those of a new child.
    if (row !== undefined && !isLink) throw outdated(writing)
    return row === undefined ? yield* create(writing, change) : undefined
  }
  // Its values were read as those of an existing child, and a retried request creates it.
  if (row === undefined && verb === 'replace' && isCreatable(together, key))
    throw new SourceError('contended')
  return yield* changed(writing, change, yield* wait(existing(together.target.model, row)))
}

/** The set has changed since the body was read. Only a repeated request reads it again. */
const outdated = ({ endRetries }: Inside): Error => {
  endRetries()
  return new SourceError('contended')
}

function* create(writing: Writing, change: Change): Steps<Done> {
  return yield* finish(writing, change, yield* newWrite(writing, change))
}

/** The write of a new record, whose hook has run. */
export function* newWrite(writing: Acting, change: Change): Steps<Write> {
  const { plan, parent, session } = writing
  const { target } = plan.together
  const { values, sent, seen } = change
  // The link existed when the plan was made, so the permission was not needed.
  if (seen !== undefined) yield* permit(target, 'create', plan.scoped, undefined, session)
  if (target.controller?.hooks.beforeCreate !== undefined) writing.endRetries()
  const body = { values: { ...values, ...parent }, sent }
  const stored = { ...(yield* beforeCreate(target, plan.scoped, body, session)), ...parent }
  assertReachable(target.model, stored)
  return { event: 'create', values: stored, sent, act: (records) => records.create(stored) }
}

/** Changes or deletes an existing record. */
export function* changed(writing: Acting, change: Change, row: Row): Steps<Done> {
  const { plan, session, guard } = writing
  const { target, part } = plan.together
  const { controller, model, source } = target
  const { verb, values, sent, seen } = change
  const { call } = plan.scoped
  const key = model.primaryKey.map((name) => ownValue(row, name))
  if (verb === 'delete') {
    // Its permission was not checked if it appeared since then.
    if (seen === undefined && needsCaller(target, 'delete')) assertCaller(call)
    yield* runHook(controller, 'beforeDelete', call, (hook) => {
      writing.endRetries()
      return hook(call.request, { ...row }, hookContext(session, call))
    })
    const act: Write['act'] = (records) =>
      matched(writing, key, records, deleted(target, key, guard, records))
    const locked = lockedRow(writing, row, controller?.hooks.beforeDelete)
    return yield* finish(writing, change, { event: 'delete', values: {}, sent: [], key, seen, locked, act })
  }
  if (controller?.hooks.beforeUpdate !== undefined) writing.endRetries()
  const complete = (given: Row): Row =>
    verb === 'replace' ? { ...absentFields({ model: part.model, source }, given), ...given } : given
  const all = yield* beforeUpdate(target, plan.scoped, { values, sent }, row, complete, session)
  const act: Write['act'] = (records) => matched(writing, key, records, records.update(key, all, guard))
  const locked = lockedRow(writing, row, controller?.hooks.beforeUpdate)
  return yield* finish(writing, change, { event: 'update', values: all, sent, key, seen, locked, act })
}

const matched = (
  { plan, guard, missing }: Acting,
  key: readonly unknown[],
  records: RecordStore,
  row: Awaitable<Row | undefined>,
): Awaitable<Row> =>
  changedRow(plan.together.target.model, row, () => {
    if (missing !== undefined) throw missing()
    return records.read(key, guard)
  })

/** A hook may have changed the record with statements of its own. */
const lockedRow = ({ isLocked }: Acting, row: Row, hook: unknown): Row | undefined =>
  isLocked === true && hook === undefined ? row : undefined

/** Runs the statement of a write, and the hook that follows it. */
export function* finish(
  { plan, session, endRetries, refused }: Acting,
  change: Pick<Change, 'references'>,
  write: Write,
): Steps<Done> {
  const { together, scoped } = plan
  const { target: resource } = together
  const stored = yield* noting(checkedWrite(resource, scoped, write, change.references, session), (error) =>
    refused?.(write, error),
  )
  if (hasAfterHook(resource, write.event)) endRetries()
  return { resource, write, written: yield* afterHook(resource, scoped, write.event, stored, session) }
}

function* noting<T>(steps: Steps<T>, refused: (error: unknown) => void): Steps<T> {
  try {
    return yield* steps
  } catch (error) {
    refused(error)
    throw error
  }
}
