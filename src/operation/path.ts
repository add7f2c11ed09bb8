import type { ByteSource } from './byte-source.ts'
import type { Call, Reply } from './call.ts'
import { assertAcceptable, assertBodyHead, isForm } from './head.ts'
import type { BodyShape, Operation } from './operation.ts'
import { pullBody, pullStream, type Steps, wait } from './steps.ts'

/** What one kind of request does at each station of the path. */
export interface Act<Asked, Visit, Found, Input, Outcome> {
  /** The media type of the reply. Absent: it has no body. */
  readonly mediaType?: string
  readonly body?: BodyShape
  /** Reads path and query parameters. */
  readonly ask: (call: Call) => Asked
  /** Finds out what the caller may reach. */
  readonly enter: (call: Call) => Steps<Visit>
  /** Finds the record that the request is about, where that must be known before the body is read. */
  readonly find: (asked: Asked, visit: Visit) => Steps<Found>
  /** Reads the body and checks it against the schema. */
  readonly validate: (bytes: Uint8Array, visit: Visit, found: Found) => Steps<Input>
  /** Reads the body as it arrives, and checks it against the schema, where it is a form. Absent: it takes no forms. */
  readonly receive?: (source: ByteSource, call: Call, visit: Visit, found: Found) => Steps<Input>
  /** Does what was asked. */
  readonly act: (asked: Asked, input: Input, visit: Visit, found: Found) => Steps<Outcome>
  readonly reply: (outcome: Outcome, call: Call) => Reply
}

const noBytes = new Uint8Array()

/**
 * The one path of every request that acts on records: its head, whom it may reach, the record where it is needed, the
 * body, the schema, the act, the reply. Nothing of a body is read before everything that can be refused without it was
 * refused.
 */
export const takePath = <Asked, Visit, Found, Input, Outcome>(
  act: Act<Asked, Visit, Found, Input, Outcome>,
): Operation['run'] =>
  function* (call): Steps<Reply> {
    if (act.mediaType !== undefined) assertAcceptable(call, act.mediaType)
    if (act.body !== undefined) assertBodyHead(call, act.body)
    const asked = act.ask(call)
    const visit = yield* act.enter(call)
    const found = yield* act.find(asked, visit)
    const input = yield* inputOf(act, call, visit, found)
    const outcome = yield* act.act(asked, input, visit, found)
    return act.reply(outcome, call)
  }

function* inputOf<Asked, Visit, Found, Input, Outcome>(
  act: Act<Asked, Visit, Found, Input, Outcome>,
  call: Call,
  visit: Visit,
  found: Found,
): Steps<Input> {
  const { body, receive } = act
  if (body === undefined) return yield* act.validate(noBytes, visit, found)
  if (body.form !== undefined && receive !== undefined && isForm(call))
    return yield* receive(yield* pullStream(), call, visit, found)
  const bytes = yield* pullBody()
  if (call.confirm !== undefined) yield* call.confirm()
  return yield* act.validate(bytes, visit, found)
}

/** For acts that need no record before their body, or have no body. */
export const nothing = (): Steps<undefined> => wait(undefined)
