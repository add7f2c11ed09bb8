import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { leasedServe } from '../../src/host/leasing.ts'
import type { Serve } from '../../src/host/serve.ts'
import type { Call, Reply } from '../../src/operation/call.ts'
import { type MemoryBudget, memoryBudget } from '../../src/operation/memory-budget.ts'
import type { Operation } from '../../src/operation/operation.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Requests of a budget, and what became of what they asked for, in the order in which they got to know it. */
const requestsOf = (budget: MemoryBudget) => {
  const calls = new Map<string, object>()
  const log: string[] = []
  const callOf = (name: string): object => {
    const call = calls.get(name) ?? {}
    calls.set(name, call)
    return call
  }
  return {
    log,
    take: (name: string, bytes: number): void => {
      const taken = budget.of(callOf(name)).take(bytes)
      if (taken instanceof Promise)
        taken.then(
          () => log.push(`${name} got ${bytes}`),
          ({ status, code }) => log.push(`${name} ${status} ${code}`),
        )
      else log.push(`${name} has ${bytes}`)
    },
    give: (name: string, bytes: number) => budget.of(callOf(name)).give(bytes),
    end: (name: string) => budget.end(callOf(name)),
    held: (name: string) => budget.of(callOf(name)).held,
    names: () => [...calls.keys()],
  }
}

describe('The lease of a request', () => {
  const call = (): Call => ({}) as Call
  /** Serves a reply of ten bytes to a request that holds so many. */
  const served = (holds: number, reportsSent: boolean) => {
    const budget = memoryBudget(1000)
    const reply: Reply = { status: 200, headers: {}, body: 'ten bytes.' }
    const start: Serve['start'] = (_operation, asking) => {
      budget.of(asking).take(holds)
      return { reply }
    }
    const asking = call()
    const made = leasedServe({ start } as Serve, budget, reportsSent).start({} as Operation, asking)
    return { budget, asking, sent: 'reply' in made ? made.reply.sent : undefined }
  }

  it('ends with the response, also if one of its statements still runs and it holds nothing yet', () => {
    for (const reportsSent of [true, false]) {
      const { budget, asking, sent } = served(0, reportsSent)
      expect(sent).toBe(undefined)
      budget.of(asking).take(500)
      expect(budget.used).toBe(0)
    }
  })

  it('is the size of the response until that has been sent', () => {
    const { budget, asking, sent } = served(500, true)
    expect(budget.used).toBe(10)
    sent?.()
    budget.of(asking).take(500)
    expect(budget.used).toBe(0)
    expect(served(500, false).budget.used).toBe(0)
  })
})

const settled = () => vi.advanceTimersByTimeAsync(0)

describe('A budget of memory', () => {
  it('gives each request what it asks for, and lets those that do not fit wait in their order', async () => {
    const { take, end, log } = requestsOf(memoryBudget(100))
    for (const [name, bytes] of [
      ['a', 60],
      ['b', 30],
      ['c', 50],
      ['d', 10],
    ] as const)
      take(name, bytes)
    await settled()
    expect(log).toEqual(['a has 60', 'b has 30'])
    end('b')
    await settled()
    expect(log.slice(2)).toEqual([])
    end('a')
    await settled()
    expect(log.slice(2)).toEqual(['c got 50', 'd got 10'])
  })

  it('gives a request that is alone more than there is', () => {
    const budget = memoryBudget(100)
    const { take, end, log } = requestsOf(budget)
    take('a', 80)
    take('a', 80)
    expect(log).toEqual(['a has 80', 'a has 80'])
    end('a')
    expect(budget.used).toBe(0)
  })

  it('refuses who waits too long, and then serves the next ones', async () => {
    const { take, log } = requestsOf(memoryBudget(100, { patience: 1000 }))
    take('a', 60)
    take('b', 50)
    await vi.advanceTimersByTimeAsync(500)
    take('c', 40)
    await vi.advanceTimersByTimeAsync(500)
    expect(log).toEqual(['a has 60', 'b 503 unavailable', 'c got 40'])
  })

  it('refuses the youngest if all that hold bytes wait for more', async () => {
    const { take, end, log } = requestsOf(memoryBudget(100))
    take('a', 50)
    take('b', 50)
    take('a', 10)
    take('b', 10)
    await settled()
    expect(log.slice(2)).toEqual(['b 503 unavailable'])
    end('b')
    await settled()
    expect(log.slice(3)).toEqual(['a got 10'])
  })

  it('serves those that hold bytes before those that came later', async () => {
    const { take, end, log } = requestsOf(memoryBudget(100))
    take('a', 40)
    take('b', 60)
    take('c', 10)
    take('a', 20)
    end('b')
    await settled()
    expect(log.slice(2)).toEqual(['a got 20', 'c got 10'])
  })

  it('lets a bounded number of requests wait, and none that is synchronous', async () => {
    const full = requestsOf(memoryBudget(100, { most: 1 }))
    for (const name of ['a', 'b']) full.take(name, 60)
    expect(() => full.take('c', 60)).toThrow(expect.objectContaining({ status: 503, code: 'unavailable' }))
    const { take, end, log } = requestsOf(memoryBudget(100, { waits: false }))
    take('a', 60)
    expect(() => take('b', 60)).toThrow(
      expect.objectContaining({ status: 503, code: 'unavailable', headers: { 'retry-after': '1' } }),
    )
    end('a')
    take('b', 60)
    expect(log).toEqual(['a has 60', 'b has 60'])
  })

  it('lets a request that holds all go on, also if an older one that holds nothing waits', async () => {
    const { take, give, end, log } = requestsOf(memoryBudget(100))
    take('a', 10)
    give('a', 10)
    take('b', 60)
    take('a', 50)
    take('b', 10)
    await settled()
    expect(log.slice(2)).toEqual(['b got 10'])
    end('b')
    await settled()
    expect(log.slice(3)).toEqual(['a got 50'])
  })

  it('gives nothing to a request that has ended before it asked', () => {
    const budget = memoryBudget(100)
    const { take, end, held } = requestsOf(budget)
    end('a')
    take('a', 60)
    expect([held('a'), budget.used]).toEqual([0, 0])
  })

  it('refuses what a request waits for that has ended, and counts nothing for it any more', async () => {
    const budget = memoryBudget(100)
    const { take, end, held, log } = requestsOf(budget)
    take('a', 60)
    take('b', 60)
    end('b')
    await settled()
    take('b', 30)
    expect([log.at(1), held('b'), budget.used]).toEqual(['b 503 unavailable', 0, 60])
  })

  it('never gives more than its size unless one holds all, gives all back, and forgets nobody', async () => {
    const act = fc.record({
      act: fc.constantFrom('take', 'take', 'take', 'give', 'end', 'time'),
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      bytes: fc.integer({ min: 1, max: 150 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
        const budget = memoryBudget(100, { patience: 100 })
        const { take, give, end, held, names, log } = requestsOf(budget)
        let asked = 0
        for (const { act: kind, name, bytes } of acts) {
          const isEnded = log.includes(`${name} ended`)
          if (kind === 'take' && !isEnded) {
            take(name, bytes)
            asked += 1
          } else if (kind === 'give') give(name, bytes)
          else if (kind === 'end' && !isEnded) {
            end(name)
            log.push(`${name} ended`)
          } else if (kind === 'time') await vi.advanceTimersByTimeAsync(bytes)
          await settled()
          const all = names().map(held)
          expect(budget.used).toBe(all.reduce((sum, one) => sum + one, 0))
          expect(budget.used <= 100 || all.filter((one) => one > 0).length === 1).toBe(true)
        }
        for (const name of names()) end(name)
        await settled()
        expect(budget.used).toBe(0)
        expect(log.filter((line) => !line.endsWith('ended'))).toHaveLength(asked)
      }),
    )
  })
})
