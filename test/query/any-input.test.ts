import fc from 'fast-check'
import { expect, it } from 'vitest'
import { read } from './read.ts'
import { product } from './sample.ts'

const names = product.fields.map(({ name }) => name)
const parameters = [
  'q=',
  'sort=',
  'order=',
  'limit=',
  'offset=',
  'page=',
  'count=',
  'fields=',
  'search=',
  'cursor=',
]
const signs = [
  '=',
  '==',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  '(',
  ')',
  '!(',
  '|',
  '&',
  '"',
  '\\',
  ',',
  'null',
  '+',
  ' ',
]
const escapes = ['%26', '%22', '%3D', '%25', '%2B', '%', '%F', '%ff', '%00', '%ed%a0%80', '%F0%9F%98%80']
const values = ['1', '-1', '9.90', 'true', 'asc', '2024-01-01', '2024-01-01T00:00:00+02:00', '1e300', 'none']
const piece = fc.oneof(
  fc.constantFrom(...names, ...parameters, ...signs, ...escapes, ...values),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const anything = fc.oneof(
  fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

it.each(['limit-offset', 'page-number', 'cursor'] as const)(
  'is read or answered with a 400: %s',
  (paging) => {
    fc.assert(
      fc.property(anything, (query) => {
        try {
          const { selection } = read(query, { paging: [paging] })
          expect(Number.isSafeInteger(selection.limit) && Number.isSafeInteger(selection.offset)).toBe(true)
          expect(selection.order.at(-1)?.field).toBeDefined()
        } catch (error) {
          expect(error).toMatchObject({ name: 'HttpError', status: 400 })
          expect(error).toHaveProperty(['errors', 0, 'parameter'], expect.stringMatching(/\S|\s/))
        }
      }),
      { numRuns: 10_000 },
    )
  },
)

it('never tells a field that cannot be read from one that is not there', () => {
  const around = fc.constantFrom(
    'NAME=x',
    'q=NAME%3D%3Dx',
    'NAME>1',
    'sort=NAME',
    'fields=NAME',
    'fields=id,NAME,price',
    'q=(NAME!=null)',
    'q=id=1%26NAME%3C2',
  )
  fc.assert(
    fc.property(around, fc.constantFrom('password', 'internal'), (query, hidden) => {
      const answer = (name: string) => {
        try {
          return read(query.replace('NAME', name))
        } catch (error) {
          return JSON.stringify(error, ['code', 'detail', 'errors', 'parameter']).replaceAll(name, 'NAME')
        }
      }
      expect(answer(hidden)).toBe(answer(`${hidden.slice(0, -1)}_`))
    }),
  )
})
