import type { Field, FieldKind, Model } from './model.ts'
import { wordsOf } from './naming.ts'

/**
 * Words that suggest a secret. A text, bytes, JSON, number or unknown column whose name ends with one of them is
 * write-only. Frozen for a major version; docs/models.md lists them.
 */
export const secretWords: readonly string[] = Object.freeze([
  ...['password', 'passwd', 'passphrase', 'pwd', 'secret', 'token', 'hash', 'salt', 'credential'],
  ...['otp', 'pin', 'api key', 'access key', 'private key', 'secret key', 'recovery code'],
])

/**
 * Words that do not count as the last word of a text, bytes, JSON or unknown column: they only describe the form of a
 * secret or distinguish several (`password_encrypted`, `api_key_live`, `otp_code`). Also frozen and listed there.
 */
export const secretForms: readonly string[] = Object.freeze([
  ...['encrypted', 'crypted', 'hashed', 'encoded', 'enc', 'cipher', 'ciphertext', 'digest'],
  ...['raw', 'plain', 'plaintext', 'cleartext', 'clear', 'sha', 'md', 'bcrypt', 'scrypt', 'argon', 'pbkdf'],
  ...['base', 'b', 'hex', 'pem', 'jwt', 'jwk', 'value', 'text', 'string', 'data', 'bytes', 'blob', 'json'],
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

/** Only the last word counts: `token_type` and `password_policy` are not secrets. */
export const looksSecret = (field: Pick<Field, 'name' | 'kind'>): boolean => {
  if (neverSecret.includes(field.kind)) return false
  const words = wordsOf(field.name)
  if (endsWithSecret(words)) return true
  if (numbers.includes(field.kind)) return false
  const head = headOf(words)
  const last = head.findLastIndex((word) => !isForm(word))
  return head.some((_, place) => place >= last && endsWithSecret(head.slice(0, place + 1)))
}

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
      if (looksSecret(field) && !isOpen(field.name)) found.add(`${name}.${field.name}`)
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

/** The fields that are write-only because of their name, for the startup log. */
export const hiddenByName = (models: readonly Model[], secret: SecretFields): readonly string[] =>
  models.flatMap(({ name, fields }) =>
    fields
      .filter((field) => field.access === 'write-only' && secret.has(`${name}.${field.name}`))
      .map((field) => `${name}.${field.name}`),
  )
