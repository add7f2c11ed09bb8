import type { IssueCode } from '../../error/codes.ts'

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
