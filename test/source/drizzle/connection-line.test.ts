import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { lineOf } from '../../../src/source/drizzle/connection-line.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('shows how long the first statement has waited, and how many have left', () => {
  const { queue, enter } = lineOf({})
  expect([queue.waited(), queue.passed()]).toEqual([0, 0])
  const leaveFirst = enter()
  vi.advanceTimersByTime(30)
  const leaveSecond = enter()
  vi.advanceTimersByTime(20)
  expect([queue.waited(), queue.passed()]).toEqual([50, 0])
  leaveFirst()
  expect([queue.waited(), queue.passed()]).toEqual([20, 1])
  leaveSecond()
  expect([queue.waited(), queue.passed()]).toEqual([0, 2])
})

it('is one for each pool', () => {
  const pool = {}
  lineOf(pool).enter()
  vi.advanceTimersByTime(10)
  expect(lineOf(pool).queue.waited()).toBe(10)
  expect(lineOf({}).queue.waited()).toBe(0)
})
