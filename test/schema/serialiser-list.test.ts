import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonPage } from '../../src/schema/serialiser.ts'
import { runs } from '../runs.ts'

const weigh = (json: object): number =>
  Object.values(json).reduce((sum, value) => sum + (typeof value === 'string' ? value.length : 1), 0)
const same = { toJson: (item: object): object => item, weigh }
const shell = { items: 'items', rest: { count: null, next: 'é' } }

it('writes what JSON.stringify writes, up to exactly as many bytes as are allowed', () => {
  const item = fc.dictionary(
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue(), fc.constant('x'.repeat(400_000))),
    { maxKeys: 4 },
  )
  fc.assert(
    fc.property(fc.array(item, { minLength: 2, maxLength: 8 }), (items) => {
      const text = JSON.stringify(items)
      const bytes = Buffer.byteLength(text)
      const whole = `{"items":${text},${JSON.stringify(shell.rest).slice(1)}`
      const written = { names: [], texts: items.map(() => '') }
      for (const texts of [undefined, written]) {
        expect(jsonPage(items, same, shell, bytes, texts)).toBe(whole)
        expect(jsonPage(items, same, shell, bytes - 1, texts)).toBe(undefined)
      }
    }),
    runs(30),
  )
})

it('writes members of any names', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.constantFrom('0', '7', '12', '__proto__', 'toJSON'),
  )
  const large = { about: 'x'.repeat(600_000) }
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), fc.boolean(), (names, isLarge) => {
      const [first = '', ...others] = names
      const items = isLarge ? [large, { id: 1 }, large] : [{ id: 1 }]
      const rest = Object.fromEntries(others.map((other, at) => [other, at]))
      const members = [[first, items], ...others.map((other, at) => [other, at])]
      const whole = `{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`
      for (const written of [undefined, { names: [], texts: [] }]) {
        const text = jsonPage(items, same, { items: first, rest }, Number.POSITIVE_INFINITY, written)
        expect(JSON.parse(text ?? '')).toEqual(JSON.parse(whole))
        expect(text).toHaveLength(whole.length)
      }
    }),
    runs(40),
  )
})

it('writes no more than a batch beyond the bound', () => {
  let written = 0
  const items = Array.from({ length: 1000 }, () => ({ about: 'x'.repeat(100_000) }))
  const counted = (item: object): object => {
    written++
    return item
  }
  expect(jsonPage(items, { toJson: counted, weigh }, shell, 5_000_000)).toBe(undefined)
  expect(written).toBeLessThanOrEqual(70)
})
