import { problem, StartError } from '../error/errors.ts'
import { toProblem } from '../error/problem.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { wait, waitInAnyMode } from '../operation/steps.ts'
import { type Check, type CheckOutcome, probeOf } from './checks.ts'

export type { Check } from './checks.ts'
export { type Health, type HealthOptions, readHealth } from './checks.ts'

interface HealthParts {
  /** The path below the base, without leading or trailing slashes. */
  readonly path: string
  readonly checks: readonly Check[]
  readonly timeout: number
  /** Aborted when the service shuts down. */
  readonly closing: AbortSignal
}

/**
 * The operations `GET /health/live` (liveness) and `GET /health/ready` (readiness). They are public, ignore the content of
 * the request, and are not part of the documentation.
 */
export const healthOperations = ({ path, checks, timeout, closing }: HealthParts): readonly Operation[] => {
  const probe = probeOf(checks, timeout)
  const report = reporter(timeout)
  const live: Operation = {
    ...common,
    id: 'getHealthLive',
    path: `/${path}/live`,
    summary: 'Check whether the process is alive',
    success: { status: 200, description: 'The process is alive.', mediaType: 'application/json' },
    run: () => wait(replyWith(200, 'application/json', { live: true })),
  }
  const ready: Operation = {
    ...common,
    id: 'getHealthReady',
    path: `/${path}/ready`,
    summary: 'Check whether the service is ready for requests',
    success: { status: 200, description: 'The service is ready.', mediaType: 'application/json' },
    problems: [...common.problems, 'unavailable'],
    *run(call) {
      if (closing.aborted) return refusal(call, 'The service is shutting down.')
      const outcomes = yield* waitInAnyMode(probe())
      report(outcomes, call)
      return replyTo(call, outcomes)
    },
  }
  return [live, ready]
}

const common = { method: 'GET', parameters: [], problems: ['internal_error'] } as const

const replyTo = (call: Call, outcomes: readonly CheckOutcome[]): Reply => {
  const checks = Object.fromEntries(outcomes.map(({ name, state }) => [name, state]))
  const failed = outcomes.filter(({ state }) => state !== 'ok').map(({ name }) => name)
  if (failed.length === 0) return replyWith(200, 'application/json', { ready: true, checks })
  return refusal(call, `The service is not ready: ${failed.join(', ')}.`, { checks })
}

/** Not thrown as an error, because every probe during an outage would be logged. */
const refusal = (call: Call, detail: string, more: object = {}): Reply => {
  const error = problem('unavailable', detail)
  const body = { ...toProblem(error, call.path, call.requestId), ready: false, ...more }
  return replyWith(error.status, 'application/problem+json', body, { 'retry-after': '5' })
}

const replyWith = (
  status: number,
  mediaType: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Reply => ({
  status,
  headers: { 'content-type': mediaType, 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
})

/** Logs changes only, because probes arrive every few seconds and mostly have the same result. */
const reporter = (timeout: number): ((outcomes: readonly CheckOutcome[], call: Call) => void) => {
  const logged = new Map<string, string>()
  return (outcomes, { log, requestId }) => {
    for (const outcome of outcomes) {
      const { name, state } = outcome
      // The database is back, but does not have a table.
      const mistake = 'error' in outcome && outcome.error instanceof StartError ? outcome.error.message : ''
      const now = `${state}${mistake}`
      const before = logged.get(name) ?? 'ok'
      if (now === before) continue
      logged.set(name, now)
      if ('error' in outcome) log.error(`health: ${name} failed, request ${requestId}`, outcome.error)
      else if (state === 'timeout') log.warn(`health: ${name} timed out after ${timeout} ms`)
      else log.info(`health: ${name} works again`)
    }
  }
}
