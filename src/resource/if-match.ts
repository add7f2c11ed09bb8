import type { ScopedCall } from '../controller/scope.ts'
import { problem } from '../error/errors.ts'
import { kinds } from '../model/kinds/index.ts'
import { type Field, versionField } from '../model/model.ts'
import { after } from '../model/objects.ts'
import { isCounter } from '../model/version.ts'
import type { Call } from '../operation/call.ts'
import { assertNoOthers, sentTags } from '../operation/preconditions.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { both, type Condition, everything } from '../query/ast.ts'
import type { Awaitable, Capabilities, RecordStore, Row } from '../source/source.ts'
import { stateIn, stateOf } from './entity-tag.ts'
import { changedRow, existing, type Match, mayRead, type Write } from './record.ts'
import type { Resource } from './resource.ts'

const canLock = ({ transactions, rowLocks }: Capabilities): boolean =>
  transactions === true && rowLocks === true

/**
 * Reads `If-Match`. `undefined`: the write is not conditional, or on any existing record.
 *
 * @throws HttpError 400 for headers that it does not support; 428 if the model requires `If-Match`
 */
export const matchOf = (resource: Resource, call: Call): Match | undefined => {
  const { model, source } = resource
  assertNoOthers(call, ['if-match'])
  const sent = sentTags(call, 'if-match')
  if (sent === undefined && model.requireIfMatch === true)
    throw problem(
      'precondition_required',
      `To change ${model.name}, send If-Match with the ETag of the record that you have read.`,
    )
  if (sent === undefined || sent === '*') return undefined
  // Strong comparison (RFC 9110, 13.1.1): a weak tag matches nothing.
  const states = new Set(sent.filter(({ isWeak }) => !isWeak).map(({ text }) => stateIn(text)))
  states.delete('')
  const field = versionField(model)
  const counter = field !== undefined && isCounter(field) ? field : undefined
  if (counter === undefined && !canLock(source.capabilities))
    throw problem(
      'unsupported_header',
      `If-Match is not supported for ${model.name}, because its database connection cannot lock records.`,
    )
  return {
    condition: counter === undefined ? everything : amongStates(counter, states),
    isMet: (stored) => states.has(stateOf(resource, stored)),
  }
}

const amongStates = (field: Field, states: ReadonlySet<string>): Condition => {
  const { readText, write } = kinds[field.kind]
  const values = [...states].flatMap((state) => {
    const reading = readText(state, field)
    return reading.ok && String(write(reading.value, field)) === state ? [reading.value] : []
  })
  const [value, another] = values
  if (value === undefined) return { op: 'or', conditions: [] }
  return another === undefined
    ? { op: 'eq', field: field.name, value }
    : { op: 'in', field: field.name, values }
}

/** Whether the record must be locked and compared before it is written. */
export const needsLock = (match: Match | undefined): boolean => match?.condition === everything

/** @throws HttpError 412 */
export const assertMatch = (match: Match | undefined, stored: Row): void => {
  if (match !== undefined && !match.isMet(stored)) throw changed()
}

const changed = (): Error =>
  problem(
    'precondition_failed',
    'Others changed the record after you had read it. Read it again, then repeat the change.',
  )

/**
 * Callers who may not read a record could otherwise guess its values, whose hash is its tag.
 *
 * @param seen the record, if it was read before
 * @throws HttpError 404, 412
 */
export function* assertKnown(
  resource: Resource,
  scoped: ScopedCall,
  { match, key = [], seen }: Pick<Write, 'match' | 'key' | 'seen'>,
): Steps<void> {
  const { model, store, permissions } = resource
  if (match === undefined || model.version !== undefined || permissions.read === 'public') return
  const stored = seen ?? (yield* wait(existing(model, store.read(key, scoped.guard))))
  assertMatch(match, stored)
  if (!(yield* mayRead(resource, scoped, stored))) throw changed()
}

/** The statement of a write on the record with this key. @throws HttpError 404, 412 */
export const onMatch =
  (
    { model }: Resource,
    { key, guard, match }: { key: readonly unknown[]; guard: Condition; match: Match | undefined },
    run: (records: RecordStore, guard: Condition) => Awaitable<Row | undefined>,
  ): Write['act'] =>
  (records) => {
    const left = () => records.read(key, guard)
    if (match === undefined || needsLock(match)) return changedRow(model, run(records, guard), left)
    return changedRow(model, run(records, both(guard, match.condition)), () =>
      after(left(), (stored) => {
        if (stored !== undefined) assertMatch(match, stored)
        return stored
      }),
    )
  }
