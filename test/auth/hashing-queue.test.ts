import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashingQueue, type InTurn, type Purpose, queueBoundsOf } from '../../src/auth/limits/fair-queue.ts'

/** Works that end when they are told to, and how many were under way at once. */
const works = () => {
  const ends: (() => void)[] = []
  const state = { running: 0, most: 0 }
  const work = async (): Promise<string> => {
    state.running += 1
    state.most = Math.max(state.most, state.running)
    await new Promise<void>((resolve) => ends.push(resolve))
    state.running -= 1
    return 'done'
  }
  return { state, work, ends }
}

/** The queue as one client of one purpose sees it. */
const ofOne =
  (queue: InTurn) =>
  <T>(work: () => Promise<T>): Promise<T> =>
    queue({ purpose: 'application' }, work)

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a bound', () => {
  test('checklist 23: no more are under way at once than may be, and all that wait get their turn', async () => {
    const { state, work, ends } = works()
    const bounded = ofOne(hashingQueue({ parallel: 3, waiting: 10 }))
    const all = Array.from({ length: 13 }, () => bounded(work))
    for (let ended = 0; ended < 13; ended++) {
      await turn()
      expect(state.running).toBe(Math.min(3, 13 - ended))
      ends[ended]?.()
    }
    expect(await Promise.all(all)).toEqual(Array(13).fill('done'))
    expect(state.most).toBe(3)
  })

  test('checklist 23: one more than may wait is refused at once, and again taken when there is room', async () => {
    const { work, ends } = works()
    const bounded = ofOne(hashingQueue({ parallel: 2, waiting: 1 }))
    const admitted = [bounded(work), bounded(work), bounded(work)]
    await expect(bounded(work)).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '3' } })
    await turn()
    ends[0]?.()
    await admitted[0]
    await turn()
    const late = bounded(work)
    await turn()
    for (let index = 1; index < 4; index++) {
      ends[index]?.()
      await turn()
    }
    expect(await Promise.all([...admitted, late])).toEqual(Array(4).fill('done'))
  })

  test('nobody may wait where none may', async () => {
    const { work, ends } = works()
    const bounded = ofOne(hashingQueue({ parallel: 1, waiting: 0 }))
    const first = bounded(work)
    await expect(bounded(work)).rejects.toMatchObject({ status: 503 })
    await turn()
    ends[0]?.()
    expect(await first).toBe('done')
  })

  test('a failed work frees its place', async () => {
    const bounded = ofOne(hashingQueue({ parallel: 1, waiting: 0 }))
    await expect(bounded(() => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory')
    await turn()
    expect(await bounded(async () => 'done')).toBe('done')
  })
})

describe('a fair queue', () => {
  /** One work at a time, each of which ends when the next one is let in. */
  const stage = (waiting: number) => {
    const queue = hashingQueue({ parallel: 1, waiting })
    const order: string[] = []
    const refused: string[] = []
    const ends: (() => void)[] = []
    const come = (purpose: Purpose, client: string, name = `${purpose} ${client}`): void => {
      const work = async () => {
        order.push(name)
        await new Promise<void>((resolve) => ends.push(resolve))
      }
      queue({ purpose, client }, work).catch(() => refused.push(name))
    }
    const drain = async (): Promise<void> => {
      for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
        end()
        await turn()
      }
    }
    return { come, drain, order, refused }
  }

  test('keeps places for logins, however many registrations come, and the other way round', async () => {
    for (const [flood, other] of [
      ['registration', 'login'],
      ['login', 'registration'],
      ['login', 'application'],
      ['application', 'login'],
    ] as const) {
      const { come, drain, order, refused } = stage(8)
      for (let count = 0; count < 100; count += 1) come(flood, `${count}`)
      come(other, 'a')
      await turn()
      expect(refused).not.toContain(`${other} a`)
      await drain()
      expect(order).toContain(`${other} a`)
      expect(order.indexOf(`${other} a`)).toBeLessThan(5)
    }
  })

  test('gives the place of a client with many to one with few', async () => {
    const { come, drain, order, refused } = stage(8)
    come('login', 'running')
    for (let count = 0; count < 50; count += 1) come('login', 'flood', `flood ${count}`)
    for (const client of ['ada', 'bob', 'eve']) come('login', client, client)
    await turn()
    await drain()
    for (const client of ['ada', 'bob', 'eve']) expect(order.indexOf(client)).toBeLessThan(6)
    expect(order.filter((name) => name.startsWith('flood'))).toHaveLength(3)
    expect(refused).toHaveLength(47)
    expect(refused.every((name) => name.startsWith('flood'))).toBe(true)
  })

  test('takes turns: three logins, two of the application, one registration', async () => {
    const { come, drain, order } = stage(40)
    come('login', 'running')
    for (let count = 0; count < 10; count += 1)
      for (const purpose of ['login', 'registration', 'application'] as const) come(purpose, 'a', purpose)
    await turn()
    await drain()
    const turns = order.slice(1, 13)
    const of = (purpose: Purpose) => turns.filter((one) => one === purpose).length
    expect([of('login'), of('application'), of('registration')]).toEqual([6, 4, 2])
  })

  test('a purpose that did not wait has saved no turns', async () => {
    const { come, drain, order } = stage(40)
    for (let count = 0; count < 12; count += 1) come('login', 'a', 'login')
    await turn()
    await drain()
    order.length = 0
    come('login', 'a', 'login')
    for (let count = 0; count < 6; count += 1) come('registration', 'a', 'registration')
    for (let count = 0; count < 6; count += 1) come('login', 'a', 'login')
    await turn()
    await drain()
    expect(order.slice(0, 5).filter((one) => one === 'login').length).toBeGreaterThanOrEqual(3)
  })

  test('every work is done or refused, once, and no more wait than may, whatever comes', async () => {
    const coming = fc.tuple(
      fc.constantFrom<Purpose>('login', 'registration', 'application'),
      fc.constantFrom('a', 'b', 'c', 'd'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(coming, { maxLength: 80 }), fc.nat(8), async (works, waiting) => {
        const { come, drain, order, refused } = stage(waiting)
        for (const [index, [purpose, client]] of works.entries()) come(purpose, client, `${index}`)
        await turn()
        const places = { login: 3 / 4, registration: 1 / 4, application: 1 }
        const most = Object.values(places).reduce((sum, part) => sum + Math.ceil(waiting * part), 1)
        expect(works.length - refused.length).toBeLessThanOrEqual(most)
        await drain()
        const outcomes = [...order, ...refused].toSorted((one, other) => Number(one) - Number(other))
        expect(outcomes).toEqual(works.map((_, index) => `${index}`))
      }),
    )
  })
})

test.each([
  [1, undefined, 1],
  [2, undefined, 1],
  [4, undefined, 3],
  [64, undefined, 3],
  [64, '16', 15],
  [8, '16', 7],
  [8, '1', 1],
  [8, '2.9', 1],
  [8, '', 3],
  [8, '0', 3],
  [8, 'many', 3],
])('checklist 23: %i cores and UV_THREADPOOL_SIZE %s: %i at once', (cores, size, parallel) => {
  expect(queueBoundsOf(cores, size)).toEqual({ parallel, waiting: parallel * 100 })
})
