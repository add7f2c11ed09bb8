import { expect, it } from 'vitest'
import { faults, harmless } from '../mutation/faults.ts'

it('a fault can be planted in each place that passes a guard on, under a name of its own', () => {
  const all = faults()
  const names = all.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(70)
  const keys = new Set(all.map(({ key }) => key))
  expect(keys.size).toBe(all.length)
  expect([...harmless.keys()].filter((key) => !keys.has(key))).toEqual([])
})
