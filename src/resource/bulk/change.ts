import type { ScopedCall } from '../../controller/scope.ts'
import { ownValue } from '../../model/objects.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { both } from '../../query/ast.ts'
import type { Resource } from '../resource.ts'
import { permit } from '../together/changes.ts'
import { locating } from '../together/errors.ts'
import type { Change, Plan } from '../together/plan.ts'
import { type Acting, byKey, changed, type Done, type Whole } from '../together/write.ts'
import { afterCommitsOf } from '../transaction.ts'
import type { Matching } from './matching.ts'
import { planOf, recordsOf, writingMany } from './records.ts'

/** Changes the records of an array, and returns the writes in the order of the array. */
export function* changeEach(
  resource: Resource,
  scoped: ScopedCall,
  changes: readonly Omit<Change, 'references'>[],
): Steps<readonly Done[]> {
  const plan = yield* planOf(resource, scoped, changes)
  const done = yield* writingMany(resource, scoped, function* ({ session, endRetries, failed }, refused) {
    const acting: Acting = { plan, session, endRetries, parent: {}, guard: scoped.guard, refused }
    const written = new Map<Change, Done>()
    for (const change of byKey(plan, plan.changes)) {
      const steps = changed(acting, change, change.seen ?? {})
      written.set(change, yield* locating(plan.together, scoped.call, change.path, steps, failed))
    }
    return plan.changes.flatMap((change) => written.get(change) ?? [])
  })
  afterCommitsOf(done, scoped)
  return done
}

/** What happens to all records that match. */
export type MatchingChange = Pick<Change, 'verb' | 'values' | 'sent'>

/** Changes or deletes the records that match, and returns how many. A record that has changed and no longer matches stays. */
export function* changeMatching(
  resource: Resource,
  scoped: ScopedCall,
  { filter, rows, isKept }: Matching,
  what: MatchingChange,
): Steps<number> {
  const { model } = resource
  const together = recordsOf(resource)
  if (isKept)
    for (const row of rows)
      yield* locating(together, scoped.call, [], permit(resource, what.verb, scoped, row))
  const changes = rows.map((row) => ({
    ...{ ...what, path: [], key: model.primaryKey.map((name) => ownValue(row, name)) },
    ...(isKept && { seen: row }),
  }))
  const plan = yield* planOf(resource, scoped, changes)
  const guard = both(scoped.guard, filter)
  const { count, done } = yield* writingMany(resource, scoped, (whole, refused) =>
    eachMatching(plan, { guard, refused }, isKept, whole),
  )
  afterCommitsOf(done, scoped)
  return count
}

function* eachMatching(
  plan: Plan,
  { guard, refused }: Required<Pick<Acting, 'guard' | 'refused'>>,
  isKept: boolean,
  { session, endRetries, failed }: Whole,
): Steps<{ readonly count: number; readonly done: readonly Done[] }> {
  const { together, scoped } = plan
  const missing = (): Error => new NoLongerMatching()
  const acting: Acting = {
    ...{ plan, session, endRetries, parent: {}, guard, missing },
    refused: (write, error) => {
      if (!(error instanceof NoLongerMatching)) refused(write, error)
    },
  }
  const { target } = together
  const { model } = target
  const store = session.store(model)
  const done: Done[] = []
  let count = 0
  for (const change of byKey(plan, plan.changes)) {
    const key = change.key ?? []
    const isRead = isKept || needsRecord(target, change.verb)
    const row = isRead
      ? yield* wait(store.read(key, guard, 'lock'))
      : Object.fromEntries(model.primaryKey.map((name, at) => [name, key[at]]))
    if (row === undefined) continue
    const steps = changed({ ...acting, isLocked: isRead }, change, row)
    const written = yield* locating(together, scoped.call, change.path, ifMatching(steps), failed)
    if (written === undefined) continue
    count += 1
    // All of them at once would need much memory.
    if (isKept) done.push(written)
  }
  return { count, done }
}

/** Whether something needs more of a record than its key before the statement. The statement checks the filter itself. */
const needsRecord = ({ controller, audited }: Resource, verb: Change['verb']): boolean =>
  verb === 'delete'
    ? controller?.hooks.beforeDelete !== undefined
    : controller?.hooks.beforeUpdate !== undefined || audited !== undefined

class NoLongerMatching extends Error {
  override readonly name: string = 'NoLongerMatching'
}

function* ifMatching<T>(steps: Steps<T>): Steps<T | undefined> {
  try {
    return yield* steps
  } catch (error) {
    if (error instanceof NoLongerMatching) return undefined
    throw error
  }
}
