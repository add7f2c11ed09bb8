import type { Call } from '../operation/call.ts'
import type { Outcome } from './probe.ts'

/** Tells the log what has changed since the last time. A probe comes every few seconds, and says the same most of the time. */
export const reporter = (timeout: number): ((outcomes: readonly Outcome[], call: Call) => void) => {
  const told = new Map<string, Outcome['state']>()
  return (outcomes, { log, requestId }) => {
    for (const outcome of outcomes) {
      const { name, state } = outcome
      const before = told.get(name) ?? 'ok'
      if (state === before) continue
      told.set(name, state)
      if ('error' in outcome) log.error(`health: ${name} failed, request ${requestId}`, outcome.error)
      else if (state === 'timeout') log.warn(`health: ${name} gave no answer within ${timeout} ms`)
      else log.info(`health: ${name} works again`)
    }
  }
}
