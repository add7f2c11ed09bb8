import type { ErrorCode } from '../error/codes.ts'
import { clipped, type HttpError } from '../error/errors.ts'
import { causesOf } from '../observe/log.ts'
import type { Call } from '../operation/call.ts'

/** @param thrown the original error, if `error` was created from it */
export type LogFailure = (error: HttpError, call: Call, thrown?: unknown) => void

const nameOf = ({ method, path }: Call): string => `${method} ${clipped(path, 'path')}`

/** The log line begins with the request and the failed part, because an opaque 500 says nothing about its cause. */
export const logEach: LogFailure = (error, call, thrown) => {
  const place = placeOf(error, call)
  const where = place === undefined ? '' : ` in ${place}`
  const code = error.code === 'internal_error' ? '' : ` (${error.code})`
  call.log.error(
    `${nameOf(call)} failed${where}${code}, request ${call.requestId}`,
    error.code === 'internal_error' && thrown instanceof Error ? thrown : causeOf(error, place),
  )
}

/** The first line of the log must say why a request failed. An error of the application also says where. */
const causeOf = (error: HttpError, place?: string): Error =>
  place === undefined && error.cause instanceof Error ? error.cause : error

/** The function of the application that caused the error. */
const placeOf = (error: HttpError, { failure }: Call): string | undefined => {
  const errors = [...causesOf(error)]
  const thrown: readonly unknown[] = [...errors, errors.at(-1)?.cause]
  return failure !== undefined && thrown.includes(failure.error) ? failure.place : undefined
}

/** Errors that affect all requests at once, whatever each of them does. */
const shared: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['unavailable', 'write_conflict'])

/** Failures with equal words say the same about their cause: those of one place in the code, with one message. */
const wordsOf = (error: HttpError, thrown: unknown): string =>
  shared.has(error.code)
    ? `${error.code} ${error.detail}`
    : [error.code, ...[...causesOf(thrown ?? error)].map(({ stack, message }) => stack ?? message)].join(' ')

const SECOND = 1000

/** Limits the number of kinds, because an application may use a different text each time. */
const MOST_KINDS = 20

interface Unlogged {
  count: number
  error: HttpError
  call: Call
}

/** The log has every write whose outcome is unknown, because somebody must check its record. */
const isEachLogged = ({ code }: HttpError): boolean => code === 'outcome_unknown'

/** The service does as it should. */
const isRefusal = ({ code, cause }: HttpError): boolean => shared.has(code) && cause === undefined

/**
 * A log of failures that a flood of requests cannot fill: the first of equal ones is logged immediately, and the number of further
 * ones once a second. Overload is a warning, because nothing is broken.
 */
export const failureLog = (): LogFailure => {
  const kinds = new Map<string, Unlogged>()
  return (error, call, thrown) => {
    if (isEachLogged(error)) return logEach(error, call, thrown)
    const words = wordsOf(error, thrown)
    const kind = kinds.has(words) || kinds.size < MOST_KINDS ? words : error.code
    const known = kinds.get(kind)
    if (known !== undefined) {
      Object.assign(known, { count: known.count + 1, error, call })
      return
    }
    if (isRefusal(error)) call.log.warn(`${nameOf(call)}: ${error.detail}`)
    else logEach(error, call, thrown)
    const unlogged: Unlogged = { count: 0, error, call }
    kinds.set(kind, unlogged)
    const timer = setInterval(() => {
      if (unlogged.count > 0) {
        logCounted(unlogged)
        unlogged.count = 0
      } else {
        kinds.delete(kind)
        clearInterval(timer)
      }
    }, SECOND)
    // The timer must not keep the process alive. Some runtimes return a number.
    if (typeof timer === 'object') timer.unref()
  }
}

const logCounted = ({ count, error, call }: Unlogged): void => {
  const line = `${count} more ${count === 1 ? 'request' : 'requests'} failed within a second, most recently ${nameOf(call)}`
  if (isRefusal(error)) call.log.warn(`${line}: ${error.detail}`)
  else call.log.error(`${line}, request ${call.requestId}`, causeOf(error))
}
