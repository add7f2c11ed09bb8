import { afterEach, describe, expect, it, vi } from 'vitest'
import { mailQueue } from '../../src/auth/mails/mail-queue.ts'
import type { Call } from '../../src/operation/call.ts'
import { gate } from '../attack/held.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A request from an address, and what it logs. */
const callFrom = (address: string | undefined) => {
  const lines: string[] = []
  const log = {
    info: () => undefined,
    warn: (line: string) => void lines.push(`warn ${line}`),
    error: (line: string, error: unknown) => void lines.push(`error ${line} ${error}`),
  }
  return { call: { address, requestId: 'r1', log } as unknown as Call, lines }
}

describe('the queue of mails', () => {
  it('checklist 42: begins in a turn at a random time, with all that waits by then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const queue = mailQueue()
    const done: string[] = []
    const follow = (name: string) =>
      queue.follow(callFrom('203.0.113.1').call, 'ada@example.com', async () => void done.push(name))
    follow('first')
    vi.advanceTimersByTime(499)
    follow('second')
    expect(done).toEqual([])
    vi.advanceTimersByTime(3501)
    expect(done.toSorted()).toEqual(['first', 'second'])
    follow('third')
    vi.advanceTimersByTime(499)
    expect(done.length).toBe(2)
    vi.advanceTimersByTime(3501)
    await queue.settled()
    expect(done.length).toBe(3)
  })

  it('checklist 42: a turn has no order', async () => {
    const orders = new Set<string>()
    for (let round = 0; round < 100; round += 1) {
      const queue = mailQueue()
      const done: string[] = []
      for (const name of ['1', '2', '3'])
        queue.follow(callFrom('203.0.113.1').call, 'ada@example.com', async () => void done.push(name))
      await queue.settled()
      orders.add(done.join(''))
    }
    // The chance that one of six orders never occurs is 1 in 10 million.
    expect(orders.size).toBe(6)
  })

  it('begins at once where the service closes', async () => {
    const queue = mailQueue()
    const done: string[] = []
    queue.follow(callFrom('203.0.113.1').call, 'ada@example.com', async () => void done.push('sent'))
    expect(done).toEqual([])
    await queue.settled()
    expect(done).toEqual(['sent'])
  })

  it('checklist 42: refuses a mail at once where it is full, and lets another address in', async () => {
    const queue = mailQueue({ parallel: 1, waiting: 3 })
    const held = gate()
    const sent: string[] = []
    const [one, other] = [callFrom('203.0.113.1'), callFrom('203.0.113.2')]
    const sending = (name: string) => async (): Promise<void> => {
      await held.pass()
      sent.push(name)
    }
    for (const name of ['1', '2', '3']) queue.follow(one.call, 'ada@example.com', sending(name))
    expect(() => queue.follow(one.call, 'ada@example.com', sending('4'))).toThrow(
      expect.objectContaining({ status: 503 }),
    )
    // The newest of the address with the most mails makes room, and its response has left.
    queue.follow(other.call, 'ada@example.com', sending('of another'))
    expect(one.lines).toEqual([expect.stringMatching(/^warn /)])
    held.open()
    await queue.settled()
    expect(sent.toSorted()).toEqual(['1', '2', 'of another'])
  })

  it('logs an error, and goes on', async () => {
    const queue = mailQueue({ parallel: 1, waiting: 5 })
    const { call, lines } = callFrom('203.0.113.1')
    const sent: string[] = []
    queue.follow(call, 'ada@example.com', async () => {
      throw new Error('No mail server.')
    })
    queue.follow(call, 'ada@example.com', async () => void sent.push('next'))
    await queue.settled()
    expect(sent).toEqual(['next'])
    expect(lines).toEqual([expect.stringMatching(/^error .*r1.*No mail server/)])
  })

  it('goes on after a minute beside a mail server that never answers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const queue = mailQueue({ parallel: 1, waiting: 5 })
    const { call, lines } = callFrom('203.0.113.1')
    const held = gate()
    const sent: string[] = []
    queue.follow(call, 'ada@example.com', () => held.pass())
    vi.advanceTimersByTime(4000)
    await held.reached
    queue.follow(call, 'ada@example.com', async () => void sent.push('next'))
    vi.advanceTimersByTime(60_000)
    await queue.settled()
    expect([sent, lines.length]).toEqual([['next'], 1])
    held.open()
  })

  it.each([
    [
      'one address',
      (at: number) => callFrom(at < 20 ? '203.0.113.1' : '203.0.113.2').call,
      () => 'ada@example.com',
    ],
    [
      'one recipient, from unknown addresses',
      () => callFrom(undefined).call,
      (at: number) => (at < 20 ? 'Ada@example.com' : 'bob@example.com'),
    ],
  ])(
    'runs four mails of %s at the same time, so that others are sent beside them',
    async (_whose, callOf, recipientOf) => {
      const queue = mailQueue()
      const held = gate()
      let hanging = 0
      const sent: number[] = []
      const hang = async (): Promise<void> => {
        hanging += 1
        await held.pass()
      }
      for (let at = 0; at < 24; at += 1)
        queue.follow(callOf(at), recipientOf(at), at < 20 ? hang : async () => void sent.push(at))
      const settled = queue.settled()
      await expect.poll(() => sent.length).toBe(4)
      expect(hanging).toBe(4)
      held.open()
      await settled
      expect(hanging).toBe(20)
    },
  )

  it('holds up a shutdown for a minute at most, however many mails wait', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const queue = mailQueue({ parallel: 1, waiting: 100 })
    const { call } = callFrom('203.0.113.1')
    const held = gate()
    for (let count = 0; count < 100; count += 1) queue.follow(call, 'ada@example.com', () => held.pass())
    vi.advanceTimersByTime(4000)
    await held.reached
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const settled = queue.settled()
    vi.advanceTimersByTime(60_000)
    await settled
    expect(log).toHaveBeenCalledTimes(1)
    log.mockRestore()
    held.open()
    await queue.settled()
  })
})
