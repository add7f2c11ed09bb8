import { StartError } from '../../error/start-error.ts'
import { codePoints, hashedForm } from './forms.ts'
import type { PasswordValidator } from './validator.ts'

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
  if (!Number.isInteger(least) || least < 1 || least > LARGEST)
    throw new StartError(`minimumLength() takes a whole number from 1 to ${LARGEST}. Its default is 8.`)
  const complaint = `The password must have at least ${least} characters.`
  // The form that is hashed may be shorter (`e` and an accent) or longer (a ligature): neither may help.
  const tooShort = (password: string): boolean =>
    Math.min(codePoints(password), codePoints(hashedForm(password))) < least
  return Object.assign((password: string) => (tooShort(password) ? complaint : undefined), {
    code: 'too_short' as const,
  })
}

/** As many of four bytes each are the most that a password may have. */
const LARGEST = 256
