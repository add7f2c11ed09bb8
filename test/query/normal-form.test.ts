import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Comparison, Condition } from '../../src/query/ast.ts'
import { compareValues, type Evaluation, holds } from '../../src/query/evaluate.ts'
import { type LeafOperator, type NormalCondition, normalForm } from '../../src/query/normal-form.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'

type Row = Readonly<Record<string, unknown>>

const names = ['a', 'b', 'constructor'] as const
const model = modelOf('Thing', [
  fieldNamed('id', 'integer', 'number'),
  ...names.map((name) => fieldNamed(name, 'text', 'string', { nullable: true })),
])
const texts = ['', 'a', 'A', 'ab', 'b'] as const

/** The record at the end of `next`. */
const evaluation = (next: Row | null): Evaluation => ({
  model,
  related: () => (next === null ? [] : [{ row: next, by: { model }, link: { row: next, by: { model } } }]),
})

/** Like SQL: a leaf is true, false or, for null, whatever `orNull` says. */
const isTrue = (condition: NormalCondition, row: Row, next: Row | null): boolean => {
  switch (condition.op) {
    case 'always':
      return true
    case 'never':
      return false
    case 'and':
      return condition.conditions.every((inner) => isTrue(inner, row, next))
    case 'or':
      return condition.conditions.some((inner) => isTrue(inner, row, next))
    case 'related': {
      const { condition: inner, link } = condition
      const isSome =
        next !== null && isTrue(inner, next, null) && (link === undefined || isTrue(link, next, null))
      return isSome === condition.isSome
    }
    case 'inside':
    case 'inside-not':
      return holds(condition.condition, row, { model }) === (condition.op === 'inside')
    case 'is-null':
      return row[condition.field] === null
    case 'is-not-null':
      return row[condition.field] !== null
    default: {
      const stored = row[condition.field]
      if (stored === null) return condition.orNull
      const order = (value: unknown): number => compareValues(stored, value, { kind: 'text' })
      if ('values' in condition) {
        const isAmong = condition.values.some((value) => order(value) === 0)
        return isAmong === (condition.op === 'in')
      }
      return leaves[condition.op](order(condition.value), `${stored}`, `${condition.value}`)
    }
  }
}

const contains = (stored: string, value: string): boolean =>
  stored.toLowerCase().includes(value.toLowerCase())

type ValuedOperator = Exclude<LeafOperator, 'in' | 'in-not' | 'is-null' | 'is-not-null'>

const leaves: Readonly<Record<ValuedOperator, (order: number, stored: string, value: string) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  ties: (order) => order === 0,
  unties: (order) => order !== 0,
  contains: (_order, stored, value) => contains(stored, value),
  'contains-not': (_order, stored, value) => !contains(stored, value),
  'starts-with': (_order, stored, value) => stored.startsWith(value),
  'starts-with-not': (_order, stored, value) => !stored.startsWith(value),
  'equals-ignoring-case': (_order, stored, value) => stored.toLowerCase() === value.toLowerCase(),
  'equals-ignoring-case-not': (_order, stored, value) => stored.toLowerCase() !== value.toLowerCase(),
}

const field = fc.constantFrom(...names)
const value = fc.constantFrom(...texts)
const compared = fc.option(value, { freq: 5 })
const operators: readonly Comparison[] = [
  ...(['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'contains', 'starts-with', 'equals-ignoring-case'] as const),
]

const conditions: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((part) => ({
  condition: fc.oneof(
    { maxDepth: 5 },
    fc.record({ op: fc.constantFrom(...operators), field, value: compared }),
    fc.record({ op: fc.constant('in' as const), field, values: fc.array(compared, { maxLength: 2 }) }),
    fc.record({ op: fc.constantFrom('is-null' as const, 'is-not-null' as const), field }),
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      conditions: fc.array(part('condition'), { maxLength: 3 }),
    }),
    fc.record({ op: fc.constant('json-null' as const), field, path: fc.constant(['a']) }),
    fc.record({ op: fc.constant('not' as const), condition: part('condition') }),
    fc.record({ op: fc.constant('tie' as const), field, value: compared, condition: part('condition') }),
    fc.record({
      op: fc.constant('related' as const),
      relation: fc.constant('next'),
      condition: part('condition'),
    }),
    fc.record({
      op: fc.constant('related' as const),
      relation: fc.constant('next'),
      condition: part('condition'),
      link: part('condition'),
    }),
  ),
})).condition

const rows = fc.record({
  id: fc.constant(1),
  ...Object.fromEntries(names.map((name) => [name, fc.option(value, { freq: 2 })])),
})

/** All conditions inside one. */
const allIn = (condition: NormalCondition): readonly NormalCondition[] => {
  const inner =
    'conditions' in condition
      ? condition.conditions
      : condition.op === 'related'
        ? [condition.condition, ...(condition.link === undefined ? [] : [condition.link])]
        : []
  return [condition, ...inner.flatMap(allIn)]
}

describe('the normal form', () => {
  it('means the same as the condition', () => {
    fc.assert(
      fc.property(conditions, rows, fc.option(rows), (condition, row, next) => {
        const expected = holds(condition, row, evaluation(next))
        expect(isTrue(normalForm(condition), row, next)).toBe(expected)
        expect(isTrue(normalForm({ op: 'not', condition }), row, next)).toBe(!expected)
      }),
      { numRuns: 5000 },
    )
  })

  it('has no negation, no empty list and no constant part', () => {
    fc.assert(
      fc.property(conditions, (condition) => {
        const whole = normalForm(condition)
        const parts = allIn(whole)
        const operators = parts.map(({ op }) => op as string)
        expect(operators).not.toContain('not')
        for (const part of parts) {
          if ('values' in part) expect(part.values.length).toBeGreaterThan(0)
          if ('value' in part) expect(part.value).toBeDefined()
          if (part.op !== 'and' && part.op !== 'or') continue
          expect(part.conditions.length).toBeGreaterThan(1)
          expect(part.conditions.map(({ op }) => op)).not.toContain('always')
          expect(part.conditions.map(({ op }) => op)).not.toContain('never')
        }
      }),
      { numRuns: 3000 },
    )
  })

  test.each<[string, Condition, NormalCondition]>([
    [
      'a negated comparison, which holds for null',
      { op: 'not', condition: { op: 'lt', field: 'a', value: 'x' } },
      { op: 'ge', field: 'a', value: 'x', orNull: true },
    ],
    [
      'ne, which holds for null',
      { op: 'ne', field: 'a', value: 'x' },
      { op: 'ne', field: 'a', value: 'x', orNull: true },
    ],
    [
      'a negated ne, which does not',
      { op: 'not', condition: { op: 'ne', field: 'a', value: 'x' } },
      { op: 'eq', field: 'a', value: 'x', orNull: false },
    ],
    ['an empty list', { op: 'in', field: 'a', values: [] }, { op: 'never' }],
    ['not an empty list', { op: 'not', condition: { op: 'in', field: 'a', values: [] } }, { op: 'always' }],
    [
      'a negated relation',
      { op: 'not', condition: { op: 'related', relation: 'next', condition: { op: 'and', conditions: [] } } },
      { op: 'related', relation: 'next', isSome: false, condition: { op: 'always' } },
    ],
    [
      'a relation that can never hold',
      { op: 'related', relation: 'next', condition: { op: 'in', field: 'a', values: [] } },
      { op: 'never' },
    ],
    [
      'a relation whose link can never hold',
      {
        ...{ op: 'related', relation: 'next', condition: { op: 'and', conditions: [] } },
        link: { op: 'in', field: 'a', values: [] },
      },
      { op: 'never' },
    ],
    [
      'a link that always holds',
      {
        op: 'not',
        condition: {
          ...{ op: 'related', relation: 'next', condition: { op: 'is-null', field: 'a' } },
          link: { op: 'and', conditions: [] },
        },
      },
      { op: 'related', relation: 'next', isSome: false, condition: { op: 'is-null', field: 'a' } },
    ],
  ])('of %s', (_, condition, expected) => {
    expect(normalForm(condition)).toEqual(expected)
  })

  test.each<Condition>([
    { op: 'eq', field: 'a', value: undefined },
    { op: 'in', field: 'a', values: ['x', undefined] },
    { op: 'tie', field: 'a', value: undefined, condition: { op: 'and', conditions: [] } },
    { op: 'not', condition: { op: 'contains', field: 'a', value: undefined } },
  ])('refuses a value that is undefined in $op', (condition) => {
    expect(() => normalForm(condition)).toThrow(/\ba\b/)
  })
})
