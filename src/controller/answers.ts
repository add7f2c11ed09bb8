import { HttpError } from '../error/errors.ts'
import type { Call } from '../operation/call.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Session } from '../source/source.ts'
import type { AnyAct } from './controller.ts'
import { hookContext } from './hooks.ts'
import type { ActPermissions, Permitting } from './permissions.ts'

/** Whether a caller may do something: `depends` on the record. */
export type PermissionAnswer = 'allowed' | 'refused' | 'depends'

/** Both must be allowed. */
export const bothAnswers = (one: PermissionAnswer, other: PermissionAnswer): PermissionAnswer => {
  if (one === 'refused' || other === 'refused') return 'refused'
  return one === 'depends' || other === 'depends' ? 'depends' : 'allowed'
}

interface Asking {
  readonly call: Call
  readonly session: Session
  readonly onRecord: boolean
  /** An anonymous request is refused before the permission is asked. */
  readonly needsCaller: boolean
}

/** Asks each permission function once for a request, however many acts share it. */
export const answering = () => {
  const [onRecords, onNone] = [new Map<unknown, PermissionAnswer>(), new Map<unknown, PermissionAnswer>()]
  /** What a request would meet, as far as no record is needed. An error of the application refuses. */
  return function* (permitting: Permitting, act: AnyAct, asking: Asking): Steps<PermissionAnswer> {
    const { call, onRecord, needsCaller } = asking
    if (needsCaller && call.caller === undefined) return 'refused'
    const permission = permitting.permissions[act]
    if (typeof permission === 'string' || (needsCaller && !onRecord)) return 'allowed'
    const answers = onRecord ? onRecords : onNone
    const answer = answers.get(permission) ?? (yield* answerOf(permitting, permission, act, asking))
    answers.set(permission, answer)
    return answer
  }
}

function* answerOf(
  { model, controller, undecided }: Permitting,
  permission: PermissionFunction,
  act: AnyAct,
  { call, session, onRecord }: Asking,
): Steps<PermissionAnswer> {
  const unknown = onRecord ? unknownRecord() : undefined
  const title = `the permission ${act} of ${model.name} (${controller?.place})`
  try {
    const may: unknown = yield* wait(permission(call.request, unknown?.record, hookContext(session, call)))
    if (unknown?.wasRead()) return 'depends'
    undecided(title, act, may, call)
    return may === true ? 'allowed' : 'refused'
  } catch (error) {
    if (unknown?.wasRead()) return 'depends'
    if (!(error instanceof HttpError)) call.log.error(`${title} failed, request ${call.requestId}`, error)
    return 'refused'
  }
}

type PermissionFunction = Exclude<ActPermissions[AnyAct], string>

/** A record without values: reading it, or asking for its fields, throws. */
const unknownRecord = () => {
  let read = false
  const asked = (): never => {
    read = true
    throw new Error('This permission depends on the record.')
  }
  const record: Record<string, unknown> = new Proxy(
    {},
    {
      ...{ get: asked, has: asked, ownKeys: asked, getOwnPropertyDescriptor: asked },
      ...{ set: asked, deleteProperty: asked, defineProperty: asked, getPrototypeOf: asked },
    },
  )
  return { record, wasRead: () => read }
}
