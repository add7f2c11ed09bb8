import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FieldKind } from '../../../src/model/model.ts'
import { describeModels } from '../../../src/model/setup/describe.ts'
import {
  holdsSecrets,
  looksSecret,
  secretFieldsOf,
  secretForms,
  secretInModels,
  secretInSecrets,
  secretWords,
} from '../../../src/model/setup/secret.ts'
import { fieldNamed, modelOf } from '../../sample-model.ts'

it.each([
  ['the words that say secret', secretWords],
  ['the words that do not end a name', secretForms],
])('docs/secret-names.md lists %s', (_what, words) => {
  const list = words.map((word) => `\`${word}\``).join(', ')
  expect(readFileSync('docs/secret-names.md', 'utf8')).toContain(`\n${list}\n`)
})

it('docs/secret-names.md lists the names that are secret in some models', () => {
  const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')
  const page = readFileSync('docs/secret-names.md', 'utf8')
  for (const [model, names] of Object.entries(secretInModels))
    expect(page).toContain(`| \`${model}\` | ${quoted(names)} |`)
  expect(page).toContain(`| ${quoted(secretInSecrets)} |`)
})

const isSecret = (name: string, kind: FieldKind = 'text', model = 'Product'): boolean =>
  looksSecret({ name, kind }, model)

describe('a text', () => {
  it.each([
    ...[
      'password',
      'passwd',
      'pwd',
      'secret',
      'token',
      'pin',
      'salt',
      'otp',
      'sessionToken',
      'refresh_token',
    ],
    ...['apiKey', 'api_key', 'apikey', 'API_KEY', 'stripeApiKeys', 'privateKey', 'secret_access_key'],
    ...['totp_secret', 'recovery_codes', 'reset_tokens', 'password_hashes', 'aws_credentials'],
    ...['hashed_password', 'crypted_password', 'passwordHash', 'password_salt', 'token_hash', 'api_key_hash'],
    ...['secretKeyEncrypted', 'password_encrypted', 'encrypted_password_v2', 'password2', 'token_sha256'],
    ...['private_key_pem', 'api_key_live', 'old_password', 'password_old', 'password_history', 'token_value'],
    ...['otp_code', 'pin_code', 'pin_number', 'secret_answer', 'password_hint', 'recovery_codes_hash'],
    ...['token_for_reset', 'hash_of_password', 'refresh_token_2', 'credential_data', 'id_token'],
    ...[
      'pash',
      'backupCodes',
      'twoFactorBackupCodes',
      'hashedKey',
      'accessCode',
      'inviteCode',
      'encryptedData',
    ],
    ...[
      'authChallenge',
      'licenseKey',
      'webhookUrl',
      'userKey',
      'signingKey',
      'encryptionKey',
      'dsn',
      'id_jwt',
    ],
    ...['connectionString', 'verificationCode', 'email_verification_code', 'card_cvv', 'totp_seed_phrase'],
    ...[
      'name_encrypted',
      'payload_ciphertext',
      'encrypted_payload',
      'oauth_authorization_code',
      'databaseUrl',
    ],
    ...[
      'smtp_pass',
      'totp',
      'hmacKey',
      'activation_code',
      'sms_code',
      'reset_link',
      'invite_link',
      'shared_key',
    ],
  ])('named %s is a secret', (name) => {
    expect(isSecret(name)).toBe(true)
  })

  it.each([
    ...['token_type', 'tokenType', 'token_count', 'secret_santa', 'password_changed_by', 'password_policy'],
    ...['passwordResetUrl', 'hash_algorithm', 'refreshTokenExpiresAt', 'access_token_expires_at', 'token_id'],
    ...['credentialID', 'credentialPublicKey', 'credentialDeviceType', 'api_key_prefix', 'api_key_name'],
    ...['hashtag', 'tokenizer', 'pinned', 'opinion', 'secretary', 'public_key', 'foreign_key', 'code', 'key'],
    ...['data', 'salt_level', 'pinboard', 'of', 'for', 'for_password_reset', 'number_of_tokens_used'],
    ...['keyboard', 'zip_code', 'postalCode', 'country_code', 'language_code', 'currencyCode', 'promo_code'],
    ...['sessions_count', 'value', 'sid', 'sess', 'auth', 'author', 'authority', 'sort_key', 'primary_key'],
    ...['qr_code', 'barcode', 'confirmation_code', 'invites', 'access_level', 'license', 'license_number'],
    ...[
      'webhook',
      'webhook_events',
      'url',
      'connection',
      'challenge',
      'encryption_algorithm',
      'hashed_email',
    ],
    ...['encrypted_by', 'user', 'code_review', 'backup', 'phrase', 'link', 'database', 'string', 'p256dh'],
    ...['passport', 'season_pass', 'bypass', 'link', 'activation', 'reset', 'security', 'sms', 'device'],
  ])('named %s is none', (name) => {
    expect(isSecret(name)).toBe(false)
  })
})

it.each([
  ['pin', 'integer', true],
  ['token', 'bigint', true],
  ['token_code', 'integer', false],
  ['token_count', 'integer', false],
  ['password_history', 'integer', false],
  ['has_password', 'boolean', false],
  ['token', 'datetime', false],
  ['secret', 'enum', false],
  ['tokens', 'json', true],
  ['recovery_codes', 'array', true],
  ['password_digest', 'bytes', true],
  ['secret_data', 'opaque', true],
] as const)('%s of the kind %s: %s', (name, kind, expected) => {
  expect(isSecret(name, kind)).toBe(expected)
})

it.each([
  ...[
    'Verification',
    'EmailVerification',
    'VerificationRequest',
    'EmailVerificationCode',
    'OAuthCode',
  ].flatMap((model) => ['code', 'value'].map((name) => [model, name] as const)),
  ...['ApiKey', 'Key', 'AccessToken', 'Credential'].flatMap((model) =>
    ['key', 'value'].map((name) => [model, name] as const),
  ),
  ...[
    ...([['Session', 'sid']] as const),
    ...([['UserSession', 'sess']] as const),
    ...([['PushSubscription', 'auth']] as const),
    ...([['PushSubscription', 'p256dh']] as const),
  ],
])('in %s, %s is a secret', (model, name) => {
  expect(isSecret(name, 'text', model)).toBe(true)
  expect(isSecret(name, 'boolean', model)).toBe(false)
})

it.each([
  ...['Session', 'PushSubscription'].flatMap((model) => [
    [model, 'code'] as const,
    [model, 'value'] as const,
  ]),
  ...[
    'Product',
    'Country',
    'Setting',
    'TokenBalance',
    'KeyResult',
    'TranslationKey',
    'SessionAttendee',
  ].flatMap((model) => ['code', 'value', 'key', 'auth'].map((name) => [model, name] as const)),
  ...['Verification', 'ApiKey'].flatMap((model) => [
    [model, 'value_count'] as const,
    [model, 'name'] as const,
  ]),
])('in %s, %s is none', (model, name) => {
  expect(isSecret(name, 'text', model)).toBe(false)
})

it.each([
  ...['Session', 'sessions', 'Verification', 'ApiKey', 'Key', 'TwoFactor', 'PasswordResetToken', 'OAuthCode'],
  'Credential',
])('a model %s holds secrets', (model) => {
  expect(holdsSecrets(model)).toBe(true)
})

it.each([
  ...['Product', 'PushSubscription', 'SessionAttendee', 'TokenBalance', 'KeyResult', 'Keyboard', 'Country'],
  ...['PromoCode', 'TranslationKey', 'User', 'Account'],
])('a model %s does not', (model) => {
  expect(holdsSecrets(model)).toBe(false)
})

const vocabulary = [
  ...secretWords.flatMap((word) => word.split(' ')),
  ...secretForms,
  'type',
  'user',
  'at',
  'for',
]
const word = fc
  .oneof(fc.constantFrom(...vocabulary), fc.stringMatching(/^[a-z]{2,6}$/))
  .filter((one) => one !== 'b' && one !== 'v')
const words = fc.array(word, { minLength: 1, maxLength: 5 })
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

it('says the same in every case style', () => {
  fc.assert(
    fc.property(words, (parts) => {
      const camel = parts.map((part, place) => (place === 0 ? part : capital(part))).join('')
      const names = [camel, capital(camel), parts.join('_'), parts.join('_').toUpperCase(), parts.join('-')]
      expect(new Set(names.map((name) => isSecret(name))).size).toBe(1)
    }),
  )
})

it('takes no account of what stands before the secret, nor of a number and a form behind it', () => {
  const behind = fc.array(fc.constantFrom(...secretForms, '2', '17'), { maxLength: 3 })
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 3 }),
      fc.constantFrom(...secretWords),
      behind,
      (before, secret, after) => {
        fc.pre(!before.slice(1).some((one) => one === 'for' || one === 'of'))
        expect(isSecret([...before, ...secret.split(' '), ...after].join('_'))).toBe(true)
      },
    ),
  )
})

describe('secrets of models', () => {
  const toOne = (model: string, field: string, reference: string) => ({
    ...{ name: `${field}To`, kind: 'to-one' as const, model },
    ...{ fields: [field], references: [reference], inverse: 'x' },
  })
  const models = [
    modelOf('Session', [fieldNamed('token', 'text', 'string')], { primaryKey: ['token'] }),
    modelOf('Visit', [fieldNamed('session', 'text', 'string'), fieldNamed('page', 'text', 'string')], {
      primaryKey: ['session'],
      relations: [toOne('Session', 'session', 'token')],
    }),
    // A circle: each refers to the next.
    modelOf('Click', [fieldNamed('visit', 'text', 'string')], {
      relations: [toOne('Visit', 'visit', 'session'), toOne('Click', 'visit', 'visit')],
    }),
  ]

  it('are foreign keys to a secret too, however far', () => {
    expect([...secretFieldsOf(models)]).toEqual(['Session.token', 'Visit.session', 'Click.visit'])
  })

  it('are none where the application serves the model by name', () => {
    expect([...secretFieldsOf(models, new Set(['Session']))]).toEqual([])
    expect([...secretFieldsOf(models, new Set(['Visit']))]).toEqual(['Session.token'])
  })
})

it('a reference to a secret is one too, also if the database does not check it', () => {
  const columns = (...names: readonly string[]) => names.map((name) => ({ name, kind: 'text' as const }))
  const models = describeModels(
    [
      { name: 'Session', fields: columns('token'), primaryKey: ['token'] },
      {
        name: 'Visit',
        fields: columns('id', 'session'),
        primaryKey: ['id'],
        foreignKeys: [{ fields: ['session'], model: 'Session', references: ['token'], unchecked: true }],
      },
    ],
    { exactText: true },
  )
  expect([...secretFieldsOf(models)]).toEqual(['Session.token', 'Visit.session'])
})
