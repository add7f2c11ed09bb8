import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { failureLog } from '../../src/host/failure-log.ts'
import { HttpError, type ProblemCode } from '../../src/index.ts'
import type { Call } from '../../src/operation/call.ts'

interface Line {
  readonly level: 'warn' | 'error'
  readonly text: string
  readonly error?: unknown
}

const stage = () => {
  const lines: Line[] = []
  const log = failureLog()
  const fail = (code: ProblemCode, detail: string, cause?: Error): void => {
    const call = {
      ...{ method: 'GET', path: '/things/', requestId: 'req-1' },
      log: {
        info: () => undefined,
        warn: (text: string) => lines.push({ level: 'warn', text }),
        error: (text: string, error: unknown) => lines.push({ level: 'error', text, error }),
      },
    }
    log(
      new HttpError(code === 'internal_error' ? 500 : 503, detail, { code, ...(cause && { cause }) }),
      call as unknown as Call,
    )
  }
  return { lines, fail, levels: () => lines.map(({ level }) => level) }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('failures that all requests of a moment share', () => {
  it('are one line at once, and one a second with a count for as long as they go on', () => {
    const { lines, fail, levels } = stage()
    for (let second = 0; second < 3; second += 1) {
      for (let count = 0; count < 1000; count += 1) fail('unavailable', 'Too many wait.')
      vi.advanceTimersByTime(1000)
    }
    expect(levels()).toEqual(['warn', 'warn', 'warn', 'warn'])
    expect(lines.map(({ text }) => /\b\d{3,}\b/.exec(text)?.[0])).toEqual([undefined, '999', '1000', '1000'])
    vi.advanceTimersByTime(10_000)
    expect(lines).toHaveLength(4)
    expect(vi.getTimerCount()).toBe(0)
    fail('unavailable', 'Too many wait.')
    expect(levels()).toHaveLength(5)
  })

  it('are errors where something failed', () => {
    const { lines, fail, levels } = stage()
    for (let count = 0; count < 50; count += 1) fail('unavailable', 'No database.', new Error('ECONNREFUSED'))
    vi.advanceTimersByTime(1000)
    expect(levels()).toEqual(['error', 'error'])
    expect(lines.map(({ error }) => String(error))).toEqual(Array(2).fill('Error: ECONNREFUSED'))
  })

  it('are told apart by what they say, up to a bound', () => {
    const { lines, fail } = stage()
    for (let count = 0; count < 1000; count += 1) fail('unavailable', `Come again in ${count} s.`)
    expect(lines.length).toBeLessThan(25)
    vi.advanceTimersByTime(60_000)
    expect(lines.length).toBeLessThan(50)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('other failures', () => {
  it('are one line a second where they are equal, with their number', () => {
    const { lines, fail, levels } = stage()
    const causes = [new Error('one'), new Error('other')]
    for (let count = 0; count < 300; count += 1)
      for (const cause of causes) fail('internal_error', 'It failed.', cause)
    expect(levels()).toEqual(['error', 'error'])
    vi.advanceTimersByTime(1000)
    expect(levels()).toEqual(Array(4).fill('error'))
    expect(lines.map(({ text }) => /\b\d{3}\b/.exec(text)?.[0])).toEqual([undefined, undefined, '299', '299'])
    expect(lines.map(({ error }) => String(error))).toEqual([...causes, ...causes].map(String))
  })

  it('are a line each where somebody has to look at each record', () => {
    const { fail, levels } = stage()
    for (let count = 0; count < 3; count += 1) fail('outcome_unknown', 'It failed.', new Error('cause'))
    expect(levels()).toEqual(Array(3).fill('error'))
  })
})
