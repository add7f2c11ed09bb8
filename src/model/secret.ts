import type { Field } from './model.ts'
import { wordsOf } from './naming.ts'

/**
 * Names that say secret. A text, bytes, JSON or unknown column with one of these words in its name is write-only; a
 * number with one of them as its last word too. Frozen for a major version; docs/models.md lists it.
 */
export const secretWords: readonly string[] = Object.freeze([
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'token',
  'hash',
  'salt',
  'credential',
  'otp',
  'pin',
  'api key',
  'access key',
  'private key',
  'secret key',
  'recovery code',
])

const neverSecret: ReadonlySet<string> = new Set([
  'boolean',
  'date',
  'time',
  'datetime',
  'localdatetime',
  'enum',
])
const numbers: ReadonlySet<string> = new Set(['integer', 'bigint', 'float', 'decimal'])

const singularOf = (word: string): string => (word === 'hashes' ? 'hash' : word.replace(/s$/, ''))

const endsWithSecret = (words: readonly string[]): boolean => {
  const last = words.at(-1) ?? ''
  const pair = words.slice(-2).join(' ')
  return [last, singularOf(last), pair, singularOf(pair)].some((name) => secretWords.includes(name))
}

/** Whether the column's name says that its value is nobody's to read. */
export const looksSecret = (field: Field): boolean => {
  if (neverSecret.has(field.kind)) return false
  const words = wordsOf(field.name)
  if (numbers.has(field.kind)) return endsWithSecret(words)
  return words.some((_, index) => endsWithSecret(words.slice(0, index + 1)))
}
