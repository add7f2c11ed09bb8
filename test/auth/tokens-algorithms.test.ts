import { describe, expect, it } from 'vitest'
import { algorithms } from '../../src/auth/tokens/keys.ts'
import {
  byHand,
  goodClaims,
  hmac,
  newAlgorithms,
  now,
  plain,
  plainAlgorithms,
  secret,
  tokensOfPlain,
  tokensWith,
  verifiedTwice,
} from './tokens-sample.ts'

const otherKeys = new Map(newAlgorithms(`${secret}.`).map(({ algorithm, key }) => [algorithm, key]))

describe.each(plainAlgorithms)('$algorithm', (plainly) => {
  const { algorithm } = plainly
  const tokens = tokensOfPlain(plainly)

  it('signs what node:crypto finds good, and verifies it', async () => {
    const exp = now() + 60
    const token = await tokens.sign({
      sub: '7',
      type: 'refresh',
      iat: now(),
      exp,
      jti: 'j',
      fid: 'f',
      auth_time: 5,
    })
    const [header = '', claims = '', signature = ''] = token.split('.')
    const parsed = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString())
    expect(plainly.verify(`${header}.${claims}`, Buffer.from(signature, 'base64url'))).toBe(true)
    const kid = { kid: expect.stringMatching(/^[\w-]{43}$/) }
    expect(parsed(header)).toEqual({ alg: algorithm, typ: 'JWT', ...(!algorithm.startsWith('HS') && kid) })
    expect(parsed(claims)).toEqual({
      ...{ iss: 'service', aud: 'service-api', sub: '7', iat: expect.any(Number), exp, type: 'refresh' },
      ...{ jti: 'j', fid: 'f', auth_time: 5, user_model: 'app.User' },
    })
    expect((await verifiedTwice(tokens, token, 'refresh'))?.claims).toEqual(parsed(claims))
  })

  it('verifies what node:crypto has signed', async () => {
    const token = byHand({ alg: algorithm }, goodClaims(), plainly.sign)
    expect((await verifiedTwice(tokens, token))?.claims.sub).toBe('7')
  })

  it('refuses a signature that another key has made', async () => {
    const other = tokensOfPlain(plainly, { JWT_SECRET: otherKeys.get(algorithm) })
    const token = await other.sign({ sub: '7', type: 'access', iat: now(), exp: now() + 60 })
    expect(await verifiedTwice(other, token)).toBeDefined()
    expect(await verifiedTwice(tokens, token)).toBeUndefined()
  })

  it('checklist 1: the settings alone choose the algorithm, whatever a token says', async () => {
    for (const { algorithm: alg, sign } of plainAlgorithms) {
      if (alg === algorithm) continue
      expect(await verifiedTwice(tokens, byHand({ alg }, goodClaims(), sign))).toBeUndefined()
      expect(await verifiedTwice(tokens, byHand({ alg }, goodClaims(), plainly.sign))).toBeUndefined()
    }
  })

  it('checklist 1: the public key is no secret of an HS token', async () => {
    for (const size of [256, 384, 512] as const) {
      const token = byHand({ alg: `HS${size}` }, goodClaims(), hmac(size, plainly.publicKey))
      if (algorithm === `HS${size}`) continue
      expect(await verifiedTwice(tokens, token)).toBeUndefined()
    }
  })

  it.each([
    algorithm.toLowerCase(),
    `${algorithm} `,
    'none',
    'None',
    'NONE',
    '',
    null,
    undefined,
    [algorithm],
    256,
  ])('checklist 1: a header with alg %j is refused', async (alg) => {
    expect(await verifiedTwice(tokens, byHand({ alg }, goodClaims(), plainly.sign))).toBeUndefined()
  })

  it('checklist 1: without a signature a token is refused', async () => {
    const unsigned = byHand({ alg: 'none' }, goodClaims(), () => Buffer.alloc(0))
    expect(await verifiedTwice(tokens, unsigned)).toBeUndefined()
    expect(await verifiedTwice(tokens, unsigned.slice(0, -1))).toBeUndefined()
    const empty = byHand({ alg: algorithm }, goodClaims(), () => Buffer.alloc(0))
    expect(await verifiedTwice(tokens, empty)).toBeUndefined()
  })
})

it('checklist 1: another name of the same algorithm is another algorithm', async () => {
  const edwards = plain('EdDSA')
  const token = byHand({ alg: 'Ed25519' }, goodClaims(), edwards.sign)
  expect(await verifiedTwice(tokensOfPlain(edwards), token)).toBeUndefined()
})

it('all are tried here', () => {
  expect(plainAlgorithms.map(({ algorithm }) => algorithm)).toEqual(Object.keys(algorithms))
})

describe('secrets of before', () => {
  const old = `old ${secret}`
  const older = `older ${secret}`

  it('verify, each of them, and sign nothing', async () => {
    const tokens = tokensWith({ JWT_PREVIOUS_SECRETS: [old, older] })
    for (const key of [secret, old, older]) {
      const token = byHand({ alg: 'HS256' }, goodClaims(), hmac(256, key))
      expect((await verifiedTwice(tokens, token))?.claims.sub).toBe('7')
    }
    const token = await tokens.sign({ sub: '7', type: 'access', iat: now(), exp: now() + 60 })
    expect(await verifiedTwice(tokensWith(), token)).toBeDefined()
    const foreign = byHand({ alg: 'HS256' }, goodClaims(), hmac(256, `none ${secret}`))
    expect(await verifiedTwice(tokens, foreign)).toBeUndefined()
  })

  it.each(['RS256', 'ES256', 'EdDSA'])('of %s may be private or public keys', async (algorithm) => {
    const before = plain(algorithm)
    const token = byHand({ alg: algorithm }, goodClaims(), before.sign)
    for (const key of [before.key, before.publicKey]) {
      const tokens = tokensWith({
        ...{ JWT_ALGORITHM: algorithm, JWT_SECRET: otherKeys.get(algorithm), JWT_PREVIOUS_SECRETS: [key] },
      })
      expect((await verifiedTwice(tokens, token))?.claims.sub).toBe('7')
    }
  })

  it('check the claims no less', async () => {
    const tokens = tokensWith({ JWT_PREVIOUS_SECRETS: [old] })
    const token = byHand({ alg: 'HS256' }, { ...goodClaims(), aud: 'other' }, hmac(256, old))
    expect(await verifiedTwice(tokens, token)).toBeUndefined()
  })
})
