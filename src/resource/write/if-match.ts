import type { ScopedCall } from '../../controller/scope.ts'
import { problem } from '../../error/errors.ts'
import { kinds } from '../../model/kinds/index.ts'
import { type Field, versionField } from '../../model/model.ts'
import { isCounter } from '../../model/version.ts'
import type { Call } from '../../operation/call.ts'
import { assertNoOthers, sentTags } from '../../operation/preconditions.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { type Condition, everything } from '../../query/ast.ts'
import type { Capabilities, Row } from '../../source/source.ts'
import { existing, mayRead } from '../parts/record.ts'
import type { Resource } from '../parts/resource.ts'
import { stateIn, stateOf } from '../show/replies.ts'
import type { Change, Match } from './change.ts'

const canLock = ({ transactions, rowLocks }: Capabilities): boolean =>
  transactions === true && rowLocks === true

/**
 * Reads `If-Match`. `undefined`: the write is not conditional, or on any existing record.
 *
 * @throws HttpError 400 for headers that it does not support; 428 if the model requires `If-Match`
 */
export const matchOf = (
  resource: Pick<Resource, 'model' | 'records' | 'bodies'>,
  call: Call,
): Match | undefined => {
  const { model } = resource
  const { source } = resource.records
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
export function* assertMatchAllowed(
  { model, access, records }: Pick<Resource, 'model' | 'access' | 'records'>,
  scoped: ScopedCall,
  { match, key = [], seen }: Pick<Change, 'match' | 'key' | 'seen'>,
): Steps<void> {
  const { permissions } = access
  if (match === undefined || model.version !== undefined || permissions.read === 'public') return
  const stored = seen ?? (yield* wait(existing(model, records.read(scoped, key))))
  assertMatch(match, stored)
  if (!(yield* mayRead(access, scoped, stored))) throw changed()
}

/** The condition of the statement. `undefined`: there is none, or the record was compared under a lock. */
export const matchCondition = (match: Match | undefined): Condition | undefined =>
  needsLock(match) ? undefined : match?.condition
