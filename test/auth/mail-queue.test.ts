import { afterEach, describe, expect, it, vi } from 'vitest'
import { mailQueue } from '../../src/auth/mails/mail-queue.ts'
import type { Call } from '../../src/operation/call.ts'
import { gate } from '../attack/held.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A request from an address, and what it logs. */
const callFrom = (address: string) => {
  const lines: string[] = []
  const log = {
    info: () => undefined,
    warn: (line: string) => void lines.push(`warn ${line}`),
    error: (line: string, error: unknown) => void lines.push(`error ${line} ${error}`),
  }
  return { call: { address, requestId: 'r1', log } as unknown as Call, lines }
}

describe('the queue of mails', () => {
  it('does nothing in the tick of the request', async () => {
    const queue = mailQueue()
    const done: string[] = []
    queue.follow(callFrom('203.0.113.1').call, async () => void done.push('sent'))
    await Promise.resolve()
    expect(done).toEqual([])
    await queue.settled()
    expect(done).toEqual(['sent'])
  })

  it('checklist 42: refuses a mail at once where it is full, and lets another address in', async () => {
    const queue = mailQueue({ parallel: 1, waiting: 2 })
    const held = gate()
    const sent: string[] = []
    const [one, other] = [callFrom('203.0.113.1'), callFrom('203.0.113.2')]
    const sending = (name: string) => async (): Promise<void> => {
      await held.pass()
      sent.push(name)
    }
    for (const name of ['1', '2', '3']) queue.follow(one.call, sending(name))
    expect(() => queue.follow(one.call, sending('4'))).toThrow(expect.objectContaining({ status: 503 }))
    // The newest of the address with the most mails makes room, and its response has left.
    queue.follow(other.call, sending('of another'))
    expect(one.lines).toEqual([expect.stringMatching(/^warn /)])
    held.open()
    await queue.settled()
    expect(sent.toSorted()).toEqual(['1', '2', 'of another'])
  })

  it('logs an error, and goes on', async () => {
    const queue = mailQueue({ parallel: 1, waiting: 5 })
    const { call, lines } = callFrom('203.0.113.1')
    const sent: string[] = []
    queue.follow(call, async () => {
      throw new Error('No mail server.')
    })
    queue.follow(call, async () => void sent.push('next'))
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
    queue.follow(call, () => held.pass())
    queue.follow(call, async () => void sent.push('next'))
    await held.reached
    vi.advanceTimersByTime(60_000)
    await queue.settled()
    expect([sent, lines.length]).toEqual([['next'], 1])
    held.open()
  })

  it('holds up a shutdown for a minute at most, however many mails wait', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const queue = mailQueue({ parallel: 1, waiting: 100 })
    const { call } = callFrom('203.0.113.1')
    const held = gate()
    for (let count = 0; count < 100; count += 1) queue.follow(call, () => held.pass())
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
