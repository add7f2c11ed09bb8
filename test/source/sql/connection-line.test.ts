import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { lineOf } from '../../../src/source/sql/connection-line.ts'

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
  leaveFirst(true)
  expect([queue.waited(), queue.passed()]).toEqual([20, 1])
  leaveSecond(true)
  expect([queue.waited(), queue.passed()]).toEqual([0, 2])
})

it('is one for each pool', () => {
  const pool = {}
  lineOf(pool).enter()
  vi.advanceTimersByTime(10)
  expect(lineOf(pool).queue.waited()).toBe(10)
  expect(lineOf({}).queue.waited()).toBe(0)
})

it('does not show a statement that later ones overtake: it waits for a connection that is being opened', () => {
  const { queue, enter } = lineOf({})
  const leaveFirst = enter()
  vi.advanceTimersByTime(10)
  const leaveSecond = enter()
  vi.advanceTimersByTime(10)
  enter()
  vi.advanceTimersByTime(10)
  leaveSecond(true)
  expect([queue.waited(), queue.passed()]).toEqual([10, 1])
  leaveFirst(true)
  expect([queue.waited(), queue.passed()]).toEqual([10, 2])
})

it('shows the first statement although a later one got no connection', () => {
  const { queue, enter } = lineOf({})
  enter()
  vi.advanceTimersByTime(10)
  const leaveSecond = enter()
  leaveSecond(false)
  expect([queue.waited(), queue.passed()]).toEqual([10, 1])
})
