import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Steps, wait } from '../../src/operation/steps.ts'
import { inTransaction, type Transactional } from '../../src/operation/transaction.ts'
import type { Session } from '../../src/source/source.ts'
import { naming } from '../naming.ts'

/** Transactions of an asynchronous driver. */
const resource = {
  transactionTimeout: 5,
  source: {
    capabilities: { synchronous: false },
    transaction: async (work: (inside: Session) => unknown) => work({} as Session),
  },
} as unknown as Transactional

const run = async (work: () => Steps<unknown>): Promise<unknown> => {
  const steps = inTransaction(resource, work)
  const at = steps.next()
  return at.done ? at.value : await at.value
}

describe('the time of a transaction', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it.each<[string, () => Steps<unknown>]>([
    [
      'at once',
      function* () {
        return yield* wait('done')
      },
    ],
    [
      'later',
      function* () {
        return yield* wait(Promise.resolve('done'))
      },
    ],
  ])('is no longer counted once it has ended %s', async (_when, work) => {
    expect(await run(work)).toBe('done')
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each<[string, () => Steps<unknown>]>([
    [
      'at once',
      function* () {
        yield* wait(undefined)
        throw new Error('no')
      },
    ],
    [
      'later',
      function* () {
        yield* wait(Promise.reject(new Error('no')))
      },
    ],
  ])('nor once it has failed %s', async (_when, work) => {
    await expect(run(work)).rejects.toThrow('no')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('undoes what goes on for longer, which may succeed later', async () => {
    const ended = vi.fn()
    const late = run(function* () {
      try {
        for (;;) yield* wait(new Promise((resolve) => setTimeout(resolve, 900)))
      } finally {
        ended()
      }
    })
    const failed = expect(late).rejects.toMatchObject({
      code: 'unavailable',
      headers: { 'retry-after': '5' },
    })
    await vi.advanceTimersByTimeAsync(5000)
    await failed
    expect(ended).toHaveBeenCalledOnce()
  })

  it('undoes what takes longer', async () => {
    const ended = vi.fn()
    const late = run(function* () {
      try {
        yield* wait(new Promise(() => undefined))
      } finally {
        ended()
      }
    })
    const failed = expect(late).rejects.toThrow(naming('TRANSACTION_TIMEOUT', 5))
    await vi.advanceTimersByTimeAsync(4999)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await failed
    expect(ended).toHaveBeenCalledOnce()
  })
})
