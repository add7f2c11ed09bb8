import { describe, expect, it } from 'vitest'
import {
  byHand,
  goodClaims,
  hmac,
  now,
  plain,
  secret,
  signed,
  tokensOfPlain,
  tokensWith,
  verifiedTwice,
} from './tokens-sample.ts'

const tokens = tokensWith()
const refused = async (token: string, type: 'access' | 'refresh' = 'access'): Promise<void> => {
  expect(await verifiedTwice(tokens, token, type)).toBeUndefined()
}
const without = (name: string): object =>
  Object.fromEntries(Object.entries(goodClaims()).filter(([claim]) => claim !== name))

it('a token made by hand is taken where all is right', async () => {
  const claims = goodClaims()
  expect((await verifiedTwice(tokens, signed(claims)))?.claims).toEqual(claims)
})

describe('checklist 3: what must be there', () => {
  it.each(['exp', 'iat', 'sub', 'iss', 'aud', 'type'])('a token without %s is refused', async (name) => {
    await refused(signed(without(name)))
  })
})

const wrongClaims: readonly (readonly [string, string, unknown])[] = [
  ['checklist 3', 'exp', null],
  ['checklist 3', 'exp', '9999999999'],
  ['checklist 3', 'exp', [9999999999]],
  ['checklist 3', 'exp', true],
  ['checklist 3', 'exp', 0],
  ['checklist 3', 'exp', -1],
  ['checklist 3', 'exp', 1e300],
  ['checklist 3', 'iat', null],
  ['checklist 3', 'iat', '5'],
  ['checklist 3', 'iat', 0.5],
  ['checklist 3', 'nbf', null],
  ['checklist 3', 'nbf', '5'],
  ['checklist 4', 'iss', 'Service'],
  ['checklist 4', 'iss', 'other'],
  ['checklist 4', 'iss', ['service']],
  ['checklist 4', 'iss', null],
  ['checklist 4', 'iss', ''],
  ['checklist 4', 'aud', 'service'],
  ['checklist 4', 'aud', 'service-api '],
  ['checklist 4', 'aud', []],
  ['checklist 4', 'aud', ['other', 'another']],
  ['checklist 4', 'aud', [['service-api']]],
  ['checklist 4', 'aud', { 'service-api': true }],
  ['checklist 4', 'aud', null],
  ['checklist 5', 'type', 'refresh'],
  ['checklist 5', 'type', 'Access'],
  ['checklist 5', 'type', ['access']],
  ['checklist 5', 'type', null],
  ['checklist 5', 'type', true],
  ['checklist 6', 'sub', ''],
  ['checklist 6', 'sub', 7],
  ['checklist 6', 'sub', null],
  ['checklist 6', 'sub', { id: '7' }],
  ['checklist 6', 'jti', 5],
  ['checklist 6', 'jti', ''],
  ['checklist 6', 'jti', null],
  ['checklist 6', 'fid', 5],
  ['checklist 6', 'fid', { toString: 'x' }],
  ['checklist 6', 'auth_time', '5'],
  ['checklist 6', 'auth_time', 1.5],
]

it.each(wrongClaims)('%s: a token with the %s %j is refused', async (_line, name, value) => {
  await refused(signed({ ...goodClaims(), [name]: value }))
})

it('checklist 3: a number that is too large for JavaScript is no end', async () => {
  const claims = JSON.stringify({ ...goodClaims(), exp: 0 }).replace('"exp":0', '"exp":1e999')
  await refused(byHand({ alg: 'HS256' }, claims))
})

describe('checklist 4: issuer and audience', () => {
  it.each([{ aud: ['service-api'] }, { aud: ['other', 'service-api'] }])('%j is taken', async (claims) => {
    const verified = await verifiedTwice(tokens, signed({ ...goodClaims(), ...claims }))
    expect(verified?.claims.aud).toEqual(claims.aud)
  })

  it('are those of the settings', async () => {
    const shop = tokensWith({ JWT_ISSUER: 'shop', JWT_AUDIENCE: 'till' })
    const token = await shop.sign({ sub: '7', type: 'access', iat: now(), exp: now() + 60 })
    expect((await verifiedTwice(shop, token))?.claims).toMatchObject({ iss: 'shop', aud: 'till' })
    await refused(token)
    expect(await verifiedTwice(shop, signed(goodClaims()))).toBeUndefined()
  })
})

describe('checklist 5: the type', () => {
  it.each([
    ['access', 'refresh'],
    ['refresh', 'access'],
  ] as const)('an %s token is no %s token, seen before or not', async (type, other) => {
    const token = await tokens.sign({ sub: '7', type, iat: now(), exp: now() + 60 })
    await refused(token, other)
    expect((await verifiedTwice(tokens, token, type))?.claims.type).toBe(type)
    await refused(token, other)
    expect(await verifiedTwice(tokens, token, type)).toBeDefined()
  })
})

describe('checklist 6: nothing in a token says which key', () => {
  const { publicKey, sign } = plain('RS256')
  const jwk = { kty: 'oct', k: Buffer.from('k'.repeat(64)).toString('base64url') }

  it.each([
    ['kid', '../../dev/null'],
    ['kid', "x' UNION SELECT 'k"],
    ['kid', 'https://evil.example/key'],
    ['jku', 'https://evil.example/jwks.json'],
    ['x5u', 'https://evil.example/cert.pem'],
    ['jwk', jwk],
    ['x5c', ['MIIB']],
  ])('%s is not followed', async (name, value) => {
    const foreign = byHand({ alg: 'HS256', [name]: value }, goodClaims(), hmac(256, 'k'.repeat(64)))
    await refused(foreign)
    const empty = byHand({ alg: 'HS256', [name]: value }, goodClaims(), hmac(256, ''))
    await refused(empty)
    // Nor is it in the way of the key that it is.
    expect(await verifiedTwice(tokens, signed(goodClaims(), { alg: 'HS256', [name]: value }))).toBeDefined()
  })

  it('a key inside of a token verifies nothing', async () => {
    const asymmetric = tokensOfPlain(plain('ES256'))
    for (const header of [{ jwk: publicKey }, { x5c: [publicKey] }]) {
      const token = byHand({ alg: 'RS256', ...header }, goodClaims(), sign)
      expect(await verifiedTwice(asymmetric, token)).toBeUndefined()
    }
  })

  it.each([
    { crit: ['exp'] },
    { crit: ['x'], x: 1 },
    { crit: [] },
    { crit: 'b64' },
    { crit: ['b64'], b64: false },
    { crit: ['b64'] },
    { crit: null },
  ])('a header with %j is refused', async (header) => {
    await refused(signed(goodClaims(), { alg: 'HS256', ...header }))
  })

  it('a payload that is not encoded is refused', async () => {
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', crit: ['b64'], b64: false })).toString(
      'base64url',
    )
    const text = `${header}.${JSON.stringify(goodClaims())}`
    await refused(`${text}.${hmac(256)(text).toString('base64url')}`)
  })
})

describe('checklist 8: what is no token', () => {
  const good = signed(goodClaims())
  const [header = '', claims = '', signature = ''] = good.split('.')

  it.each([
    ['nothing', ''],
    ['a blank', ' '],
    ['dots', '..'],
    ['many dots', '.'.repeat(8000)],
    ['an emoji', '🔑'],
    ['a lone surrogate', '\ud800'],
    ['NUL', '\0'],
    ['two parts', `${header}.${claims}`],
    ['no header', `.${claims}.${signature}`],
    ['no claims', `${header}..${signature}`],
    ['no signature', `${header}.${claims}.`],
    ['four parts', `${good}.${signature}`],
    ['a JWE', `${header}.${claims}.${signature}.${claims}.${signature}`],
    ['a dot in front', `.${good}`],
    ['a dot behind', `${good}.`],
    ['doubled dots', good.replaceAll('.', '..')],
    ['padding', `${good}=`],
    ['a blank behind', `${good} `],
    ['a line break behind', `${good}\n`],
    ['a line break in the signature', `${header}.${claims}.${signature.slice(0, 9)}\n${signature.slice(9)}`],
    ['two tokens', `${good}, ${good}`],
    ['a scheme', `Bearer ${good}`],
    ['JSON', JSON.stringify({ protected: header, payload: claims, signature })],
    ['a header that is a list', byHand([], goodClaims())],
    ['a header that is null', byHand(null, goodClaims())],
    ['a header that is no JSON', byHand('{"alg":"HS256"', goodClaims())],
    [
      'a header that is no UTF-8',
      `${Buffer.from([0xff, 0xfe]).toString('base64url')}.${claims}.${signature}`,
    ],
    ['claims that are a list', byHand({ alg: 'HS256' }, [goodClaims()])],
    ['claims that are null', byHand({ alg: 'HS256' }, null)],
    ['claims that are a text', byHand({ alg: 'HS256' }, '"text"')],
    ['claims that are no JSON', byHand({ alg: 'HS256' }, '{')],
    ['claims that are inherited', byHand({ alg: 'HS256' }, `{"__proto__":${JSON.stringify(goodClaims())}}`)],
  ])('%s is refused', async (_what, token) => {
    await refused(token)
  })

  it('more than 8 kB is refused, however good', async () => {
    const padded = (length: number): string => signed({ ...goodClaims(), x: 'x'.repeat(length) })
    const largest = padded(5900)
    expect(largest.length).toBeLessThanOrEqual(8192)
    expect(await verifiedTwice(tokens, largest)).toBeDefined()
    expect(padded(6100).length).toBeGreaterThan(8192)
    expect(tokens.verify(padded(6100), 'access')).toBeUndefined()
    expect(tokens.verify('x'.repeat(1_000_000), 'access')).toBeUndefined()
  })

  it('a token that is cut off anywhere is refused', async () => {
    for (let length = 0; length < good.length; length += 1) {
      expect(await tokens.verify(good.slice(0, length), 'access')).toBeUndefined()
    }
  })

  it('a changed character anywhere is refused, of whatever class', async () => {
    for (const other of ['A', 'z', '5', '-', '_', '.', '+', '/', '=', ' ', 'é', '\0']) {
      for (let at = 0; at < good.length; at += 1) {
        if (good[at] === other) continue
        const token = good.slice(0, at) + other + good.slice(at + 1)
        expect(await tokens.verify(token, 'access')).toBeUndefined()
      }
    }
  })

  it('the signature of another token is refused', async () => {
    const other = signed({ ...goodClaims(), sub: '8' })
    const [, , otherSignature] = other.split('.')
    expect(await verifiedTwice(tokens, other)).toBeDefined()
    expect(await verifiedTwice(tokens, good)).toBeDefined()
    await refused(`${header}.${claims}.${otherSignature}`)
    await refused(`${other.split('.').slice(0, 2).join('.')}.${signature}`)
  })
})

it('what a token says cannot be changed for the next request', async () => {
  const token = signed({ ...goodClaims(), x: { y: [1] } })
  const claims: object = (await verifiedTwice(tokens, token))?.claims ?? {}
  const x = Reflect.get(claims, 'x') as { readonly y: object }
  for (const inner of [claims, x, x.y]) {
    expect(() => Object.assign(inner, { 0: 'changed' })).toThrow(TypeError)
  }
})

it('the secret stands in nothing that tokens show', () => {
  expect(JSON.stringify(tokens)).not.toContain(secret)
})
