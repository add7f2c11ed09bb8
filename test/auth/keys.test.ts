import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { resolveAuth } from '../../src/auth/settings/index.ts'
import type { ServiceAuth } from '../../src/auth/settings/service-auth.ts'
import { tokensOf } from '../../src/auth/tokens/tokens.ts'
import { naming } from '../naming.ts'
import { plain, secret } from './tokens-sample.ts'

const start = (settings: { SECRET_KEY?: string; SERVICE_AUTH?: ServiceAuth }) => (): unknown =>
  tokensOf({ ...resolveAuth(settings), userModel: 'app.User', knowsAddresses: true })

const withKey = (algorithm: string, key: string, more: ServiceAuth = {}) =>
  start({ SERVICE_AUTH: { JWT_ALGORITHM: algorithm, JWT_SECRET: key, ...more } })

const mistake = (...names: readonly (string | number)[]): unknown =>
  expect.objectContaining({ name: 'StartError', message: expect.stringMatching(naming(...names)) })

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
const privatePem = {
  rsa1024: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export(pkcs8).toString(),
  rsaPss: generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey.export(pkcs8).toString(),
  secp256k1: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey.export(pkcs8).toString(),
  ed448: generateKeyPairSync('ed448').privateKey.export(pkcs8).toString(),
  x25519: generateKeyPairSync('x25519').privateKey.export(pkcs8).toString(),
  locked: generateKeyPairSync('ed25519')
    .privateKey.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'open' })
    .toString(),
}

describe('checklist 2: start-up refuses', () => {
  it.each([
    ['nothing', {}],
    ['an empty SECRET_KEY', { SECRET_KEY: '' }],
    ['an empty JWT_SECRET', { SECRET_KEY: secret, SERVICE_AUTH: { JWT_SECRET: '' } }],
  ])('%s for a secret, and says what to write', (_what, settings) => {
    expect(start(settings)).toThrow(
      mistake(
        '.env',
        'defineSettings({ SECRET_KEY: process.env.SECRET_KEY })',
        'JWT_SECRET',
        'SERVICE_AUTH',
        'node -p',
      ),
    )
  })

  it.each([
    ['HS256', 32],
    ['HS384', 48],
    ['HS512', 64],
  ])('a secret for %s of less than %i bytes, wherever it stands', (algorithm, bytes) => {
    const short = 's'.repeat(bytes - 1)
    expect(withKey(algorithm, short)).toThrow(mistake('SERVICE_AUTH.JWT_SECRET', algorithm, bytes))
    expect(start({ SECRET_KEY: short, SERVICE_AUTH: { JWT_ALGORITHM: algorithm } })).toThrow(
      mistake('SECRET_KEY', algorithm, bytes),
    )
    expect(withKey(algorithm, secret, { JWT_PREVIOUS_SECRETS: [secret, short] })).toThrow(
      mistake('SERVICE_AUTH.JWT_PREVIOUS_SECRETS[1]', algorithm, bytes),
    )
    expect(withKey(algorithm, `${short}s`)).not.toThrow()
    // Bytes count, not characters: an ö has two.
    expect(withKey(algorithm, 'ö'.repeat(bytes / 2))).not.toThrow()
  })

  it.each([
    ['hs256', ['"hs256"', 'HS256', 'ES256']],
    ['none', ['"none"', 'HS256', 'EdDSA']],
    ['toString', ['"toString"', 'HS256', 'EdDSA']],
    ['', ['""', 'HS256', 'EdDSA']],
    ['ES256K', ['"ES256K"', 'ES256']],
  ])('the algorithm %j', (algorithm, names) => {
    expect(withKey(algorithm, secret)).toThrow(mistake('SERVICE_AUTH.JWT_ALGORITHM', ...names))
  })

  it.each(['RS256', 'ES256', 'EdDSA'])('a key in PEM for %s as the secret of HS256', (algorithm) => {
    const { key, publicKey } = plain(algorithm)
    const names = ['PEM', 'HS256', 'JWT_ALGORITHM']
    expect(withKey('HS256', key)).toThrow(mistake('SERVICE_AUTH.JWT_SECRET', ...names))
    expect(withKey('HS256', publicKey)).toThrow(mistake('SERVICE_AUTH.JWT_SECRET', ...names))
    expect(withKey('HS256', secret, { JWT_PREVIOUS_SECRETS: [publicKey] })).toThrow(
      mistake('SERVICE_AUTH.JWT_PREVIOUS_SECRETS[0]', ...names),
    )
  })

  it.each(['RS256', 'PS512', 'ES256', 'ES384', 'EdDSA'])(
    'for %s a public key alone, and no key',
    (algorithm) => {
      const { publicKey } = plain(algorithm)
      for (const key of [publicKey, secret, privatePem.locked])
        expect(withKey(algorithm, key)).toThrow(
          mistake(
            'SERVICE_AUTH.JWT_SECRET',
            algorithm,
            'PEM',
            "JWT_SECRET: readFileSync('token-key.pem', 'utf8')",
          ),
        )
    },
  )

  it.each([
    ['RS256', plain('ES256').key, ['RSA', 2048]],
    ['RS256', privatePem.rsa1024, ['RSA', 2048]],
    ['PS256', privatePem.rsa1024, ['RSA', 2048]],
    ['PS256', privatePem.rsaPss, ['RSA', 2048]],
    ['ES256', plain('ES384').key, ['P-256']],
    ['ES384', plain('ES512').key, ['P-384']],
    ['ES512', plain('ES256').key, ['P-521']],
    ['ES256', privatePem.secp256k1, ['P-256']],
    ['ES256', plain('RS256').key, ['P-256']],
    ['EdDSA', plain('RS256').key, ['Ed25519']],
    ['EdDSA', privatePem.ed448, ['Ed25519']],
    ['EdDSA', privatePem.x25519, ['Ed25519']],
  ] as const)('for %s a key of another kind (%#)', (algorithm, key, wanted) => {
    expect(withKey(algorithm, key)).toThrow(mistake('SERVICE_AUTH.JWT_SECRET', algorithm, ...wanted, 'PEM'))
    expect(withKey(algorithm, plain(algorithm).key, { JWT_PREVIOUS_SECRETS: [key] })).toThrow(
      mistake('SERVICE_AUTH.JWT_PREVIOUS_SECRETS[0]', algorithm, ...wanted, 'PEM'),
    )
  })

  it('what is no key among the secrets of before', () => {
    const { key } = plain('ES256')
    expect(withKey('ES256', key, { JWT_PREVIOUS_SECRETS: [secret] })).toThrow(
      mistake('SERVICE_AUTH.JWT_PREVIOUS_SECRETS[0]', 'ES256', 'P-256', 'PEM'),
    )
  })

  it('them without a word of the secret', () => {
    const key = plain('ES256').key
    const settings: readonly (() => unknown)[] = [
      withKey('HS256', 'hunter2'),
      withKey('ES256', 'hunter2'),
      withKey('ES256', key.replace('BEGIN', 'hunter2')),
      withKey('ES256', key, { JWT_PREVIOUS_SECRETS: ['hunter2'] }),
    ]
    for (const refused of settings) expect(refused).toThrow(/^((?!hunter2|MIG|MHc).)*$/s)
  })
})

describe('a key', () => {
  it('may be PKCS8, PKCS1 or SEC1', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    expect(withKey('RS256', rsa.export({ type: 'pkcs1', format: 'pem' }).toString())).not.toThrow()
    expect(withKey('RS256', rsa.export(pkcs8).toString())).not.toThrow()
    expect(withKey('ES256', elliptic.export({ type: 'sec1', format: 'pem' }).toString())).not.toThrow()
  })
})
