import type { ScopedCall } from '../../controller/scope.ts'
import { HttpError } from '../../error/errors.ts'
import { withDeleted } from '../../model/soft-deletion.ts'
import { recordCreates } from '../../operation/audit.ts'
import type { Call, Reply } from '../../operation/call.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { everything } from '../../query/ast.ts'
import { type Session, SourceError } from '../../source/source.ts'
import { authorOf } from '../audit.ts'
import { hasAfterHook } from '../checked-write.ts'
import { JSON_TYPE, shownAsStored, type Write } from '../record.ts'
import { areInReach } from '../references.ts'
import { noContent } from '../replies.ts'
import type { Resource } from '../resource.ts'
import { created } from '../together/changes.ts'
import { isState, locating } from '../together/errors.ts'
import type { Change, Plan } from '../together/plan.ts'
import { type Acting, type Done, finish, newWrite, type Whole } from '../together/write.ts'
import { afterCommitsOf } from '../transaction.ts'
import { areStoredInScope } from './in-scope.ts'
import { assertMany, elementsOf, planOf, readAll, recordsOf, writingMany } from './records.ts'
import { shownText } from './shown.ts'

/** The records of an array, as they will be stored. */
export interface NewRecords {
  readonly changes: readonly Omit<Change, 'references'>[]
}

/** The JSON of records that are stored. `undefined`: the caller may not read them. */
export interface StoredRecords {
  readonly text: string | undefined
}

/** How `POST` reads, stores and shows an array of new records. */
export interface CreatingMany {
  /** @throws HttpError 400 for an empty or long array; 422 with pointers */
  readonly read: (sent: readonly unknown[], scoped: ScopedCall) => Steps<NewRecords>
  readonly store: (given: NewRecords, scoped: ScopedCall) => Steps<StoredRecords>
  readonly reply: (stored: StoredRecords, call: Call) => Reply
}

export const creatingMany = (resource: Resource): CreatingMany => ({
  *read(sent, scoped) {
    assertMany(resource, sent)
    const together = recordsOf(resource)
    const changes = yield* readAll(resource, scoped, elementsOf('create', sent), function* (element, issues) {
      const values = yield* created({ together, scoped, parent: {}, issues }, element)
      return values && { verb: 'create' as const, path: element.path, ...values }
    })
    return { changes }
  },
  *store({ changes }, scoped) {
    const done = yield* storeAll(resource, yield* planOf(resource, scoped, changes))
    afterCommitsOf(done, scoped)
    return { text: yield* shownText(resource, scoped, done) }
  },
  reply: ({ text }) =>
    text === undefined ? noContent : { status: 201, headers: { 'content-type': JSON_TYPE }, body: text },
})

/** A new record, whose hook has run. */
interface Prepared {
  readonly change: Change
  readonly write: Write
}

type Refused = NonNullable<Acting['refused']>

class OutOfScope extends Error {
  override readonly name: string = 'OutOfScope'
}

/**
 * Stores all records in few statements. If that is refused, the transaction is repeated with a statement for each record, to find the
 * one that is refused.
 */
function* storeAll(resource: Resource, plan: Plan): Steps<readonly Done[]> {
  const isHooked = resource.controller?.hooks.beforeCreate !== undefined
  let prepared: readonly Prepared[] | undefined
  const { scoped } = plan
  const work = function* (whole: Whole, refused: Refused): Steps<readonly Done[]> {
    prepared = undefined
    const acting = actingIn(plan, whole)
    const isTogether = whole.session.store(resource.model).createMany !== undefined
    if (!isTogether || hasAfterHook(resource, 'create')) return yield* storeEach(plan, whole, refused)
    const ready: Prepared[] = []
    for (const change of plan.changes) ready.push({ change, write: yield* prepare(acting, change, whole) })
    const referring = ready.map(({ change, write }) => ({ ...change, ...write }))
    // One of the foreign keys is missing, or is known only once its record is stored.
    if (!(yield* areInReach(referring, whole.session))) return yield* storeEach(plan, whole, refused, ready)
    prepared = ready
    return yield* storeTogether(resource, plan, ready, whole.session)
  }
  try {
    return yield* writingMany(resource, scoped, work)
  } catch (error) {
    if (prepared === undefined || !isRefusal(error)) throw error
  }
  const ready: readonly Prepared[] = prepared
  return yield* writingMany(resource, scoped, function* (whole, refused) {
    const done = yield* storeEach(plan, whole, refused, ready)
    if (!isHooked) return done
    // The statements of the hooks were rolled back, and hooks run once.
    whole.endRetries()
    throw new SourceError('contended')
  })
}

/** Whether one of the records is refused: by the scope, by the audit log, or by the database. */
const isRefusal = (error: unknown): boolean =>
  error instanceof OutOfScope ||
  error instanceof HttpError ||
  (error instanceof SourceError && !isState(error))

const actingIn = (plan: Plan, { session, endRetries }: Whole): Acting => ({
  ...{ plan, session, endRetries, parent: {} },
  guard: plan.scoped.guard,
})

function* prepare(acting: Acting, change: Change, { failed }: Whole): Steps<Write> {
  const { together, scoped } = acting.plan
  return yield* locating(together, scoped.call, change.path, newWrite(acting, change), failed)
}

/** @param ready the records whose hooks have run already. @default none */
function* storeEach(
  plan: Plan,
  whole: Whole,
  refused: Refused,
  ready: readonly Prepared[] = [],
): Steps<readonly Done[]> {
  const { together, scoped, changes } = plan
  const acting = { ...actingIn(plan, whole), refused }
  const done: Done[] = []
  for (const [at, change] of changes.entries()) {
    const write = ready[at]?.write ?? (yield* prepare(acting, change, whole))
    const steps = finish(acting, change, write)
    done.push(yield* locating(together, scoped.call, change.path, steps, whole.failed))
  }
  return done
}

/** @throws OutOfScope if one of the records is */
function* storeTogether(
  resource: Resource,
  { scoped }: Plan,
  ready: readonly Prepared[],
  session: Session,
): Steps<readonly Done[]> {
  const { guard } = scoped
  const store = session.store(resource.model)
  if (store.createMany === undefined) throw new Error(`${resource.model.name} cannot be stored together.`)
  const rows = yield* wait(store.createMany(ready.map(({ write }) => write.values)))
  // A hook may create records that are deleted softly.
  const all = session.store(withDeleted(resource.model))
  if (guard !== everything && !(yield* areStoredInScope(resource, rows, guard, all))) throw new OutOfScope()
  if (resource.audited !== undefined)
    yield* recordCreates(resource.audited, authorOf(resource.audited, scoped), rows, session)
  return ready.map(({ write }, at) => ({ resource, write, written: shownAsStored(rows[at] ?? {}) }))
}
