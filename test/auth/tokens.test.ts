import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifiedCache } from '../../src/auth/tokens/tokens.ts'
import {
  byHand,
  goodClaims,
  now,
  plain,
  signed,
  tokensOfPlain,
  tokensWith,
  verifiedTwice,
} from './tokens-sample.ts'

describe('checklist 6: the id of a token', () => {
  it('is its jti', async () => {
    const tokens = tokensWith()
    const token = await tokens.sign({ sub: '7', type: 'access', iat: now(), exp: now() + 60, jti: 'abc' })
    expect(await verifiedTwice(tokens, token)).toMatchObject({ id: 'abc', claims: { jti: 'abc' } })
  })

  it('is the hash of header.payload where there is none, as nothing else issues one', async () => {
    const tokens = tokensWith()
    const token = await tokens.sign({ sub: '7', type: 'access', iat: now(), exp: now() + 60 })
    const verified = await verifiedTwice(tokens, token)
    const text = token.slice(0, token.lastIndexOf('.'))
    expect(verified?.id).toBe(`h:${createHash('sha256').update(text).digest('base64url')}`)
    expect(verified?.claims).not.toHaveProperty('jti')
  })

  it('is the same with another good signature, of which there are two on a curve', async () => {
    const plainly = plain('ES256')
    const tokens = tokensOfPlain(plainly)
    const token = byHand({ alg: 'ES256' }, goodClaims(), plainly.sign)
    const text = token.slice(0, token.lastIndexOf('.'))
    const bytes = Buffer.from(token.slice(text.length + 1), 'base64url')
    // The order of P-256. (r, n - s) is as good as (r, s).
    const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const s = n - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
    const mirrored = Buffer.concat([
      bytes.subarray(0, 32),
      Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
    ])
    const other = `${text}.${mirrored.toString('base64url')}`
    const [first, second] = [await verifiedTwice(tokens, token), await verifiedTwice(tokens, other)]
    expect(other).not.toBe(token)
    expect(second?.id).toBeDefined()
    expect(second?.id).toBe(first?.id)
  })

  it('cannot be escaped by another last character: there is one way alone to write a token', async () => {
    const tokens = tokensWith()
    const token = signed(goodClaims())
    expect(await verifiedTwice(tokens, token)).toBeDefined()
    const signature = token.slice(token.lastIndexOf('.') + 1)
    const bytes = Buffer.from(signature, 'base64url')
    const tails = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter((last) =>
      Buffer.from(signature.slice(0, -1) + last, 'base64url').equals(bytes),
    )
    expect(tails).toHaveLength(4)
    for (const last of tails) {
      const varied = token.slice(0, -1) + last
      if (varied !== token) expect(await verifiedTwice(tokens, varied)).toBeUndefined()
    }
  })
})

describe('a token that was seen before', () => {
  it('is known at once, without a promise', async () => {
    const tokens = tokensWith()
    const token = signed(goodClaims())
    const first = tokens.verify(token, 'access')
    expect(first).toBeInstanceOf(Promise)
    expect(tokens.verify(token, 'access')).toBeInstanceOf(Promise)
    const verified = await first
    expect(verified).toBeDefined()
    expect(tokens.verify(token, 'access')).toBe(verified)
    expect(tokens.verify(`Bearer ${token}`.slice(7), 'access')).toBe(verified)
  })

  it('is not known to an application with another secret', async () => {
    const token = signed(goodClaims())
    expect(await verifiedTwice(tokensWith(), token)).toBeDefined()
    expect(
      await verifiedTwice(tokensWith({ JWT_SECRET: `another ${'x'.repeat(32)}` }), token),
    ).toBeUndefined()
  })

  it('is not kept where it was refused', async () => {
    const tokens = tokensWith()
    const token = signed({ ...goodClaims(), aud: 'other' })
    expect(await tokens.verify(token, 'access')).toBeUndefined()
    expect(tokens.verify(token, 'access')).toBeInstanceOf(Promise)
  })
})

describe('the cache of verified tokens', () => {
  const claims = { ...goodClaims(), sub: '7' } as never
  const kept = (length: number, count: number): number => {
    const cache = verifiedCache()
    const names = Array.from({ length: count }, (_, index) => `${index}`.padEnd(length, 'x'))
    for (const name of names) cache.set(name, { claims, id: name })
    return names.filter((name) => cache.get(name) !== undefined).length
  }

  it('holds 10,000 tokens at most, and 16 MB', () => {
    expect(kept(300, 9000)).toBe(9000)
    expect(kept(300, 11_000)).toBe(10_000)
    expect(kept(8000, 3000)).toBeLessThan(700)
    expect(kept(8000, 3000)).toBeGreaterThan(400)
  })

  it('keeps those that were used last', () => {
    const cache = verifiedCache()
    cache.set('first', { claims, id: 'first' })
    for (let index = 0; index < 20_000; index += 1) {
      cache.set(`${index}`, { claims, id: `${index}` })
      cache.get('first')
    }
    expect(cache.get('first')?.id).toBe('first')
    expect(cache.get('0')).toBeUndefined()
  })
})
