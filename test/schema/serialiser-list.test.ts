import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonPage } from '../../src/schema/serialiser.ts'

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
    fc.property(
      fc.array(item, { minLength: 2, maxLength: 8 }),
      fc.string({ unit: 'binary' }),
      (items, name) => {
        const text = JSON.stringify(items)
        const bytes = Buffer.byteLength(text)
        const named = { items: name, rest: { [`${name}é`]: null, next: 'é' } }
        const whole = `{${JSON.stringify(name)}:${text},${JSON.stringify(named.rest).slice(1)}`
        const written = { names: [], texts: items.map(() => '') }
        for (const texts of [undefined, written]) {
          expect(jsonPage(items, same, named, bytes, texts)).toBe(whole)
          expect(jsonPage(items, same, named, bytes - 1, texts)).toBe(undefined)
        }
      },
    ),
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
