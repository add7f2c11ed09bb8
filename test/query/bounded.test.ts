import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HttpError } from '../../src/error/errors.ts'
import type { Condition } from '../../src/query/ast.ts'
import { read } from './read.ts'
import { rules } from './sample.ts'

interface Size {
  /** Comparisons, tests for null and lists. */
  readonly leaves: number
  readonly nodes: number
  readonly values: number
  readonly depth: number
}

const leaf = (values: number): Size => ({ leaves: 1, nodes: 1, values, depth: 1 })

const sizeOf = (condition: Condition): Size => {
  switch (condition.op) {
    case 'and':
    case 'or': {
      const inner = condition.conditions.map(sizeOf)
      const sum = (what: keyof Size) => inner.reduce((all, each) => all + each[what], 0)
      return {
        leaves: sum('leaves'),
        nodes: 1 + sum('nodes'),
        values: sum('values'),
        depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
      }
    }
    case 'not': {
      const inner = sizeOf(condition.condition)
      return { ...inner, nodes: inner.nodes + 1, depth: inner.depth + 1 }
    }
    case 'in':
      return leaf(condition.values.length)
    case 'is-null':
    case 'is-not-null':
      return leaf(0)
    default:
      return leaf(1)
  }
}

const BYTES = rules.maxQueryBytes
const start = fc.constantFrom(
  '',
  'q=',
  'q=(',
  'q=((',
  'q=!(',
  'name==',
  'name!=',
  'name=',
  'id==1',
  'q=name=="',
  'search=',
)
const piece = fc.constantFrom(
  ...[
    '(',
    ')',
    '!',
    '!(',
    '|',
    '&',
    '%26',
    ',',
    ',,',
    'null,',
    '"',
    '\\"',
    '\\\\',
    '%22',
    '%25',
    '+',
    ' ',
    'x',
    '1,',
  ],
  ...[
    'id=1',
    'id=1&',
    'id=1|',
    '(id=1|',
    '(id=1)&',
    '!(id=1)%26',
    'id==1,null&',
    'q=id=1&',
    'sort=id&',
    'fields=id,',
  ],
)
const end = fc.constantFrom('', ')', '))', '"', 'id=1', 'id=1)', ')'.repeat(10))

/** A beginning, something again and again, often up to the limit, and an end. */
const long = fc
  .tuple(
    start,
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    end,
    fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(BYTES)),
  )
  .map(([before, pieces, after, times]) => {
    const part = pieces.join('')
    const room = Math.floor((BYTES - before.length - after.length) / part.length)
    return before + part.repeat(Math.max(1, Math.min(times, room))) + after
  })

it('what is read stays within the limits, however long its text', () => {
  const accepted: Size[] = []
  fc.assert(
    fc.property(long, (query) => {
      let filter: Condition
      let order: readonly unknown[]
      try {
        const { selection } = read(query)
        filter = selection.filter
        order = selection.order
      } catch (error) {
        // The error does not grow with the input either.
        if (!(error instanceof HttpError)) throw error
        expect(JSON.stringify(error).length + error.detail.length).toBeLessThan(2000)
        return
      }
      const size = sizeOf(filter)
      accepted.push(size)
      // `==a,null` is two, and so is what search asks for besides.
      expect(size.leaves).toBeLessThanOrEqual(2 * rules.maxConditions + 20)
      // Each group is a list of alternatives of lists, which may be negated; so is `!=a,null`.
      expect(size.depth).toBeLessThanOrEqual(3 * rules.maxDepth + 5)
      expect(size.nodes).toBeLessThanOrEqual(1 + size.leaves * (3 * rules.maxDepth + 5))
      // An empty text is a value, and takes but its comma.
      expect(size.values).toBeLessThanOrEqual(query.length + 20)
      expect(order.length).toBeLessThanOrEqual(rules.maxSorts + 1)
    }),
    { numRuns: 5000 },
  )
  expect(Math.max(...accepted.map(({ values }) => values))).toBeGreaterThan(1000)
  expect(Math.max(...accepted.map(({ leaves }) => leaves))).toBeGreaterThan(10)
})
