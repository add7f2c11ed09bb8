import { HttpError } from '../error/errors.ts'
import type { Call } from '../operation/call.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Session } from '../source/source.ts'
import type { AnyAct } from './controller.ts'
import { hookContext } from './hooks.ts'
import type { Permitting } from './permissions.ts'

/** Whether a caller may do something: `depends` on the record. */
export type Answer = 'allowed' | 'refused' | 'depends'

/** Both must be allowed. */
export const bothAnswers = (one: Answer, other: Answer): Answer => {
  if (one === 'refused' || other === 'refused') return 'refused'
  return one === 'depends' || other === 'depends' ? 'depends' : 'allowed'
}

/** What a request would meet, as far as no record is needed. An error of the application refuses. */
export function* answerOf(
  { model, permissions, controller, undecided }: Permitting,
  act: AnyAct,
  {
    call,
    session,
    onRecord,
    needsCaller,
  }: {
    readonly call: Call
    readonly session: Session
    readonly onRecord: boolean
    /** An anonymous request is refused before the permission is asked. */
    readonly needsCaller: boolean
  },
): Steps<Answer> {
  if (needsCaller && call.caller === undefined) return 'refused'
  const permission = permissions[act]
  if (typeof permission === 'string' || (needsCaller && !onRecord)) return 'allowed'
  const unknown = onRecord ? unknownRecord() : undefined
  try {
    const may: unknown = yield* wait(permission(call.request, unknown?.record, hookContext(session, call)))
    if (unknown?.wasRead()) return 'depends'
    undecided(`the permission ${act} of ${model.name} (${controller?.place})`, act, may, call)
    return may === true ? 'allowed' : 'refused'
  } catch (error) {
    if (unknown?.wasRead()) return 'depends'
    if (!(error instanceof HttpError))
      call.log.error(
        `the permission ${act} of ${model.name} (${controller?.place}) failed, request ${call.requestId}`,
        error,
      )
    return 'refused'
  }
}

/** A record that nobody knows. Who reads it, or asks for its fields, gets an error. */
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
