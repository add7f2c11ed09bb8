import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Condition } from '../../src/query/ast.ts'
import { anyCondition } from './any-condition.ts'
import { printCondition } from './print.ts'
import { encoded, filterOf } from './read.ts'
import { product } from './sample.ts'

/** As people type it: encoded is only what would mean something else. */
const typed = (text: string): string => text.replaceAll(/[%&+]/g, encodeURIComponent).replaceAll(' ', '+')

const roundTrip = (write: (filter: Condition) => string): void => {
  fc.assert(
    fc.property(anyCondition, (filter) => {
      expect(filterOf(write(filter))).toEqual(filter)
    }),
    { numRuns: 2000 },
  )
}

it('reads what was printed, percent-encoded in q', () => {
  roundTrip((filter) => encoded(printCondition(filter, product)))
})

it('reads what was printed, typed in q', () => {
  roundTrip((filter) => `q=${typed(printCondition(filter, product))}`)
})

it('reads what was printed, each condition a segment of its own', () => {
  roundTrip((filter) =>
    (filter.op === 'and' ? filter.conditions : [filter])
      .map((condition) => printCondition(condition, product, 'segment'))
      // The sample has a field that is named like a parameter.
      .map((segment) => (segment.startsWith('limit') ? encoded(segment) : typed(segment)))
      .join('&'),
  )
})

it('reads what was printed, with every character percent-encoded', () => {
  const escaped = (text: string): string =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  roundTrip((filter) => `q=${escaped(printCondition(filter, product))}`)
})
