import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { goodClaims, now, signed, tokensWith } from './tokens-sample.ts'

const START = 1_800_000_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START * 1000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const at = (second: number): void => {
  vi.setSystemTime((START + second) * 1000)
}

describe.each([0, 5, 60])('checklist 3: with a clock skew of %i s', (skew) => {
  const settings = { JWT_CLOCK_SKEW: skew }

  it.each([
    ['exp', 'is good until', -skew + 0.001, true],
    ['exp', 'has ended at', -skew, false],
    ['nbf', 'is good from', skew, true],
    ['nbf', 'is not yet good before', skew + 1, false],
    ['iat', 'may be from', skew, true],
    ['iat', 'was not made after', skew + 1, false],
  ])('a token %s %s %d s from now (%j)', async (name, _what, offset, isGood) => {
    // Whole seconds in the token: the clock is what is between them.
    const whole = Math.floor(offset)
    at(whole - offset)
    const token = signed({ ...goodClaims(), iat: START - 100, [name]: START + whole })
    const tokens = tokensWith(settings)
    expect((await tokens.verify(token, 'access')) !== undefined).toBe(isGood)
  })

  it('a token that was good is refused once it has ended', async () => {
    const tokens = tokensWith(settings)
    const token = await tokens.sign({ sub: '7', type: 'access', iat: now(), exp: now() + 10 })
    expect(await tokens.verify(token, 'access')).toBeDefined()
    at(9 + skew)
    expect(tokens.verify(token, 'access')).toMatchObject({ claims: { sub: '7' } })
    at(10 + skew)
    expect(tokens.verify(token, 'access')).toBeUndefined()
    expect(await tokens.verify(token, 'access')).toBeUndefined()
  })

  it('a token that was good is refused where the clock goes back before it', async () => {
    const tokens = tokensWith(settings)
    for (const begin of [{ iat: START }, { iat: START - 900, nbf: START }]) {
      at(0)
      const token = signed({ ...goodClaims(), ...begin })
      expect(await tokens.verify(token, 'access')).toBeDefined()
      at(-skew - 1)
      expect(tokens.verify(token, 'access')).toBeUndefined()
    }
  })

  it('a token that was not good yet is taken once it is', async () => {
    const tokens = tokensWith(settings)
    const token = signed({ ...goodClaims(), nbf: START + 100 })
    expect(await tokens.verify(token, 'access')).toBeUndefined()
    at(100)
    expect(await tokens.verify(token, 'access')).toBeDefined()
  })
})

it('checklist 3: a token that was made in the future is refused, whenever it begins', async () => {
  const token = signed({ ...goodClaims(), iat: START + 6, nbf: START - 900 })
  expect(await tokensWith().verify(token, 'access')).toBeUndefined()
})

it('a token says when it was made', async () => {
  const tokens = tokensWith()
  at(12.9)
  const token = await tokens.sign({ sub: '7', type: 'access', iat: now(), exp: START + 60 })
  expect(await tokens.verify(token, 'access')).toMatchObject({ claims: { iat: START + 12 } })
})
