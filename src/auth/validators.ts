import { createRequire } from 'node:module'
import leven from 'leven'
import type { IssueCode } from '../error/codes.ts'
import { type Issue, StartError } from '../error/errors.ts'
import { isPromise, ownValue } from '../model/objects.ts'
import { bodyRefusal } from '../schema/issues.ts'
import { argon2, assertAcceptable, hashedForm } from './passwords.ts'

/**
 * Says what is wrong with a new password, in a sentence for its user that does not repeat it. `undefined`: nothing.
 *
 * It gets the password as it was sent, and what is known of the user, without the password. It may not be asynchronous.
 * `code` is the code of its complaint in `errors`, by default `invalid`.
 *
 * @example
 * ```ts
 * import { defaultValidators, defineSettings, type PasswordValidator } from 'modelrest'
 *
 * const notTheShop: PasswordValidator = (password) =>
 *   password.toLowerCase().includes('shop') ? 'The password must not name the shop.' : undefined
 *
 * export const settings = defineSettings({
 *   AUTH_PASSWORD_VALIDATORS: [...defaultValidators, notTheShop],
 * })
 * ```
 */
export type PasswordValidator = ((
  password: string,
  user: Readonly<Record<string, unknown>>,
) => string | undefined) & { readonly code?: IssueCode }

/** Which rules a new password must pass, beside those that are always there. */
export interface PasswordRules {
  readonly VALIDATE_PASSWORD: boolean
  /** @default defaultValidators */
  readonly validators: readonly PasswordValidator[] | undefined
}

/**
 * Refuses a new password with an issue for each complaint. All validators are asked.
 *
 * @param user what is known of the user, without the password
 * @throws HttpError 422; Error if a validator fails
 */
export const assertPassword: (
  password: unknown,
  user: Readonly<Record<string, unknown>>,
  rules: PasswordRules,
) => asserts password is string = (password, user, { VALIDATE_PASSWORD, validators }) => {
  assertAcceptable(password)
  const asked = VALIDATE_PASSWORD ? (validators ?? defaultValidators) : []
  const issues = asked.flatMap((validator, index): readonly Issue[] => {
    const detail = askValidator(validator, index + 1, password, user)
    return detail === undefined ? [] : [{ code: validator.code ?? 'invalid', detail, pointer: '/password' }]
  })
  if (issues.length > 0) throw bodyRefusal(issues)
}

/** Errors go to the log. Of what a validator threw they only say where: its message may hold the password. */
const askValidator = (
  validator: PasswordValidator,
  place: number,
  password: string,
  user: Readonly<Record<string, unknown>>,
): string | undefined => {
  const name = `The password validator ${validator.name === '' ? 'without a name' : validator.name}, number ${place} of AUTH_PASSWORD_VALIDATORS,`
  let answer: unknown
  try {
    answer = validator(password, user)
  } catch (thrown) {
    throw new Error(`${name} threw${stackOf(thrown)}`)
  }
  if (answer === undefined || (typeof answer === 'string' && answer !== '')) return answer
  if (isPromise(answer)) answer.then(undefined, () => {})
  throw new Error(
    `${name} must return a sentence or undefined, and at once: a password validator may not be asynchronous.`,
  )
}

/** The kind of error and the lines of its stack below the message. */
const stackOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return ' what is no Error.'
  const { message, stack = '' } = thrown
  const end = stack.indexOf(message) + message.length
  const frames = stack.includes(message) ? stack.slice(end).split('\n').slice(1) : []
  return [` an error of class ${thrown.constructor.name}.`, ...frames].join('\n')
}

/**
 * Refuses short passwords. Characters are Unicode code points: an emoji is one, whatever its bytes.
 *
 * @param least how many characters. @default 8
 * @throws StartError where it is no whole number from 1 to 256
 * @example
 * ```ts
 * import { defineSettings, minimumLength, notCommon } from 'modelrest'
 *
 * export const settings = defineSettings({ AUTH_PASSWORD_VALIDATORS: [minimumLength(12), notCommon()] })
 * ```
 */
export const minimumLength = (least = 8): PasswordValidator => {
  if (!Number.isInteger(least) || least < 1 || least > LONGEST_MINIMUM)
    throw new StartError(
      `minimumLength() takes a whole number from 1 to ${LONGEST_MINIMUM}. Its default is 8.`,
    )
  const complaint = `The password must have at least ${least} characters.`
  // The form that is hashed may be shorter (`e` and an accent) or longer (a ligature): neither may help.
  const tooShort = (password: string): boolean =>
    Math.min(codePoints(password), codePoints(hashedForm(password))) < least
  return Object.assign((password: string) => (tooShort(password) ? complaint : undefined), {
    code: 'too_short' as const,
  })
}

/** As many of four bytes each are the most that a password may have. */
const LONGEST_MINIMUM = 256

/**
 * Refuses the most common passwords (a list of 49,000) whatever their case, and what people make of them: up to four digits
 * or signs before or after one (`Princess12!`), one repeated, a few characters repeated (`abcabcabc`), characters in their
 * order (`abcdefgh`).
 *
 * @example
 * ```ts
 * import { defineSettings, minimumLength, notCommon } from 'modelrest'
 *
 * export const settings = defineSettings({ AUTH_PASSWORD_VALIDATORS: [minimumLength(), notCommon()] })
 * ```
 */
export const notCommon = (): PasswordValidator => (password) => {
  const text = folded(password)
  return commonRules.some((rule) => rule(text)) ? commonPassword : undefined
}

const commonPassword = 'The password is one of the most common ones, or too much like one.'

/** Shorter words are too few to say that the rest is only an ornament of them. */
const SHORTEST_WORD = 4

const isCommonWord = (text: string): boolean =>
  codePoints(text) >= SHORTEST_WORD && frequentPasswords().has(text)

const commonRules: readonly ((text: string) => boolean)[] = [
  (text) => frequentPasswords().has(text),
  (text) => isCommonWord(text.replace(/[^\p{L}]{1,4}$/u, '')),
  (text) => isCommonWord(text.replace(/^[^\p{L}]{1,4}/u, '')),
  (text) => {
    // The bound keeps the search linear in the length of the text.
    const unit = /^(.{1,16}?)\1+$/su.exec(text)?.[1]
    return unit !== undefined && (codePoints(unit) <= SHORTEST_WORD || frequentPasswords().has(unit))
  },
  (text) => {
    const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
    const steps = new Set(points.slice(1).map((point, index) => point - (points[index] ?? 0)))
    return steps.size === 1 && (steps.has(1) || steps.has(-1))
  },
]

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
    comparableParts(ownValue(user, name)).some((part) => areSimilar(text, part)),
  )
  return field === undefined ? undefined : `The password is too much like the field ${field}.`
}

/** Longer texts name nobody. It also bounds what comparing costs. */
const LONGEST_VALUE = 256
/** Shorter parts are in many a good password by chance. */
const SHORTEST_PART = 3
const ALIKE = 0.3

const comparableParts = (value: unknown): readonly string[] => {
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

/**
 * Refuses passwords of digits alone, in any script: there are few of them, and most are dates and telephone numbers.
 *
 * @example
 * ```ts
 * import { defineSettings, minimumLength, notAllDigits } from 'modelrest'
 *
 * export const settings = defineSettings({ AUTH_PASSWORD_VALIDATORS: [minimumLength(), notAllDigits()] })
 * ```
 */
export const notAllDigits = (): PasswordValidator => (password) =>
  /^\p{Nd}+$/u.test(hashedForm(password)) ? 'The password must not be made of digits alone.' : undefined

/**
 * What a new password must pass where `AUTH_PASSWORD_VALIDATORS` says nothing: at least 8 characters, none of the common
 * passwords, not like the user's own fields, not digits alone.
 *
 * @example
 * ```ts
 * import { defaultValidators, defineSettings } from 'modelrest'
 *
 * export const settings = defineSettings({
 *   AUTH_PASSWORD_VALIDATORS: [...defaultValidators, (password) => (/\s/.test(password) ? undefined : 'Use two words.')],
 * })
 * ```
 */
export const defaultValidators: readonly PasswordValidator[] = Object.freeze([
  minimumLength(),
  notCommon(),
  notSimilar(),
  notAllDigits(),
])

const folded = (text: string): string => hashedForm(text).toLowerCase()

const codePoints = (text: string): number => [...text].length

const require = createRequire(import.meta.url)

/**
 * The 49,233 most common passwords, in lower case. It takes about 30 ms to load and 8 MB to keep, so that it is loaded when
 * it is first asked for, at the start of an application that has our login.
 */
const frequentPasswords = (): ReadonlySet<string> => {
  loadedPasswords ??= new Set(
    (require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')).dictionary[
      'passwords-common'
    ],
  )
  return loadedPasswords
}

let loadedPasswords: ReadonlySet<string> | undefined

/**
 * Loads what logins and registrations need, at the start: a missing binary stops it there, and no first request waits. It
 * takes some 10 ms, and 30 more for the list of common passwords where the default validators are asked.
 *
 * @throws StartError where argon2 has no binary for this platform
 */
export const loadPasswords = ({ VALIDATE_PASSWORD, validators }: PasswordRules): void => {
  argon2()
  if (VALIDATE_PASSWORD && validators === undefined) frequentPasswords()
}
