import { isDeepStrictEqual } from 'node:util'
import { hookContext } from '../../controller/hooks.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { isRecord } from '../../error/record.ts'
import { capital } from '../../model/naming.ts'
import { deepCopy, isPromise, ownValue } from '../../model/objects.ts'
import { failedIn } from '../../operation/call.ts'
import { skip } from '../../operation/path.ts'
import { withStamps } from '../../operation/stamps.ts'
import { PromiseRefused, type Steps, wait } from '../../operation/steps.ts'
import { inTransaction } from '../../operation/transaction.ts'
import type { Row, Session } from '../../source/source.ts'
import type { ModelAction } from '../parts/declared.ts'
import { existing } from '../parts/record.ts'
import type { CallerAccess, ModelRecords, Resource, WriteTarget } from '../parts/resource.ts'
import type { Shown } from '../show/replies.ts'
import { type Change, nothingSent, type Stored } from '../write/change.ts'
import { authoriseChanged, permittedWrite } from '../write/checked.ts'
import { boundReferences } from '../write/references.ts'
import { afterCommits, shownToCaller, transacted } from '../write/run.ts'

/** What the response shows: a stored record, the JSON of an output, or nothing. */
export type Outcome = { readonly shown: Shown } | { readonly text: string } | undefined

interface OnCollection {
  readonly input: unknown
  readonly scoped: ScopedCall
}

interface OnRecord extends OnCollection {
  readonly key: readonly unknown[]
  /** The record that the permission function got, if there is one. */
  readonly seen: Row | undefined
}

/** Records on which an action runs. */
export interface ActedOn {
  readonly target: WriteTarget
  /** The permission of the action takes the place of that of a write. */
  readonly own: CallerAccess
}

export const runOnCollection = (
  records: ModelRecords,
  action: ModelAction,
  { input, scoped }: OnCollection,
): Steps<Outcome> =>
  inTransaction(records, function* (session): Steps<Outcome> {
    const given = yield* runAction(action, scoped, [undefined, input], session)
    if (action.output !== undefined) return { text: yield* outputText(action, scoped, given) }
    if (given !== undefined) throw unusable(action, scoped, 'must return nothing, because it has no output.')
    return undefined
  })

/**
 * Runs an action with its record locked. What it returns is stored like a PATCH of the application itself: without the hooks of
 * an update, but with its checks.
 */
export function* runOnRecord(
  { target, own }: ActedOn,
  action: ModelAction,
  { key, input, scoped, seen }: OnRecord,
): Steps<Outcome> {
  const { model, access, records } = target
  if (seen !== undefined) yield* action.own?.before?.(seen, scoped.call) ?? skip()
  const fields = model.fields.map(({ name }) => name)
  // Scopes run before the transaction, so before the result is known.
  const bound = action.output === undefined ? yield* boundReferences(access, scoped, { fields }) : []
  const done = yield* transacted(records, function* (transaction): Steps<Done> {
    const { session } = transaction
    const inside = records.inside(session)
    const record = yield* wait(existing(model, inside.lock(scoped, key)))
    yield* authoriseChanged(own, scoped, transaction, { verb: 'update', seen }, record)
    const given = yield* runAction(action, scoped, [deepCopy({ ...record }) as Row, input], session)
    if (action.output !== undefined) return { text: yield* outputText(action, scoped, given) }
    if (given === undefined) {
      // The action may have changed the record with statements of its own, or deleted it.
      const left = yield* wait(inside.read(scoped, key))
      return left && { record: left, shown: left }
    }
    const returned = valuesIn(target, action, scoped, given, record)
    const kept =
      action.toStore === undefined ? returned : yield* action.toStore(returned, record, session, scoped.call)
    const values = model.stamps === undefined ? kept : withStamps(model, scoped.call, 'update', kept)
    const references = bound.filter(({ relation }) =>
      relation.fields.some((name) => Object.hasOwn(values, name)),
    )
    const change: Change = {
      ...{ ...nothingSent, verb: 'update', path: [], key, values },
      ...{ seen: record, locked: record, references },
    }
    return yield* permittedWrite({ target, scoped, transaction }, change)
  })
  if (done === undefined || 'text' in done) return done
  if ('change' in done) afterCommits([done], scoped)
  yield* action.own?.after(done.record, scoped.call) ?? skip()
  return { shown: yield* shownToCaller(target, scoped, done) }
}

/** What the transaction of an action has done: a text to show, a write, or only statements of the action. */
type Done = { readonly text: string } | Stored | Shown | undefined

function* runAction(
  action: ModelAction,
  { call }: ScopedCall,
  [record, input]: readonly [Row | undefined, unknown],
  session: Session,
): Steps<unknown> {
  const { run, title } = action
  try {
    return yield* wait(run(call.request, record, input as never, hookContext(session, call)))
  } catch (error) {
    const cause = error instanceof PromiseRefused ? promiseReturned(title, error) : error
    throw failedIn(call, title, cause)
  }
}

const promiseReturned = (title: string, cause: PromiseRefused): Error =>
  new Error(
    `${capital(title)} returned a promise, but a transaction of a synchronous driver cannot wait for it. Nothing was stored: write run without async, and move asynchronous work to afterCommit.`,
    { cause },
  )

/** The values to store: those that differ from the record, so that an action may return the whole record, changed in place. */
const valuesIn = (
  { model, bodies: { columns } }: Pick<Resource, 'model' | 'bodies'>,
  action: ModelAction,
  scoped: ScopedCall,
  given: unknown,
  record: Row,
): Row => {
  if (!isRecord(given) || isPromise(given))
    throw unusable(action, scoped, 'must return the values to store, or nothing.')
  const changed = Object.entries(given).filter(
    ([name, value]) => !isDeepStrictEqual(value, ownValue(record, name)),
  )
  const key = changed.find(([name, value]) => value !== undefined && model.primaryKey.includes(name))
  if (key !== undefined)
    throw unusable(action, scoped, `returned another ${key[0]}, but the key of a record cannot change.`)
  try {
    return columns.update.parse(Object.fromEntries(changed))
  } catch (error) {
    throw failedIn(scoped.call, action.title, error)
  }
}

/** As text inside the transaction: a value that cannot be shown rolls back what the action did. */
function* outputText(action: ModelAction, { call }: ScopedCall, given: unknown): Steps<string> {
  try {
    const text: unknown = JSON.stringify(yield* wait(action.output?.readOwn(given)))
    if (typeof text === 'string') return text
  } catch (error) {
    throw failedIn(call, action.title, error)
  }
  throw unusable(action, { call }, 'returned a value that is not JSON.')
}

const unusable = ({ title }: ModelAction, { call }: Pick<ScopedCall, 'call'>, rule: string): unknown =>
  failedIn(call, title, new Error(`${capital(title)} ${rule}`))
