import type { ProblemCode } from '../error/codes.ts'
import type { HttpError } from '../error/http-error.ts'
import { clipped } from '../error/issue.ts'
import type { Call } from '../operation/call.ts'

/** Logs what failed on the server. */
export type LogFailure = (error: HttpError, call: Call) => void

const nameOf = ({ method, path }: Call): string => `${method} ${clipped(path, 'path')}`

/** A line for each, with the stack. */
export const logEach: LogFailure = (error, call) => {
  call.log.error(`${nameOf(call)} failed, request ${call.requestId}`, error)
}

/** What befalls all requests of a moment, so that a line for each says no more than one for all of them. */
const shared: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['unavailable', 'write_conflict'])

const SECOND = 1000

/** An application may say other words each time. */
const MOST_KINDS = 20

/** Failures of one kind that were not logged yet. */
interface Unlogged {
  count: number
  error: HttpError
  call: Call
}

/**
 * A log of failures that no flood of requests can fill: of those that all requests of a moment share, the first is
 * logged at once, and once a second how many followed. An overload of our own is a warning, as nothing is broken.
 */
export const failureLog = (): LogFailure => {
  const kinds = new Map<string, Unlogged>()

  const flushLater = (kind: string): void => {
    const timer = setTimeout(() => flush(kind), SECOND)
    // It keeps no process alive. Some runtimes have a number here.
    if (typeof timer === 'object') timer.unref()
  }

  const flush = (kind: string): void => {
    const found = kinds.get(kind)
    if (found === undefined || found.count === 0) {
      kinds.delete(kind)
      return
    }
    logCounted(found)
    found.count = 0
    flushLater(kind)
  }

  return (error, call) => {
    if (!shared.has(error.code)) {
      logEach(error, call)
      return
    }
    const words = `${error.code} ${error.detail}`
    const kind = kinds.has(words) || kinds.size < MOST_KINDS ? words : error.code
    const known = kinds.get(kind)
    if (known !== undefined) {
      Object.assign(known, { count: known.count + 1, error, call })
      return
    }
    kinds.set(kind, { count: 0, error, call })
    if (error.cause === undefined) call.log.warn(`${nameOf(call)}: ${error.detail}`)
    else logEach(error, call)
    flushLater(kind)
  }
}

const logCounted = ({ count, error, call }: Unlogged): void => {
  const line = `${count} more ${count === 1 ? 'request' : 'requests'} failed within a second, the last of them ${nameOf(call)}`
  if (error.cause === undefined) call.log.warn(`${line}: ${error.detail}`)
  else call.log.error(`${line}, request ${call.requestId}`, error)
}
