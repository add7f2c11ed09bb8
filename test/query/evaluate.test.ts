import { describe, expect, it, test } from 'vitest'
import type { Comparison, Condition } from '../../src/query/ast.ts'
import { compareRows, compareValues, type Evaluation, holds } from '../../src/query/evaluate.ts'
import { naming } from '../naming.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'

const model = modelOf('Author', [
  fieldNamed('id', 'integer', 'number'),
  fieldNamed('name', 'text', 'string', { nullable: true }),
  fieldNamed('constructor', 'text', 'string', { nullable: true }),
])
const by: Evaluation = { model }
const row = { id: 1, name: 'Émile', constructor: null }

const is = (value: unknown, op: Comparison = 'eq'): Condition => ({ op, field: 'name', value })
const not = (condition: Condition): Condition => ({ op: 'not', condition })

describe('holds', () => {
  test.each<[string, Condition, boolean]>([
    ['equal texts', is('Émile'), true],
    ['texts that differ in case', is('émile'), false],
    ['a text that differs', is('Émile', 'ne'), false],
    ['a text before', is('Z', 'gt'), true],
    ['an ASCII letter in the other case', is('MILE', 'contains'), true],
    ['another letter in the other case', is('émile', 'contains'), false],
    ['a list with the value', { op: 'in', field: 'name', values: ['x', 'Émile'] }, true],
    ['an empty list', { op: 'in', field: 'name', values: [] }, false],
    ['not an empty list', not({ op: 'in', field: 'name', values: [] }), true],
    ['an empty and', { op: 'and', conditions: [] }, true],
    ['an empty or', { op: 'or', conditions: [] }, false],
    ['a tie', { op: 'tie', field: 'name', value: 'Émile', condition: is('Émile') }, true],
    ['a tie with another value', { op: 'tie', field: 'name', value: 'x', condition: is('Émile') }, false],
    ['a relation without a record', { op: 'related', relation: 'author', condition: is('x') }, false],
  ])('%s', (_, condition, expected) => {
    expect(holds(condition, row, by)).toBe(expected)
    expect(holds(not(condition), row, by)).toBe(!expected)
  })

  test.each<Comparison>(['eq', 'lt', 'le', 'gt', 'ge', 'contains'])('null is not %s', (op) => {
    expect(holds({ op, field: 'constructor', value: 'x' }, row, by)).toBe(false)
    expect(holds(not({ op, field: 'constructor', value: 'x' }), row, by)).toBe(true)
  })

  it('counts null as different, and never as tied', () => {
    expect(holds({ op: 'ne', field: 'constructor', value: 'x' }, row, by)).toBe(true)
    const tie: Condition = { op: 'tie', field: 'constructor', value: 'x', condition: is('Émile') }
    expect(holds(tie, row, by)).toBe(false)
    expect(holds({ op: 'is-null', field: 'constructor' }, row, by)).toBe(true)
  })

  test.each<Comparison>(['eq', 'lt', 'le', 'gt', 'ge', 'contains'])('nothing is %s null', (op) => {
    for (const field of ['name', 'constructor']) {
      expect(holds({ op, field, value: null }, row, by)).toBe(false)
      expect(holds(not({ op, field, value: null }), row, by)).toBe(true)
    }
  })

  it('takes everything as different from null, also in lists and ties', () => {
    for (const field of ['name', 'constructor']) {
      expect(holds({ op: 'ne', field, value: null }, row, by)).toBe(true)
      expect(holds({ op: 'in', field, values: [null] }, row, by)).toBe(false)
      const condition: Condition = { op: 'and', conditions: [] }
      expect(holds({ op: 'tie', field, value: null, condition }, row, by)).toBe(false)
    }
  })

  it('takes a missing value as null', () => {
    const { constructor: _missing, ...part } = row
    expect(holds({ op: 'is-null', field: 'constructor' }, part, by)).toBe(true)
    expect(holds({ op: 'eq', field: 'constructor', value: 'x' }, part, by)).toBe(false)
  })

  it('refuses a condition without a value', () => {
    expect(() => holds(is(undefined), row, by)).toThrow(naming('name'))
    expect(() => holds({ op: 'in', field: 'name', values: [undefined] }, row, by)).toThrow(naming('name'))
  })

  it('folds all letters if the source does', () => {
    expect(holds(is('émile', 'contains'), row, { model, unicodeCaseFolding: true })).toBe(true)
  })

  it('asks for the related record', () => {
    const related: Condition = { op: 'related', relation: 'friend', condition: is('Bea') }
    const friends = { model, related: () => [{ row: { id: 2, name: 'Bea', constructor: null }, by }] }
    expect(holds(related, row, friends)).toBe(true)
    expect(holds(not(related), row, friends)).toBe(false)
  })

  it('asks for at least one of several related records, and for its record of the join table', () => {
    const named = (name: string, rank: number) => ({
      ...{ row: { id: 2, name, constructor: null }, by },
      link: { row: { id: rank, name: null, constructor: null }, by },
    })
    const friends: Evaluation = { model, related: () => [named('Ann', 1), named('Bea', 2)] }
    const friend = (name: string, rank?: number): Condition => ({
      ...{ op: 'related', relation: 'friend', condition: is(name) },
      ...(rank !== undefined && { link: { op: 'eq', field: 'id', value: rank } }),
    })
    const found = (condition: Condition, of = friends): boolean => holds(condition, row, of)
    expect([found(friend('Ann')), found(friend('Bea')), found(friend('Cy'))]).toEqual([true, true, false])
    expect([found(friend('Ann', 1)), found(friend('Ann', 2)), found(friend('Bea', 2))]).toEqual([
      true,
      false,
      true,
    ])
    const unlinked: Evaluation = { model, related: () => [{ row: { id: 2, name: 'Ann' }, by }] }
    expect([found(friend('Ann'), unlinked), found(friend('Ann', 1), unlinked)]).toEqual([true, false])
  })
})

describe('compareValues', () => {
  test.each([
    ['decimal', '10.0', '9.90'],
    ['decimal', '-0.01', '-0.02'],
    ['decimal', '0.1', '-0.1'],
    ['decimal', '9007199254740993.0001', '9007199254740993'],
    ['bigint', 9007199254740993n, 9007199254740992n],
    ['text', 'é', 'z'],
    ['text', '🚀', '\uffff'],
    ['bytes', Buffer.from([2]), Buffer.from([1, 255])],
    ['datetime', new Date('2026-01-01T00:00:00.001Z'), new Date('2026-01-01T00:00:00.000Z')],
    ['boolean', true, false],
  ] as const)('sorts %s %s after %s', (kind, high, low) => {
    expect(Math.sign(compareValues(high, low, { kind }))).toBe(1)
    expect(Math.sign(compareValues(low, high, { kind }))).toBe(-1)
    expect(compareValues(high, high, { kind })).toBe(0)
  })

  it('takes decimals of different scale as equal', () => {
    expect(compareValues('1.50', '1.5', { kind: 'decimal' })).toBe(0)
    expect(compareValues('-0.5', '-0.50', { kind: 'decimal' })).toBe(0)
  })
})

test('compareRows sorts by each key, with null as the largest value', () => {
  const rows = [null, 'b', 'a', null].map((name, id) => ({ id, name, constructor: null }))
  const sorted = (...keys: readonly [string, 'asc' | 'desc'][]) =>
    rows
      .toSorted(
        compareRows(
          keys.map(([field, direction]) => ({ field, direction })),
          { model },
        ),
      )
      .map(({ id }) => id)
  expect(sorted(['name', 'asc'], ['id', 'asc'])).toEqual([2, 1, 0, 3])
  expect(sorted(['name', 'desc'], ['id', 'desc'])).toEqual([3, 0, 1, 2])
  expect(sorted(['constructor', 'asc'], ['id', 'desc'])).toEqual([3, 2, 1, 0])
})
