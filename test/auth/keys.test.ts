import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { resolveAuth, type ServiceAuth } from '../../src/auth/settings.ts'
import { tokensOf } from '../../src/auth/tokens.ts'
import { StartError } from '../../src/error/errors.ts'
import { plain, secret } from './tokens-sample.ts'

const start = (settings: { SECRET_KEY?: string; SERVICE_AUTH?: ServiceAuth }) => (): unknown =>
  tokensOf({ ...resolveAuth(settings), userModel: 'app.User' })

const withKey = (algorithm: string, key: string, more: ServiceAuth = {}) =>
  start({ SERVICE_AUTH: { JWT_ALGORITHM: algorithm, JWT_SECRET: key, ...more } })

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
    expect(start(settings)).toThrow(StartError)
    expect(start(settings)).toThrow(
      /^Tokens need a secret\. Write settings: defineSettings\(\{ SECRET_KEY: process\.env\.SECRET_KEY \}\), or JWT_SECRET in SERVICE_AUTH; node -p /,
    )
  })

  it.each([
    ['HS256', 32],
    ['HS384', 48],
    ['HS512', 64],
  ])('a secret for %s of less than %i bytes, wherever it stands', (algorithm, bytes) => {
    const short = 's'.repeat(bytes - 1)
    const message = `is too short for ${algorithm}: it must have at least ${bytes} bytes.`
    expect(withKey(algorithm, short)).toThrow(`The setting SERVICE_AUTH.JWT_SECRET ${message}`)
    expect(start({ SECRET_KEY: short, SERVICE_AUTH: { JWT_ALGORITHM: algorithm } })).toThrow(
      `The setting SECRET_KEY ${message}`,
    )
    expect(withKey(algorithm, secret, { JWT_PREVIOUS_SECRETS: [secret, short] })).toThrow(
      `The setting SERVICE_AUTH.JWT_PREVIOUS_SECRETS[1] ${message}`,
    )
    expect(withKey(algorithm, `${short}s`)).not.toThrow()
    // Bytes count, not characters: an ö has two.
    expect(withKey(algorithm, 'ö'.repeat(bytes / 2))).not.toThrow()
  })

  it.each([
    ['hs256', 'cannot be "hs256". Did you mean HS256? Allowed: ES256'],
    ['none', 'cannot be "none". Allowed'],
    ['toString', 'cannot be "toString". Allowed'],
    ['', 'cannot be "". '],
    ['ES256K', 'cannot be "ES256K". Did you mean ES256?'],
  ])('the algorithm %j', (algorithm, message) => {
    expect(withKey(algorithm, secret)).toThrow(`The setting SERVICE_AUTH.JWT_ALGORITHM ${message}`)
  })

  it.each(['RS256', 'ES256', 'EdDSA'])('a key in PEM for %s as the secret of HS256', (algorithm) => {
    const { key, publicKey } = plain(algorithm)
    expect(withKey('HS256', key)).toThrow('SERVICE_AUTH.JWT_SECRET is a key in PEM, but HS256 signs with a')
    expect(withKey('HS256', publicKey)).toThrow('is a key in PEM')
    expect(withKey('HS256', secret, { JWT_PREVIOUS_SECRETS: [publicKey] })).toThrow('is a key in PEM')
  })

  it.each(['RS256', 'PS512', 'ES256', 'ES384', 'EdDSA'])(
    'for %s a public key alone, and no key',
    (algorithm) => {
      const { publicKey } = plain(algorithm)
      expect(withKey(algorithm, publicKey)).toThrow(
        'The setting SERVICE_AUTH.JWT_SECRET is a public key, which cannot sign.',
      )
      expect(withKey(algorithm, secret)).toThrow(
        'The setting SERVICE_AUTH.JWT_SECRET is no private key in PEM.',
      )
      expect(withKey(algorithm, privatePem.locked)).toThrow('without a passphrase')
    },
  )

  it.each([
    ['RS256', plain('ES256').key, 'RS256 needs an RSA key of at least 2048 bits'],
    ['RS256', privatePem.rsa1024, 'RS256 needs an RSA key of at least 2048 bits'],
    ['PS256', privatePem.rsa1024, 'PS256 needs an RSA key of at least 2048 bits'],
    ['PS256', privatePem.rsaPss, 'PS256 needs an RSA key of at least 2048 bits'],
    ['ES256', plain('ES384').key, 'ES256 needs an elliptic key on the curve P-256'],
    ['ES384', plain('ES512').key, 'ES384 needs an elliptic key on the curve P-384'],
    ['ES512', plain('ES256').key, 'ES512 needs an elliptic key on the curve P-521'],
    ['ES256', privatePem.secp256k1, 'ES256 needs an elliptic key on the curve P-256'],
    ['ES256', plain('RS256').key, 'ES256 needs an elliptic key on the curve P-256'],
    ['EdDSA', plain('RS256').key, 'EdDSA needs an Ed25519 key'],
    ['EdDSA', privatePem.ed448, 'EdDSA needs an Ed25519 key'],
    ['EdDSA', privatePem.x25519, 'EdDSA needs an Ed25519 key'],
  ])('for %s a key of another kind (%#)', (algorithm, key, message) => {
    expect(withKey(algorithm, key)).toThrow(
      `The setting SERVICE_AUTH.JWT_SECRET is a key of another kind or size. ${message}, in PEM`,
    )
    expect(withKey(algorithm, plain(algorithm).key, { JWT_PREVIOUS_SECRETS: [key] })).toThrow(
      'The setting SERVICE_AUTH.JWT_PREVIOUS_SECRETS[0] is a key of another kind or size.',
    )
  })

  it('what is no key among the secrets of before', () => {
    const { key } = plain('ES256')
    expect(withKey('ES256', key, { JWT_PREVIOUS_SECRETS: [secret] })).toThrow(
      'The setting SERVICE_AUTH.JWT_PREVIOUS_SECRETS[0] is no key in PEM.',
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
