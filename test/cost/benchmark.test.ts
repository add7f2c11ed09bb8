import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { assertQuiet, told, usedPart } from '../../bench/besides.ts'
import { databases, type Filled } from '../../bench/databases.ts'
import { dialects, kinds } from '../../bench/dialects.ts'
import { assertSame } from '../../bench/same.ts'
import { open as openByHand } from '../../bench/sides/by-hand.ts'
import { open as openOurs, openSync } from '../../bench/sides/modelrest.ts'
import { open as openNest } from '../../bench/sides/modelrest-nest.ts'
import { naming } from '../naming.ts'

let filled: Filled
beforeAll(async () => {
  filled = await databases.sqlite()
})
afterAll(() => filled.close())

test.each([
  ['modelrest', openOurs],
  ['modelrest-sync', openSync],
  ['modelrest-nest', openNest],
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

test('a machine that does other things is told, and measures no page', async () => {
  const busy = spawn(process.execPath, ['-e', 'for (;;);'])
  onTestFinished(() => void busy.kill())
  const used = await usedPart(500)
  expect(told(used)).toMatch(naming(`${Math.round(used * 100)} %`))
  expect(() => assertQuiet(used)).toThrow(naming('10 %', '--only'))
  expect(() => assertQuiet(0.05)).not.toThrow()
})
