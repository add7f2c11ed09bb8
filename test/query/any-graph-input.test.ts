import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HttpError } from '../../src/error/errors.ts'
import { parseAggregateRequest } from '../../src/query/aggregate.ts'
import type { Include } from '../../src/query/ast.ts'
import { listQueryOf, parseDetailRequest, parseListRequest } from '../../src/query/list-query.ts'
import type { ListRules } from '../../src/query/settings.ts'
import { runs } from '../runs.ts'
import { modelOf, rulesOf } from './graph.ts'

const names = ['Order', 'Item', 'Customer'].flatMap((name) => {
  const { fields, relations } = modelOf(name)
  return [...fields, ...relations].map((each) => each.name)
})
const parameters = [
  'q=',
  'sort=',
  'order=',
  'include=',
  'group=',
  'aggregate=',
  'limit=',
  'timezone=',
  'fields=',
  'search=',
]
const options = ['(limit=5', ';sort=', ';order=desc', ';q=', ';count=exact', ';fields=', '(q=', '(fields=']
const signs = [
  '=',
  '==',
  '!=',
  '>',
  '(',
  '((',
  ')',
  '!(',
  '|',
  '&',
  '%26',
  '"',
  '\\',
  ',',
  ';',
  '.',
  '..',
  'null',
  '1',
  'desc',
]
const functions = ['count', 'sum(', 'month(', 'avg(', 'UTC', 'Europe/Berlin', 'constructor', '__proto__']
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...names) },
  { weight: 2, arbitrary: fc.constantFrom(...parameters, ...options, ...functions) },
  { weight: 3, arbitrary: fc.constantFrom(...signs) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
)
const anything = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''))

const relationsIn = (include: readonly Include[]): number =>
  include.reduce((sum, each) => sum + 1 + relationsIn(each.include), 0)

const depthOf = (include: readonly Include[]): number =>
  Math.max(0, ...include.map((each) => 1 + depthOf(each.include)))

it.each<[string, (query: string, rules: ListRules) => unknown]>([
  ['list', (query, rules) => listQueryOf(parseListRequest(query, rules), rules)],
  [
    'cursor list',
    (query, rules) => listQueryOf(parseListRequest(query, { ...rules, paging: ['cursor'] }), rules),
  ],
  ['record', parseDetailRequest],
  ['aggregates', parseAggregateRequest],
])('any query string of a %s is read within the limits or answered with a 400', (_, parse) => {
  fc.assert(
    fc.property(anything, (query) => {
      const rules = rulesOf('Order')
      try {
        const { include = [], uses } = parse(query, rules) as {
          readonly include?: readonly Include[]
          readonly uses: readonly unknown[]
        }
        expect(relationsIn(include)).toBeLessThanOrEqual(rules.includeMaxRelations)
        expect(depthOf(include)).toBeLessThanOrEqual(rules.includeMaxDepth)
        expect(uses.length).toBeLessThanOrEqual(2 * (rules.maxConditions + rules.includeMaxRelations))
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        expect(error).toMatchObject({ status: 400, errors: [{ parameter: expect.stringMatching(/\S|\s/) }] })
      }
    }),
    runs(1500),
  )
})

const start = fc.constantFrom(
  '',
  'q=',
  'q=(',
  'sort=',
  'include=',
  'include=items(',
  'include=items(q=',
  'group=',
  'aggregate=',
)
const part = fc.constantFrom(
  ...['parent.', 'children.', 'items.of.', 'parent(', 'items(', '!(', '(', ')', 'id=1', '&', '%26', '|', ','],
  ...[
    'customer,',
    'items,',
    'items.product,',
    'limit=1;',
    'sort=id;',
    'sort=parent.id&',
    'q=id=1;',
    'count(id),',
  ],
  ...[
    'month(',
    '"',
    '\\"',
    ';',
    '.',
    'x',
    'customer.age=1&',
    'parent.parent.id=1&',
    'items(id=1)&',
    'items=null&',
  ],
)

it('the lookups of names grow with the length of the text at most, and errors do not', () => {
  fc.assert(
    fc.property(start, fc.array(part, { minLength: 1, maxLength: 3 }), (before, parts) => {
      const repeated = parts.join('')
      const query = (before + repeated.repeat(Math.ceil(8192 / repeated.length))).slice(0, 8192)
      const rules = rulesOf('Order')
      let lookups = 0
      const counting: ListRules = {
        ...rules,
        relationsOf: (model) => {
          lookups += 1
          return rules.relationsOf(model)
        },
      }
      for (const parse of [parseListRequest, parseDetailRequest, parseAggregateRequest]) {
        lookups = 0
        try {
          parse(query, counting)
        } catch (error) {
          if (!(error instanceof HttpError)) throw error
          expect(JSON.stringify(error).length + error.detail.length).toBeLessThan(3000)
        }
        expect(lookups).toBeLessThanOrEqual(query.length)
      }
    }),
    runs(600),
  )
})
