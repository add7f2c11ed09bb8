import { argon2 } from './argon2.ts'
import type { PasswordRules } from './assert-password.ts'
import { frequentPasswords } from './frequent-passwords.ts'

/**
 * Loads what logins and registrations need, at the start: a missing binary stops it there, and no first request waits. It
 * takes some 10 ms, and 30 more for the list of common passwords where the default validators are asked.
 *
 * @throws StartError where argon2 has no binary for this platform
 */
export const loadPasswords = ({ validate, validators }: PasswordRules): void => {
  argon2()
  if (validate && validators === undefined) frequentPasswords()
}
