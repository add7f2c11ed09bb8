import { argon2 } from './argon2.ts'
import { commonPasswords } from './common-passwords.ts'

/**
 * Loads what logins and registrations need, at the start: a missing binary stops it there, and no first request waits.
 *
 * @throws StartError where argon2 has no binary for this platform
 */
export const loadPasswords = (): void => {
  argon2()
  commonPasswords()
}
