import { type HttpError, problem } from '../error/errors.ts'
import { toHttpError, toProblem } from '../error/problem.ts'
import type { Call, Reply } from '../operation/call.ts'
import { type LogFailure, logEach } from './failure-log.ts'
import { forCaller } from './reply.ts'

/** The response for an error, thrown in an operation or before it: a body that is too large, a wrong method. */
export const refuse = (thrown: unknown, call: Call, log: LogFailure = logEach): Reply => {
  const error = toHttpError(thrown)
  if (error.status >= 500) log(error, call, thrown)
  const reply = {
    status: error.status,
    headers: {
      'content-type': 'application/problem+json',
      // The rest of a late body is not read.
      ...(error.status === 408 && { connection: 'close' }),
      ...error.headers,
    },
    body: JSON.stringify(toProblem(error, call.path, call.requestId)),
    code: error.code,
  }
  return forCaller(reply, call)
}

export const nothingHere = (path: string): HttpError =>
  problem('not_found', `There is no resource at ${path}.`)

export const wrongMethod = (method: string, methods: Iterable<string>): HttpError => {
  const all = new Set(methods)
  // Common methods come first, in the same order on every host.
  const others = [...all].filter((known) => !usual.includes(known))
  const allow = [...usual.filter((known) => all.has(known)), ...others].join(', ')
  return problem('method_not_allowed', `${method} is not allowed. Allowed: ${allow}.`, {
    headers: { allow },
  })
}

const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
