import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases, type Filled } from '../../bench/databases.ts'
import { dialects, kinds } from '../../bench/dialects.ts'
import { assertSame } from '../../bench/same.ts'
import { open as openByHand } from '../../bench/sides/by-hand.ts'
import { open as openOurs } from '../../bench/sides/modelrest.ts'

let filled: Filled
beforeAll(async () => {
  filled = await databases.sqlite()
})
afterAll(() => filled.close())

test.each([
  ['modelrest', openOurs],
  ['by-hand', openByHand],
] as const)('%s answers what the benchmark asks, from the records of the table', async (side, open) => {
  const { origin, close } = await open('sqlite', await filled.copy(side))
  try {
    expect(Object.keys(dialects[side].requests).sort()).toEqual([...kinds].sort())
    await assertSame(side, origin, dialects[side])
  } finally {
    await close()
  }
})

test('a side that shows other records stops the benchmark', async () => {
  const { origin, close } = await openByHand('sqlite', await filled.copy('other'))
  const wrong = { ...dialects['by-hand'], count: () => 0 }
  try {
    await expect(assertSame('by-hand', origin, wrong)).rejects.toThrow('list with exact count')
  } finally {
    await close()
  }
})
