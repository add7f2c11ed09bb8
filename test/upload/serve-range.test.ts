import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRange } from '../../src/upload/serve.ts'

test.each([
  [undefined, 10, 'whole'],
  ['bytes=0-9', 10, { first: 0, last: 9 }],
  ['bytes=0-0', 10, { first: 0, last: 0 }],
  ['bytes=3-5', 10, { first: 3, last: 5 }],
  ['bytes=3-', 10, { first: 3, last: 9 }],
  ['bytes=9-', 10, { first: 9, last: 9 }],
  ['bytes=3-99', 10, { first: 3, last: 9 }],
  ['bytes=0-99999999999999999999999999', 10, { first: 0, last: 9 }],
  ['Bytes=3-5', 10, { first: 3, last: 5 }],
  ['bytes= 3-5 ', 10, { first: 3, last: 5 }],
  ['bytes=-3', 10, { first: 7, last: 9 }],
  ['bytes=-99', 10, { first: 0, last: 9 }],
  // No such bytes.
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=10-12', 10, 'unsatisfiable'],
  ['bytes=99999999999999999999999999-', 10, 'unsatisfiable'],
  [`bytes=${'9'.repeat(400)}-`, 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=-5', 0, 'unsatisfiable'],
  ['bytes=-0', 0, 'unsatisfiable'],
  // Ignored.
  ['bytes=5-3', 10, 'whole'],
  ['bytes=-', 10, 'whole'],
  ['bytes=', 10, 'whole'],
  ['bytes', 10, 'whole'],
  ['', 10, 'whole'],
  ['0-5', 10, 'whole'],
  ['lines=0-5', 10, 'whole'],
  ['bytes=a-b', 10, 'whole'],
  ['bytes=0x1-5', 10, 'whole'],
  ['bytes=1.5-5', 10, 'whole'],
  ['bytes=+1-5', 10, 'whole'],
  ['bytes=--5', 10, 'whole'],
  ['bytes=1-2-3', 10, 'whole'],
  ['bytes=1 - 2', 10, 'whole'],
  ['bytes=٣-٥', 10, 'whole'],
  // Several.
  ['bytes=0-1,3-4', 10, 'whole'],
  ['bytes=0-1, -1', 10, 'whole'],
  ['bytes=20-30,40-50', 10, 'whole'],
] as const)('%s of %i bytes', (header, size, expected) => {
  expect(readRange(header, size)).toEqual(expected)
})

const sizes = fc.nat({ max: 1000 })

test('whatever is sent, the bytes are there', () => {
  const headers = fc.oneof(
    fc.string(),
    fc.string().map((text) => `bytes=${text}`),
    fc.tuple(fc.bigInt({ min: 0n }), fc.bigInt({ min: 0n })).map(([one, other]) => `bytes=${one}-${other}`),
    fc.stringMatching(/^bytes=\d{0,4}-\d{0,4}$/),
  )
  fc.assert(
    fc.property(headers, sizes, (header, size) => {
      const span = readRange(header, size)
      if (typeof span === 'string') return
      expect(span.first).toBeGreaterThanOrEqual(0)
      expect(span.last).toBeGreaterThanOrEqual(span.first)
      expect(span.last).toBeLessThan(size)
    }),
    { numRuns: 2000 },
  )
})

test('what is asked for is what is sent, as slicing has it', () => {
  fc.assert(
    fc.property(sizes, sizes, sizes, (first, length, size) => {
      const bytes = Array.from({ length: size }, (_, index) => index)
      const of = (header: string) => {
        const span = readRange(header, size)
        return typeof span === 'string' ? span : bytes.slice(span.first, span.last + 1)
      }
      const from = bytes.slice(first)
      expect(of(`bytes=${first}-`)).toEqual(from.length > 0 ? from : 'unsatisfiable')
      expect(of(`bytes=${first}-${first + length}`)).toEqual(
        from.length > 0 ? from.slice(0, length + 1) : 'unsatisfiable',
      )
      if (length > 0 && size > 0) expect(of(`bytes=-${length}`)).toEqual(bytes.slice(-length))
    }),
  )
})
