import { AssertionError } from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { has, matches, names, same } from '../../../src/testing/suite/assertions.ts'
import { naming } from '../../naming.ts'

const wrong = 'The adapter is wrong.'

const messageOf = (assertion: () => void): string => {
  try {
    assertion()
  } catch (error) {
    expect(error).toBeInstanceOf(AssertionError)
    return String((error as Error).message)
  }
  return ''
}

describe('an assertion that fails says what is wrong, and what is different', () => {
  it.each([
    ['same', () => same({ a: 1 }, { a: 2 }, wrong), ['a: 1', 'a: 2']],
    ['same', () => same([1], [1, undefined], wrong), ['undefined']],
    ['has', () => has({ a: { b: 1 }, c: 1 }, { a: { b: 2 } }, wrong), ['b: 1', 'b: 2']],
    ['matches', () => matches('abc', /^b/, wrong), ['abc', '/^b/']],
    ['names', () => names('limit 1000', ['limit', 100], wrong), ['100 is missing', 'limit 1000']],
    ['names', () => names('limits', ['limit'], wrong), ['limit is missing']],
  ])('%s', (_, assertion, different) => {
    expect(messageOf(assertion)).toMatch(naming(wrong, ...different))
  })

  it('holds where nothing is different', () => {
    same({ a: [1, { b: null }] }, { a: [1, { b: null }] }, wrong)
    has({ a: { b: 1 }, c: 1 }, { a: { b: 1 } }, wrong)
    matches('abc', /b/, wrong)
    names('GET, HEAD of /api/x+y', ['HEAD', 'GET', '/api/x+y'], wrong)
  })

  it('passes on what is no assertion', () => {
    const failing = {
      get a(): never {
        throw new TypeError('broken')
      },
    }
    expect(() => same(failing, { a: 1 }, wrong)).toThrow(TypeError)
  })
})
