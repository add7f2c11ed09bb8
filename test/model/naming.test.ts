import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  irregular,
  modelNameOf,
  otherPlurals,
  pathOf,
  plural,
  singular,
  unchanging,
  wordsOf,
} from '../../src/model/naming.ts'
import type { ModelNameOf, Plural, Singular } from '../../src/model/naming-types.ts'
import { tableKeys, wordPairs } from './word-pairs.ts'

/** The pairs on which the type level disagrees: `tsc` refuses the constants below where there are any. */
type Same<Left, Right> = [Left, Right] extends [Right, Left] ? true : false
type WrongPair<Pair> = Pair extends readonly [infer One extends string, infer Many extends string]
  ? Same<[Plural<One>, Singular<Many>, Singular<One>], [Many, One, One]> extends true
    ? never
    : Pair
  : Pair
type WrongKey<Row> = Row extends readonly [infer Key extends string, infer Name extends string, string]
  ? Same<ModelNameOf<Key>, Name> extends true
    ? never
    : Row
  : Row
type None<Wrong> = [Wrong] extends [never] ? 0 : Wrong

describe('words', () => {
  it('are at least 200, each of them once', () => {
    expect(new Set(wordPairs.map(([one]) => one)).size).toBe(wordPairs.length)
    expect(wordPairs.length).toBeGreaterThanOrEqual(200)
  })

  it('are the same at type level', () => {
    const wrongPairs: None<WrongPair<(typeof wordPairs)[number]>> = 0
    const wrongKeys: None<WrongKey<(typeof tableKeys)[number]>> = 0
    expect([wrongPairs, wrongKeys]).toEqual([0, 0])
  })

  it.each(wordPairs)('%s, %s', (one, many) => {
    expect([plural(one), singular(many), singular(one)]).toEqual([many, one, one])
  })

  it('come back from their plural where they are in the table', () => {
    for (const word of [...Object.keys(irregular), ...Object.keys(unchanging)]) {
      expect([word, singular(plural(word)), singular(word)]).toEqual([word, word, word])
    }
    for (const [many, one] of Object.entries(otherPlurals)) expect(singular(many)).toBe(one)
  })

  it('are never inflected to nothing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => {
        expect(singular(word)).not.toBe('')
        expect(plural(word).length).toBeGreaterThanOrEqual(2)
      }),
    )
  })
})

describe('model names', () => {
  it.each(tableKeys)('%s is %s under /%s', (key, name, path) => {
    expect([modelNameOf(key), pathOf(name)]).toEqual([name, path])
  })

  it('inflect the last word of a compound alone', () => {
    expect([plural('OrderItem'), plural('SalesPerson'), singular('NewsItems')]).toEqual([
      'OrderItems',
      'SalesPeople',
      'NewsItem',
    ])
  })

  it('are a union for a union of keys', () => {
    const names: readonly ModelNameOf<'orderItems' | 'people'>[] = ['OrderItem', 'Person']
    // @ts-expect-error: no mixture of the two
    const mixture: ModelNameOf<'orderItems' | 'people'> = 'OrderPerson'
    expect(names).not.toContain(mixture)
  })
})

it.each([
  ['resetToken2', ['reset', 'token', '2']],
  ['api_key', ['api', 'key']],
  ['APIKey', ['api', 'key']],
  ['password', ['password']],
  ['Straßen-Name', ['straßen', 'name']],
  ['', []],
])('the words of %s', (name, words) => {
  expect(wordsOf(name)).toEqual(words)
})
