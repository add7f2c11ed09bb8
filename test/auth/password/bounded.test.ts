import { describe, expect, test } from 'vitest'
import { boundedBy, boundsOf } from '../../../src/auth/password/bounded.ts'

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

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a bound', () => {
  test('checklist 23: no more are under way at once than may be, and all that wait get their turn', async () => {
    const { state, work, ends } = works()
    const bounded = boundedBy({ parallel: 3, waiting: 10 })
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
    const bounded = boundedBy({ parallel: 2, waiting: 1 })
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
    const bounded = boundedBy({ parallel: 1, waiting: 0 })
    const first = bounded(work)
    await expect(bounded(work)).rejects.toMatchObject({ status: 503 })
    await turn()
    ends[0]?.()
    expect(await first).toBe('done')
  })

  test('a failed work frees its place', async () => {
    const bounded = boundedBy({ parallel: 1, waiting: 0 })
    await expect(bounded(() => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory')
    await turn()
    expect(await bounded(async () => 'done')).toBe('done')
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
  expect(boundsOf(cores, size)).toEqual({ parallel, waiting: parallel * 100 })
})
