import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { guardedServe } from '../../src/host/overload.ts'
import type { Serve } from '../../src/host/serve.ts'
import type { Call } from '../../src/operation/call.ts'
import { operation } from '../../src/testing/host/operations.ts'

const listThings = operation('GET', '/things/', () => {
  throw new Error('The planted serve runs no operation.')
})

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const begin = (maxWaiting: number) => {
  const levels: string[] = []
  const lines: string[] = []
  const note = (level: string) => (line: string) => {
    levels.push(level)
    lines.push(line)
  }
  const log = { info: note('info'), warn: note('warn'), error: note('error') }
  const queue = { name: 'planted', waited: maxWaiting + 1, passed: 0 }
  const serve: Serve = { start: () => ({ reply: { status: 200, headers: {}, body: '' } }) }
  const guarded = guardedServe(serve, {
    ...{ maxWaiting, log },
    queues: [{ name: queue.name, waited: () => queue.waited, passed: () => queue.passed }],
  })
  const call = { method: 'GET', path: '/things/', requestId: 'req-1', log } as unknown as Call
  /** A request every millisecond. Returns the statuses. */
  const ask = (requests: number): readonly unknown[] =>
    Array.from({ length: requests }, () => {
      const served = guarded.start(listThings, call)
      vi.advanceTimersByTime(1)
      return Object(served).reply.status
    })
  return { queue, levels, lines, ask }
}

it('an overload is one line when it begins, and one with the number of refusals when it has ended', () => {
  const { queue, levels, lines, ask } = begin(1000)
  for (let time = 0; time < 2; time += 1) {
    queue.waited = 2000
    const statuses = ask(1000)
    expect(statuses.at(-1)).toBe(503)
    expect(levels).toEqual(['warn'])
    expect(lines[0]).toContain('planted')
    queue.waited = 0
    expect(new Set(ask(1000))).toEqual(new Set([200]))
    vi.advanceTimersByTime(10_000)
    expect(levels).toEqual(['warn', 'info'])
    expect(lines[1]).toContain(String(statuses.filter((status) => status === 503).length))
    expect(vi.getTimerCount()).toBe(0)
    levels.length = 0
    lines.length = 0
  }
})

it('pauses between refusals are part of the overload', () => {
  const { queue, levels, ask } = begin(1000)
  for (let time = 0; time < 5; time += 1) {
    queue.waited = 2000
    expect(ask(1000)).toContain(503)
    queue.waited = 0
    ask(1000)
  }
  expect(levels).toEqual(['warn'])
})

it('MAX_WAITING: 0 refuses nothing and has no timer', () => {
  const { ask } = begin(0)
  expect(new Set(ask(1000))).toEqual(new Set([200]))
  expect(vi.getTimerCount()).toBe(0)
})
