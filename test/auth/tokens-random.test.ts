import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byHand, goodClaims, plain, signed, tokensOfPlain, tokensWith } from './tokens-sample.ts'

const hs = { tokens: tokensWith(), token: signed(goodClaims()) }
const es = {
  tokens: tokensOfPlain(plain('ES256')),
  token: byHand({ alg: 'ES256' }, goodClaims(), plain('ES256').sign),
}

/** One change of a text: at a place, characters away and others in. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  away: fc.nat({ max: 3 }),
  text: fc.oneof(fc.string({ maxLength: 3, unit: 'binary' }), fc.constantFrom('.', '=', 'A', '-', '_', '\n')),
})

const changed = (token: string, changes: readonly { at: number; away: number; text: string }[]): string =>
  changes.reduce((text, { at, away, text: other }) => {
    const place = Math.floor(at * text.length)
    return text.slice(0, place) + other + text.slice(place + away)
  }, token)

describe('random', () => {
  it.each([
    ['HS256', hs],
    ['ES256', es],
  ])('changes of a good %s token are never good', async (_name, { tokens, token }) => {
    expect(await tokens.verify(token, 'access')).toBeDefined()
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const other = changed(token, changes)
        fc.pre(other !== token)
        expect(await tokens.verify(other, 'access')).toBeUndefined()
      }),
      { numRuns: 1500 },
    )
  })

  it('texts are never good and never throw', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.stringMatching(/^[\w-]{0,80}\.[\w-]{0,80}\.[\w-]{0,80}$/),
      fc
        .array(fc.jsonValue(), { minLength: 1, maxLength: 5 })
        .map((parts) =>
          parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.'),
        ),
    )
    await fc.assert(
      fc.asyncProperty(text, async (token) => {
        expect(await hs.tokens.verify(token, 'access')).toBeUndefined()
        expect(await hs.tokens.verify(token, 'refresh')).toBeUndefined()
      }),
      { numRuns: 1500 },
    )
  })

  it('headers and claims, signed as ours, are refused or have all that is needed', async () => {
    const claims = fc.record(
      {
        iss: fc.constantFrom('service', 'other', null),
        aud: fc.oneof(fc.constantFrom('service-api', 'other'), fc.constant(['service-api']), fc.jsonValue()),
        sub: fc.oneof(fc.constant('7'), fc.jsonValue()),
        iat: fc.oneof(fc.constant(1), fc.jsonValue()),
        exp: fc.oneof(fc.constant(9_999_999_999), fc.jsonValue()),
        nbf: fc.oneof(fc.constant(1), fc.jsonValue()),
        type: fc.oneof(fc.constantFrom('access', 'refresh'), fc.jsonValue()),
        jti: fc.oneof(fc.constant('j'), fc.jsonValue()),
      },
      { requiredKeys: [] },
    )
    const header = fc.record({ alg: fc.constant('HS256'), kid: fc.jsonValue() }, { requiredKeys: ['alg'] })
    await fc.assert(
      fc.asyncProperty(header, claims, async (head, given) => {
        const verified = await hs.tokens.verify(byHand(head, given), 'access')
        if (verified === undefined) return
        expect(verified.claims).toMatchObject({
          ...{ iss: 'service', sub: expect.stringMatching(/./), iat: expect.any(Number), type: 'access' },
        })
        expect([given.aud].flat()).toContain('service-api')
        expect(Number.isSafeInteger(verified.claims.exp)).toBe(true)
        expect(verified.id).toMatch(/./)
      }),
      { numRuns: 1500 },
    )
  })
})
