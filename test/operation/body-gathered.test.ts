import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Gathered } from '../../src/operation/body.ts'

it('gives back all pieces in their order, whatever their sizes', () => {
  const piece = fc.oneof(fc.uint8Array({ maxLength: 3 }), fc.uint8Array({ maxLength: 3000 }))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 50 }), (pieces) => {
      const gathered = new Gathered()
      for (const each of pieces) gathered.add(each)
      const whole = Buffer.concat(pieces)
      expect(gathered.size).toBe(whole.length)
      expect(Buffer.compare(Buffer.from(gathered.whole()), whole)).toBe(0)
    }),
  )
})

it('never writes into a piece that it was given', () => {
  const [first, second] = [Uint8Array.of(1, 2, 3), Uint8Array.of(4)]
  const gathered = new Gathered()
  gathered.add(first.subarray(0, 1))
  expect(gathered.whole().buffer).toBe(first.buffer)
  gathered.add(second)
  gathered.add(second)
  expect([[...first], [...second], [...gathered.whole()]]).toEqual([[1, 2, 3], [4], [1, 4, 4]])
})
