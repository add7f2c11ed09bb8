import { toHttpError, toProblem } from '../error/problem.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import type { Progress, Runner } from '../operation/run.ts'

/** A request under way: it has its reply, or it waits for its body. */
export type Served =
  | { readonly reply: Reply }
  | { readonly resume: (body: Uint8Array) => Served | Promise<Served> }

/** How a host serves an operation: nothing that it calls ever throws or rejects. */
export interface Serve {
  start(operation: Operation, call: Call): Served | Promise<Served>
  /** The reply for something thrown outside an operation: a body that is too large, a wrong method. */
  refuse(error: unknown, call: Call): Reply
}

/** The one place where a thrown thing becomes a reply. */
export const serveWith = (run: Runner): Serve => {
  const settle = (call: Call, go: () => Progress | Promise<Progress>): Served | Promise<Served> => {
    try {
      const progress = go()
      return progress instanceof Promise
        ? progress.then(
            (reached) => guarded(call, reached),
            (error) => ({ reply: refuse(error, call) }),
          )
        : guarded(call, progress)
    } catch (error) {
      return { reply: refuse(error, call) }
    }
  }
  const guarded = (call: Call, progress: Progress): Served =>
    'reply' in progress ? progress : { resume: (body) => settle(call, () => progress.resume(body)) }
  return { start: (operation, call) => settle(call, () => run(operation.run(call))), refuse }
}

const refuse = (thrown: unknown, call: Call): Reply => {
  const error = toHttpError(thrown)
  if (error.status >= 500)
    call.log.error(`${call.method} ${call.path} failed, request ${call.requestId}`, error)
  return {
    status: error.status,
    headers: { 'content-type': 'application/problem+json', ...error.headers },
    body: JSON.stringify(toProblem(error, call.path, call.requestId)),
  }
}
