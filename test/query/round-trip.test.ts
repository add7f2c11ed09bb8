import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Condition } from '../../src/query/ast.ts'
import { anyCondition } from './any-condition.ts'
import { printCondition, type Style } from './print.ts'
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

/** The conditions that all apply, each of which may stand in a `q` of its own. */
const partsOf = (filter: Condition): readonly Condition[] =>
  filter.op === 'and' && filter.conditions.length > 0 ? filter.conditions : [filter]

/** One of `q`s or segments; several conditions of one `q` are joined inside of it. */
const carriers: readonly ((condition: Condition, style: Style) => string)[] = [
  (condition, style) => encoded(printPart(condition, style)),
  (condition, style) => `q=${typed(printPart(condition, style))}`,
  (condition, style) => `q=&q=${typed(`&${printPart(condition, style)}&`)}`,
  (condition, style) => {
    const segment = printCondition(condition, product, 'segment', style)
    return segment.startsWith('limit') ? encoded(segment) : typed(segment)
  },
]

/** An `and` among the parts is a group. */
const printPart = (condition: Condition, style: Style): string =>
  printCondition(condition, product, condition.op === 'and' ? 'group' : 'q', style)

it('reads what was printed, spread over several q and segments, in any form and quoting', () => {
  const carrier = fc.constantFrom(...carriers)
  const ways = fc.infiniteStream(fc.record({ carrier, quoted: fc.boolean() }))
  fc.assert(
    fc.property(anyCondition, ways, (filter, stream) => {
      const query = partsOf(filter)
        .map((part) => {
          const { carrier, quoted } = stream.next().value
          return carrier(part, { quoted })
        })
        .join('&')
      expect(filterOf(query), query).toEqual(filter)
    }),
    { numRuns: 2000 },
  )
})

it('reads instants with any offset, its plus typed, encoded, or a space in between', () => {
  const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })
  const forms = fc.constantFrom<(text: string) => string>(
    (text) => `q=${text.replaceAll('&', '%26')}`,
    (text) => text,
    (text) => `q=${text.replaceAll(':', '%3A')}`,
    (text) => encoded(text),
    (text) => `q=(${text})`,
  )
  const instant = fc.date({
    min: new Date('0002-01-01T00:00:00Z'),
    max: new Date('9998-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(instant, offset, forms, fc.constantFrom('>=', '==', '<'), (value, minutes, write, sign) => {
      const local = new Date(value.getTime() + minutes * 60_000).toISOString().slice(0, -1)
      const clock = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
      const zone = `${minutes < 0 ? '-' : '+'}${clock.map((part) => String(part).padStart(2, '0')).join(':')}`
      const query = write(`released${sign}${local}${zone}`)
      expect(filterOf(query), query).toMatchObject({ field: 'released', value })
    }),
  )
})

it('takes every plus of a text as a space, and every encoded one as a plus', () => {
  const letter = fc.constantFrom('+', ' ', 'a', '1', 'T', ':')
  fc.assert(
    fc.property(fc.array(letter, { minLength: 1, maxLength: 12 }), (letters) => {
      const text = letters.join('')
      const written = text.replaceAll('+', '%2B').replaceAll(' ', '+')
      for (const query of [`name==${written}`, `q=name==${written}`, `q=(name==${written})`])
        expect(filterOf(query), query).toEqual({ op: 'eq', field: 'name', value: text })
    }),
  )
})
