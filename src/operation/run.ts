import type { ProblemCode } from '../error/codes.ts'
import type { Reply } from './call.ts'
import { Ahead, BODY, type ByteSource, promiseRefusal, resumeAfter, STREAM, type Steps } from './steps.ts'

/** What a client gets in place of a reply of the operation. */
export interface Instead {
  /** `undefined`: nothing, as it has gone. */
  readonly status: number | undefined
  readonly code?: ProblemCode
}

/** It goes on to `Next` with all of the body, once that is there. */
export interface WantsBytes<Next> {
  readonly wants: 'bytes'
  readonly resume: (body: Uint8Array) => Next | Promise<Next>
  /** Told what the client gets instead where the body never comes. Absent: nobody wants to know. */
  readonly dropped?: (instead: Instead) => void
}

/** It goes on to `Next` with the body as it arrives. */
export interface WantsStream<Next> {
  readonly wants: 'stream'
  readonly resume: (body: ByteSource) => Next | Promise<Next>
  /** Told what the client gets instead where the body never comes. Absent: nobody wants to know. */
  readonly dropped?: (instead: Instead) => void
}

/** Where an operation stands: it has replied, or it asks for the body and goes on with that. */
export type Progress = { readonly reply: Reply } | WantsBytes<Progress> | WantsStream<Progress>

/** Runs an operation until it replies or asks for the body. */
export type Runner = (steps: Steps<Reply>) => Progress | Promise<Progress>

/** Awaits what is yielded. An operation that never waits is run to its end in the same tick. */
export const runAsync: Runner = (steps) => advance(steps, steps.next())

const advance = (steps: Steps<Reply>, at: IteratorResult<unknown, Reply>): Progress | Promise<Progress> => {
  if (at.done) return { reply: at.value }
  if (isForBody(at.value)) return waiting(at.value, (body) => advance(steps, steps.next(body)))
  return awaitAndAdvance(steps, at.value)
}

const awaitAndAdvance = async (steps: Steps<Reply>, waited: unknown): Promise<Progress> => {
  let pending = waited
  for (;;) {
    const at = await resumeAfter(steps, pending)
    if (at.done || isForBody(at.value)) return advance(steps, at)
    pending = at.value
  }
}

/** Refuses to wait: from the body to the reply it is one tick (`isAsync: false`). */
export const runSync: Runner = (steps) => advanceInOneTick(steps, steps.next())

const advanceInOneTick = (
  steps: Steps<Reply>,
  at: IteratorResult<unknown, Reply>,
): Progress | Promise<Progress> => {
  if (at.done) return { reply: at.value }
  if (at.value instanceof Ahead)
    return resumeAfter(steps, at.value).then((next) => advanceInOneTick(steps, next))
  if (isForBody(at.value)) return waiting(at.value, (body) => advanceInOneTick(steps, steps.next(body)))
  return advanceInOneTick(
    steps,
    steps.throw(promiseRefusal(at.value, 'isAsync is false: sources and hooks must be synchronous.')),
  )
}

const isForBody = (yielded: unknown): yielded is typeof BODY | typeof STREAM =>
  yielded === BODY || yielded === STREAM

const waiting = (
  asked: typeof BODY | typeof STREAM,
  resume: (body: Uint8Array | ByteSource) => Progress | Promise<Progress>,
): Progress => (asked === BODY ? { wants: 'bytes', resume } : { wants: 'stream', resume })
