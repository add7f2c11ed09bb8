import { HttpError } from '../error/errors.ts'
import type { Call } from '../operation/call.ts'
import type { Steps } from '../operation/steps.ts'
import type { Session } from '../source/source.ts'
import type { AnyAct } from './controller.ts'
import { askedOf, needsCaller, type PermissionFunction, type Permitting } from './permissions.ts'

/** Whether a caller may do something: `depends` on the record. */
export type PermissionAnswer = 'allowed' | 'refused' | 'depends'

/** Both must be allowed. */
export const bothAnswers = (one: PermissionAnswer, other: PermissionAnswer): PermissionAnswer => {
  if (one === 'refused' || other === 'refused') return 'refused'
  return one === 'depends' || other === 'depends' ? 'depends' : 'allowed'
}

interface Asked {
  readonly act: AnyAct
  readonly onRecord: boolean
}

export type Ask = (permitting: Permitting, asked: Asked) => Steps<PermissionAnswer>

/** Answers what a request would meet, as far as no record is needed. It asks each function once, with and without a record. */
export const answering = (call: Call, session: Session): Ask => {
  const [onRecords, onNone] = [new Map<unknown, PermissionAnswer>(), new Map<unknown, PermissionAnswer>()]
  return function* (permitting, { act, onRecord }) {
    const permission = permitting.permissions[act]
    if (needsCaller(permitting, act) && call.caller === undefined) return 'refused'
    if (typeof permission === 'string') return 'allowed'
    const answers = onRecord ? onRecords : onNone
    const answer =
      answers.get(permission) ??
      (yield* answerOf(permitting, { act, permission, onRecord }, { call, session }))
    answers.set(permission, answer)
    return answer
  }
}

/** Logs an error of the application, unless the request has had one before. */
export const reportingFirst = (call: Call): ((error: unknown) => void) => {
  const isFirst = call.failure === undefined
  return (error) => {
    if (isFirst && !(error instanceof HttpError))
      call.log.error(`${call.failure?.place} failed, request ${call.requestId}`, error)
  }
}

/** An error of the application refuses. */
function* answerOf(
  permitting: Permitting,
  { act, permission, onRecord }: Asked & { readonly permission: PermissionFunction },
  { call, session }: { readonly call: Call; readonly session: Session },
): Steps<PermissionAnswer> {
  const unknown = onRecord ? unknownRecord() : undefined
  const report = reportingFirst(call)
  const undecided: Permitting['undecided'] = (...report) => {
    if (!unknown?.wasRead()) permitting.undecided(...report)
  }
  try {
    const may = yield* askedOf(
      { ...permitting, undecided },
      { act, permission },
      { call, session, ...(unknown && { record: unknown.record }) },
    )
    if (unknown?.wasRead()) return 'depends'
    return may ? 'allowed' : 'refused'
  } catch (error) {
    if (unknown?.wasRead() || isNotCopied(error)) return 'depends'
    report(error)
    return 'refused'
  }
}

/** What `structuredClone` throws for such a record. */
const isNotCopied = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'DataCloneError'

/** A record whose values are all undefined, and that knows whether it was read. It never throws: what reads it may not be awaited. */
const unknownRecord = () => {
  let read = false
  const noted =
    <T>(value: T) =>
    (): T => {
      read = true
      return value
    }
  const [none, nothing] = [noted(undefined), noted(false)]
  const record: Readonly<Record<string, unknown>> = new Proxy(
    {},
    {
      ...{ get: none, getOwnPropertyDescriptor: none, has: nothing, ownKeys: noted([]) },
      ...{ set: noted(true), deleteProperty: noted(true), defineProperty: noted(true) },
    },
  )
  return { record, wasRead: () => read }
}
