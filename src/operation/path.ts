import { type Condition, everything } from '../query/ast.ts'
import type { Call, Reply } from './call.ts'
import { assertAcceptable, assertBodyHead } from './head.ts'
import type { BodyShape, Operation } from './operation.ts'
import { pullBody, type Steps, wait } from './steps.ts'

/** What one kind of request does at each station of the path. */
export interface Act<Asked, Found, Input, Outcome> {
  /** The media type of the reply. Absent: it has no body. */
  readonly mediaType?: string
  readonly body?: BodyShape
  /** Reads path and query parameters. */
  readonly ask: (call: Call) => Asked
  /** Finds the record that the request is about, where that must be known before the body is read. */
  readonly find: (asked: Asked, guard: Condition) => Steps<Found>
  /** Reads the body and checks it against the schema. */
  readonly validate: (bytes: Uint8Array, found: Found) => Input
  /** Does what was asked. */
  readonly act: (asked: Asked, input: Input, guard: Condition, found: Found) => Steps<Outcome>
  readonly reply: (outcome: Outcome, call: Call, asked: Asked) => Reply
}

const noBytes = new Uint8Array()

/**
 * The one path of every request that acts on records: its head, the record where it is needed, the body, the schema,
 * the act, the reply. Nothing of a body is read before everything that can be refused without it was refused.
 */
export const takePath = <Asked, Found, Input, Outcome>(
  act: Act<Asked, Found, Input, Outcome>,
): Operation['run'] =>
  function* (call): Steps<Reply> {
    if (act.mediaType !== undefined) assertAcceptable(call, act.mediaType)
    if (act.body !== undefined) assertBodyHead(call, act.body)
    const asked = act.ask(call)
    const guard = everything
    const found = yield* act.find(asked, guard)
    const bytes = act.body === undefined ? noBytes : yield* pullBody()
    const input = act.validate(bytes, found)
    const outcome = yield* act.act(asked, input, guard, found)
    return act.reply(outcome, call, asked)
  }

/** For acts that need no record before their body. */
export const nothing = (): Steps<undefined> => wait(undefined)

/** For acts without a body. */
export const noBody = (): undefined => undefined
