import { passwords } from './passwords.ts'

/**
 * What the password column of a user holds: for seeding users and for changing a password in code of your own.
 *
 * Argon2id with 19 MiB, two passes and one lane, salted. The password is normalised to NFKC first (NIST SP 800-63B), so
 * that it is the same from every keyboard. No validator is asked.
 *
 * @param password 1 to 1024 bytes in UTF-8
 * @returns the encoded hash, about 100 characters
 * @throws HttpError 422 where the password is empty, longer, or no well-formed Unicode; 503 where too many are being made
 * @example
 * ```ts
 * import { hashPassword } from 'modelrest'
 *
 * export const ann = async () => ({
 *   email: 'ann@example.com',
 *   password: await hashPassword('correct horse battery staple'),
 * })
 * ```
 */
export const hashPassword = (password: string): Promise<string> => passwords.hash(password)
