import { createRequire } from 'node:module'
import leven from 'leven'
import { type Issue, StartError } from '../../error/errors.ts'
import { isPromise, ownValue } from '../../model/objects.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import type { PasswordValidator } from '../settings/index.ts'
import { argon2, assertAcceptable, hashedForm } from './passwords.ts'

/** The rules for new passwords, in addition to those that always apply. */
export interface PasswordRules {
  readonly VALIDATE_PASSWORD: boolean
  /** @default defaultValidators */
  readonly validators: readonly PasswordValidator[] | undefined
}

/**
 * Runs all validators, and refuses a new password with an issue for each mistake.
 *
 * @param user the known fields of the user, without the password
 * @param pointer the place of the password in the body. @default /password
 * @throws HttpError 422; Error if a validator fails
 */
export const assertPassword: (
  password: unknown,
  user: Readonly<Record<string, unknown>>,
  rules: PasswordRules,
  pointer?: string,
) => asserts password is string = (
  password,
  user,
  { VALIDATE_PASSWORD, validators },
  pointer = '/password',
) => {
  assertAcceptable(password, pointer)
  const active = VALIDATE_PASSWORD ? (validators ?? defaultValidators) : []
  const issues = active.flatMap((validator, index): readonly Issue[] => {
    const detail = runValidator(validator, index + 1, password, user)
    return detail === undefined ? [] : [{ code: validator.code ?? 'invalid', detail, pointer }]
  })
  if (issues.length > 0) throw bodyRefusal(issues)
}

/** Errors are logged with the stack of what a validator threw, but without its message, which may contain the password. */
const runValidator = (
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
  throw new Error(`${name} must return a sentence or undefined, and cannot be asynchronous.`)
}

/** The class of an error and its stack without the message. */
const stackOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return ' a value that is not an Error.'
  const { message, stack = '' } = thrown
  const end = stack.indexOf(message) + message.length
  const frames = stack.includes(message) ? stack.slice(end).split('\n').slice(1) : []
  return [` an error of class ${thrown.constructor.name}.`, ...frames].join('\n')
}

/**
 * A validator that refuses short passwords. It counts Unicode code points: an emoji is usually one character.
 *
 * @param least the minimum number of characters. @default 8
 * @throws StartError if `least` is not an integer from 1 to 256
 * @example
 * ```ts
 * import { defineSettings, minimumLength, notCommon } from 'modelrest'
 *
 * export const settings = defineSettings({ authPasswordValidators: [minimumLength(12), notCommon()] })
 * ```
 */
export const minimumLength = (least = 8): PasswordValidator => {
  if (!Number.isInteger(least) || least < 1 || least > LONGEST_MINIMUM)
    throw new StartError(
      `The argument of minimumLength() must be an integer from 1 to ${LONGEST_MINIMUM}. The default is 8.`,
    )
  const complaint = `The password must have at least ${least} characters.`
  // The normalized form may be shorter (`e` and an accent) or longer (a ligature): the shorter one counts.
  const tooShort = (password: string): boolean =>
    Math.min(codePoints(password), codePoints(hashedForm(password))) < least
  return Object.assign((password: string) => (tooShort(password) ? complaint : undefined), {
    code: 'too_short' as const,
  })
}

/** 256 characters of four bytes each are the longest password. */
const LONGEST_MINIMUM = 256

/**
 * A validator that refuses the 49,000 most common passwords, ignoring case, and passwords derived from them: with up to
 * four digits or symbols before or after (`Princess12!`), repeated, a few characters repeated (`abcabcabc`), or
 * characters in sequence (`abcdefgh`).
 *
 * @example
 * ```ts
 * import { defineSettings, minimumLength, notCommon } from 'modelrest'
 *
 * export const settings = defineSettings({ authPasswordValidators: [minimumLength(), notCommon()] })
 * ```
 */
export const notCommon = (): PasswordValidator => (password) => {
  const text = folded(password)
  return commonRules.some((rule) => rule(text)) ? commonPassword : undefined
}

const commonPassword = 'The password is one of the most common passwords, or too similar to one.'

/** A shorter common word inside a password reveals little about the rest of it. */
const SHORTEST_WORD = 4

const isCommonWord = (text: string): boolean =>
  codePoints(text) >= SHORTEST_WORD && frequentPasswords().has(text)

const commonRules: readonly ((text: string) => boolean)[] = [
  (text) => frequentPasswords().has(text),
  (text) => isCommonWord(text.replace(/[^\p{L}]{1,4}$/u, '')),
  (text) => isCommonWord(text.replace(/^[^\p{L}]{1,4}/u, '')),
  (text) => {
    // The limit of 16 keeps the search linear in the length of the text.
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
 * A validator that refuses passwords that are similar to a field of the user: an identifier, a name, the local part of an
 * email address, or a single word in one of these. It ignores case. A value is similar if it makes up at least half of
 * the password, contains the password, or differs from it in less than a third of the characters.
 *
 * @example
 * ```ts
 * import { defineSettings, minimumLength, notSimilar } from 'modelrest'
 *
 * export const settings = defineSettings({ authPasswordValidators: [minimumLength(), notSimilar()] })
 * ```
 */
export const notSimilar = (): PasswordValidator => (password, user) => {
  const text = folded(password)
  const field = Object.keys(user).find((name) =>
    comparableParts(ownValue(user, name)).some((part) => areSimilar(text, part)),
  )
  return field === undefined ? undefined : `The password is too similar to the field ${field}.`
}

/** Longer strings are not names or addresses. This also limits the cost of comparing. */
const LONGEST_VALUE = 256
/** Shorter parts occur in good passwords by chance. */
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
 * A validator that refuses passwords that consist only of digits, in any script. Most of these are dates or telephone
 * numbers.
 *
 * @example
 * ```ts
 * import { defineSettings, minimumLength, notAllDigits } from 'modelrest'
 *
 * export const settings = defineSettings({ authPasswordValidators: [minimumLength(), notAllDigits()] })
 * ```
 */
export const notAllDigits = (): PasswordValidator => (password) =>
  /^\p{Nd}+$/u.test(hashedForm(password)) ? 'The password must not consist only of digits.' : undefined

/**
 * The default of `authPasswordValidators`: at least 8 characters, not a common password, not similar to the user's other
 * fields, not only digits.
 *
 * @example
 * ```ts
 * import { defaultValidators, defineSettings } from 'modelrest'
 *
 * export const settings = defineSettings({
 *   authPasswordValidators: [...defaultValidators, (password) => (/\s/.test(password) ? undefined : 'Use two words.')],
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

/**
 * The 49,233 most common passwords, in lower case. The list takes about 30 ms to load and 8 MB of memory, so only an
 * application with `auth: true` loads it.
 */
const frequentPasswords = (): ReadonlySet<string> => {
  if (loadedPasswords === undefined) {
    const language: typeof import('@zxcvbn-ts/language-common') = createRequire(import.meta.url)(
      '@zxcvbn-ts/language-common',
    )
    loadedPasswords = new Set(language.dictionary['passwords-common'])
  }
  return loadedPasswords
}

let loadedPasswords: ReadonlySet<string> | undefined

/**
 * Loads the dependencies of logins and registrations at startup, so that a missing binary is a startup error. This takes
 * about 10 ms, and 30 more for the list of common passwords of the default validators.
 *
 * @throws StartError if argon2 has no binary for this platform
 */
export const loadPasswords = ({ VALIDATE_PASSWORD, validators }: PasswordRules): void => {
  argon2()
  if (VALIDATE_PASSWORD && validators === undefined) frequentPasswords()
}
