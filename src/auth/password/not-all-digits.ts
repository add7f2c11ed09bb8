import { hashedForm } from './forms.ts'
import type { PasswordValidator } from './validator.ts'

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
