import { minimumLength } from './minimum-length.ts'
import { notAllDigits } from './not-all-digits.ts'
import { notCommon } from './not-frequent.ts'
import { notSimilar } from './not-similar.ts'
import type { PasswordValidator } from './validator.ts'

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
