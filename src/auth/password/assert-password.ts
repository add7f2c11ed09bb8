import type { Issue } from '../../error/http-error.ts'
import { bodyRefusal } from '../../schema/validate.ts'
import { assertAcceptable } from './acceptable.ts'
import { askValidator } from './ask-validator.ts'
import { defaultValidators } from './default-validators.ts'
import type { PasswordValidator } from './validator.ts'

/** Which rules a new password must pass, beside those that are always there. */
export interface PasswordRules {
  /** `VALIDATE_PASSWORD`: whether the validators are asked. */
  readonly validate: boolean
  /** `AUTH_PASSWORD_VALIDATORS`. @default defaultValidators */
  readonly validators: readonly PasswordValidator[] | undefined
}

/**
 * Refuses a new password with an issue for each complaint.
 *
 * Always: it is a string of 1 to 1024 bytes in UTF-8, and well-formed. All validators are asked.
 *
 * @param user what is known of the user, without the password
 * @throws HttpError 422 `invalid_body`, the pointer of each issue is `/password`; Error where a validator fails
 */
export const assertPassword: (
  password: unknown,
  user: Readonly<Record<string, unknown>>,
  rules: PasswordRules,
) => asserts password is string = (password, user, { validate, validators = defaultValidators }) => {
  assertAcceptable(password)
  const issues = validate ? complaintsOf(password, user, validators) : []
  if (issues.length > 0) throw bodyRefusal(issues)
}

const complaintsOf = (
  password: string,
  user: Readonly<Record<string, unknown>>,
  validators: readonly PasswordValidator[],
): readonly Issue[] =>
  validators.flatMap((validator, index) => {
    const detail = askValidator(validator, index + 1, password, user)
    return detail === undefined ? [] : [{ code: validator.code ?? 'invalid', detail, pointer: '/password' }]
  })
