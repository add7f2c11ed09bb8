import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boundedIssues,
  clipped,
  HttpError,
  type Issue,
  pointerTo,
  shortened,
} from '../../src/error/errors.ts'
import { toProblem } from '../../src/error/problem.ts'

const letters = ['a', '/', '~', '"', '\\', '\u0000', '\u001f', 'é', '€', '😀', '\ud83d', '\udca9']
const long = fc
  .tuple(fc.constantFrom(...letters), fc.integer({ min: 0, max: 30_000 }), fc.string({ unit: 'binary' }))
  .map(([letter, times, rest]) => letter.repeat(times) + rest)
const issue: fc.Arbitrary<Issue> = fc.record(
  { code: fc.constant('invalid' as const), detail: long, pointer: long, parameter: long },
  { requiredKeys: ['code', 'detail'] },
)

describe('an error response', () => {
  it('has at most 64 kB, whatever stands in it', () => {
    const many = fc.tuple(fc.array(issue, { maxLength: 12 }), fc.integer({ min: 1, max: 30 }))
    fc.assert(
      fc.property(long, long, many, fc.constantFrom(422, 500), (detail, path, [issues, times], status) => {
        const errors = Array.from({ length: times }, () => issues).flat()
        const error = new HttpError(status, detail, { errors })
        expect(Buffer.byteLength(JSON.stringify(toProblem(error, path, 'request 1')))).toBeLessThan(64_000)
        expect(error.errors.length).toBeLessThanOrEqual(100)
        expect(error.message).toBe(error.detail)
        expect(boundedIssues(error.errors)).toEqual(error.errors)
      }),
      { numRuns: 200 },
    )
  })

  it('keeps what is short as it is', () => {
    const errors = [
      { pointer: '/a', code: 'invalid', detail: 'x'.repeat(300) },
      { parameter: 'limit', code: 'invalid_value', detail: 'é' },
    ] as const
    const error = new HttpError(422, 'x'.repeat(1000), { errors })
    expect([error.detail.length, error.errors]).toEqual([1000, errors])
  })
})

describe('a pointer', () => {
  it('is that of RFC 6901', () => {
    expect(pointerTo([])).toBe('')
    expect(pointerTo(['a/b', 0, 'm~n', ''])).toBe('/a~1b/0/m~0n/')
  })

  it('has cut keys, and never a part of an escape or of a character', () => {
    expect(pointerTo(['k'.repeat(1000), 7])).toBe(`/${'k'.repeat(250)}…/7`)
    expect(pointerTo(['~'.repeat(1000)])).toBe(`/${'~0'.repeat(250)}…`)
    expect(pointerTo(['😀'.repeat(1000)])).toBe(`/${'😀'.repeat(62)}…`)
  })
})

it('a text is cut between its characters', () => {
  fc.assert(
    fc.property(long, (text) => {
      const cut = clipped(text, 'place')
      expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(1000 + 2 + 3)
      expect(text.startsWith(cut === text ? cut : cut.slice(0, -1))).toBe(true)
      expect(cut.isWellFormed() || !text.isWellFormed()).toBe(true)
      expect([...shortened(text)].length).toBeLessThanOrEqual(61)
      expect(shortened(text).isWellFormed() || !text.isWellFormed()).toBe(true)
    }),
  )
})
