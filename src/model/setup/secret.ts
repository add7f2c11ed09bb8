import type { Field, FieldKind, Model } from '../model.ts'
import { wordsOf } from '../naming.ts'

/**
 * Words that suggest a secret. A text, bytes, JSON, number or unknown column whose name ends with one of them is
 * write-only. Frozen within a minor version before 1.0, and within a major version afterwards; docs/secret-names.md
 * lists them.
 */
export const secretWords: readonly string[] = Object.freeze([
  ...['password', 'passwd', 'passphrase', 'passcode', 'pwd', 'pash', 'secret', 'token', 'jwt', 'hash'],
  ...[
    'hashed',
    'salt',
    'encrypted',
    'ciphertext',
    'credential',
    'otp',
    'totp',
    'hmac',
    'pin',
    'cvv',
    'cvc',
    'dsn',
  ],
  ...['mnemonic', 'api key', 'access key', 'private key', 'secret key', 'signing key', 'encryption key'],
  ...[
    'master key',
    'shared key',
    'session key',
    'auth key',
    'user key',
    'client key',
    'deploy key',
    'hmac key',
  ],
  ...[
    'recovery key',
    'reset key',
    'license key',
    'recovery code',
    'backup code',
    'access code',
    'login code',
  ],
  ...['verification code', 'verify code', 'activation code', 'reset code', 'auth code', 'authorization code'],
  ...['security code', 'device code', 'sms code', 'invite code', 'invitation code', 'recovery phrase'],
  ...[
    'seed phrase',
    'security answer',
    'user pass',
    'db pass',
    'smtp pass',
    'magic link',
    'reset link',
    'invite link',
    'webhook url',
  ],
  ...['database url', 'redis url', 'connection url', 'connection uri', 'connection string', 'auth challenge'],
])

/**
 * Words that do not count as the last word of a text, bytes, JSON or unknown column: they only describe the form of a
 * secret or distinguish several (`password_encrypted`, `api_key_live`, `otp_code`). Also frozen and listed there.
 */
export const secretForms: readonly string[] = Object.freeze([
  ...['crypted', 'encoded', 'enc', 'cipher', 'digest'],
  ...['raw', 'plain', 'plaintext', 'cleartext', 'clear', 'sha', 'md', 'bcrypt', 'scrypt', 'argon', 'pbkdf'],
  ...['base', 'b', 'hex', 'pem', 'jwk', 'value', 'text', 'string', 'data', 'bytes', 'blob', 'json'],
  ...['content', 'payload', 'response', 'list', 'set', 'map', 'pair', 'history', 'code', 'number', 'key'],
  ...['phrase', 'seed', 'answer', 'hint', 'confirmation', 'old', 'new', 'current', 'previous', 'next'],
  ...['last', 'temp', 'backup', 'live', 'test', 'prod', 'production', 'sandbox'],
  ...['primary', 'secondary', 'v'],
])

const neverSecret: readonly FieldKind[] = ['boolean', 'date', 'time', 'datetime', 'localdatetime', 'enum']
const numbers: readonly FieldKind[] = ['integer', 'bigint', 'float', 'decimal']

/** Also as one word: `apikey`. */
const secrets: ReadonlySet<string> = new Set(secretWords.flatMap((word) => [word, word.replace(' ', '')]))
const forms: ReadonlySet<string> = new Set(secretForms)

const singularOf = (word: string): string => (word === 'hashes' ? 'hash' : word.replace(/s$/, ''))

const endsWithSecret = (words: readonly string[]): boolean =>
  [words.at(-1) ?? '', words.slice(-2).join(' ')].some(
    (name) => secrets.has(name) || secrets.has(singularOf(name)),
  )

const isForm = (word: string): boolean => /^\d+$/.test(word) || forms.has(word) || forms.has(singularOf(word))

/** The words before `for` or `of`: `token_for_reset` is a token. */
const headOf = (words: readonly string[]): readonly string[] => {
  const end = words.findIndex((word, place) => place > 0 && (word === 'for' || word === 'of'))
  return end === -1 ? words : words.slice(0, end)
}

const namesSecret = (words: readonly string[]): boolean => {
  if (endsWithSecret(words)) return true
  const head = headOf(words)
  const last = head.findLastIndex((word) => !isForm(word))
  return head.some((_, place) => place >= last && endsWithSecret(head.slice(0, place + 1)))
}

/** The last words of names of models, and field names that are secret only in such a model. Also frozen and listed there. */
export const secretInModels: Readonly<Record<string, readonly string[]>> = Object.freeze({
  session: ['sid', 'sess', 'key', 'auth'],
  verification: ['code', 'value', 'key'],
  'verification request': ['code', 'value', 'key'],
  'two factor': ['code', 'value', 'key'],
  'push subscription': ['auth', 'p256dh'],
})

/** The same for models that are themselves named like a secret, such as `ApiKey` and `OAuthCode`, and for `Key`. */
export const secretInSecrets: readonly string[] = Object.freeze([
  'code',
  'value',
  'key',
  'auth',
  'sid',
  'sess',
])

/** The fields that are secret only because the model is named like this. */
const secretNamesIn = (model: string): { readonly names: readonly string[]; readonly isPushed: boolean } => {
  const words = wordsOf(model).map((word, place, all) => (place === all.length - 1 ? singularOf(word) : word))
  const [ending, names = []] =
    Object.entries(secretInModels).find(([end]) => ` ${words.join(' ')}`.endsWith(` ${end}`)) ?? []
  const own = namesSecret(words) || words.join(' ') === 'key' ? secretInSecrets : []
  return { names: [...own, ...names], isPushed: ending === 'push subscription' }
}

/** Models of sessions, tokens, keys and the like, which are internal if they have secret fields. Clients send push subscriptions themselves. */
export const holdsSecrets = (model: string): boolean => {
  const { names, isPushed } = secretNamesIn(model)
  return names.length > 0 && !isPushed
}

/**
 * Only the last word counts: `token_type` and `password_policy` are not secrets.
 *
 * @param model its name, because names such as `code` are secret only in some models
 */
export const looksSecret = ({ name, kind }: Pick<Field, 'name' | 'kind'>, model: string): boolean => {
  if (neverSecret.includes(kind)) return false
  const words = wordsOf(name)
  const isNumber = numbers.includes(kind)
  return (
    (isNumber ? endsWithSecret(words) : namesSecret(words)) ||
    secretNamesIn(model).names.includes(words.join(''))
  )
}

/** Also by the name that the field has in the source. */
export const wasSecret = (field: Field, model: string): boolean =>
  looksSecret(field, model) ||
  (field.inSource !== undefined && looksSecret({ ...field, name: field.inSource }, model))

/** Secret fields, as `Model.field`. */
export type SecretFields = ReadonlySet<string>

/**
 * The fields whose names suggest a secret, and the foreign keys that refer to them, because they hold the same value.
 *
 * @param opened models whose key does not count as secret, because the application serves them explicitly
 */
export const secretFieldsOf = (
  models: readonly Model[],
  opened: ReadonlySet<string> = new Set(),
): SecretFields => {
  const found = new Set<string>()
  const references: (readonly [from: string, to: string])[] = []
  for (const { name, primaryKey, fields, relations } of models) {
    const isOpen = (field: string): boolean => opened.has(name) && primaryKey.includes(field)
    for (const field of fields)
      if (wasSecret(field, name) && !isOpen(field.name)) found.add(`${name}.${field.name}`)
    for (const { kind, model: target, fields: own, references: ends } of relations)
      for (const [place, field] of own.entries())
        if (kind === 'to-one' && !isOpen(field))
          references.push([`${name}.${field}`, `${target}.${ends[place]}`])
  }
  for (let known = -1; known !== found.size; ) {
    known = found.size
    for (const [from, to] of references) if (found.has(to)) found.add(from)
  }
  return found
}

export const secretKeyOf = ({ name, primaryKey }: Model, secret: SecretFields): readonly string[] =>
  primaryKey.filter((field) => secret.has(`${name}.${field}`))

/** The fields of a model that are secret. */
export const secretsIn = ({ name, fields }: Model, secret: SecretFields): readonly Field[] =>
  fields.filter((field) => secret.has(`${name}.${field.name}`))
