import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Cost, type Costs, deviations, figures, type Kind, measureCosts } from './costs.ts'
import { plants } from './plants.ts'

const stored = JSON.parse(readFileSync(figures, 'utf8')) as Costs
const kinds = Object.keys(stored) as Kind[]

test('a request costs what it did: run node scripts/costs.ts if a change is meant', async () => {
  expect(deviations(await measureCosts(), stored)).toEqual([])
})

describe('the gate', () => {
  test.each(Object.keys(plants))('finds %s in each kind of request', async (plant) => {
    const found = deviations(await measureCosts(plant), stored)
    expect(kinds.filter((kind) => !found.some((line) => line.startsWith(`${kind}:`)))).toEqual([])
  })

  test.each(
    kinds.flatMap((kind) => (['statements', 'steps', 'bytes'] as const).map((unit) => ({ kind, unit }))),
  )('finds a fifth more, or less, of the $unit of $kind alone', ({ kind, unit }) => {
    const times = (factor: number): Costs => {
      const cost: Cost = { ...stored[kind], [unit]: stored[kind][unit] * factor }
      return { ...stored, [kind]: cost }
    }
    expect(deviations(times(1.2), stored)).toHaveLength(1)
    expect(deviations(times(0.8), stored)).toHaveLength(1)
  })
})
