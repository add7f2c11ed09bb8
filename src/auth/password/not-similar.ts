import leven from 'leven'
import { ownValue } from '../../model/own-value.ts'
import { folded } from './forms.ts'
import type { PasswordValidator } from './validator.ts'

/**
 * Refuses a password that is much like a text of the user's own: an identifier, a name, the part of an address before the
 * `@`, or a word of one. Case does not count. Much like: the text is half of the password or more, holds it, or differs in
 * less than a third of its characters.
 *
 * @example
 * ```ts
 * import { defineSettings, minimumLength, notSimilar } from 'modelrest'
 *
 * export const settings = defineSettings({ AUTH_PASSWORD_VALIDATORS: [minimumLength(), notSimilar()] })
 * ```
 */
export const notSimilar = (): PasswordValidator => (password, user) => {
  const text = folded(password)
  const field = Object.keys(user).find((name) =>
    partsOf(ownValue(user, name)).some((part) => areSimilar(text, part)),
  )
  return field === undefined ? undefined : `The password is too much like the field ${field}.`
}

/** Longer texts name nobody. It also bounds what comparing costs. */
const LONGEST_VALUE = 256
/** Shorter parts are in many a good password by chance. */
const SHORTEST_PART = 3
const ALIKE = 0.3

const partsOf = (value: unknown): readonly string[] => {
  if (typeof value !== 'string' || value.length > LONGEST_VALUE) return []
  const text = folded(value).trim()
  const [local = ''] = text.split('@', 1)
  const parts = new Set([text, local, ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...parts].filter((part) => part.length >= SHORTEST_PART)
}

const areSimilar = (password: string, part: string): boolean => {
  if (part.includes(password)) return true
  if (part.length * 2 >= password.length && password.includes(part)) return true
  const allowed = Math.floor(Math.max(password.length, part.length) * ALIKE)
  return (
    Math.abs(password.length - part.length) <= allowed &&
    leven(password, part, { maxDistance: allowed + 1 }) <= allowed
  )
}
