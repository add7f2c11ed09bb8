import fc from 'fast-check'
import { expect, it } from 'vitest'
import { roundedTo } from '../../../src/source/sql/double.ts'

const finite = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -1070, max: 1023 }).map((exponent) => 2 ** exponent),
  fc.maxSafeInteger(),
)

/** A decimal with one more digit than it has. */
const beyond = (decimal: string): string => `${decimal}${decimal.includes('.') ? '' : '.'}0000000001`

it('the decimals between low and high are read as the number, and no others', () => {
  fc.assert(
    fc.property(finite, (value) => {
      const { low, high, isWithin } = roundedTo(value + 0)
      const [outer, inner] = value < 0 ? [low, high] : [high, low]
      expect([Number(low) === value, Number(high) === value]).toEqual([isWithin, isWithin])
      expect(Number(beyond(outer))).not.toBe(value)
      // Farther from zero than the end that is nearer to it.
      if (!inner.startsWith('-') || value < 0) expect(Number(beyond(inner))).toBe(value + 0)
    }),
    { examples: [[0], [-1.5], [5e-324], [Number.MAX_VALUE], [-(2 ** 53)], [0.1]], numRuns: 500 },
  )
})
