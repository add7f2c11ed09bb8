import type { Issue } from '../../error/http-error.ts'
import { bodyRefusal } from '../../schema/validate.ts'

/** More is refused before it is hashed. Nothing is ever cut off: every byte up to here counts. */
export const MOST_BYTES = 1024

const issue = (code: Issue['code'], detail: string): Issue => ({ code, detail, pointer: '/password' })

/**
 * What no password can be, whatever the validators say. `undefined`: it can be hashed.
 *
 * A lone surrogate has no UTF-8 form: hashed, it would be the same password as every other one in its place.
 */
export const unacceptable = (password: unknown): Issue | undefined => {
  if (password === undefined) return issue('required', 'The password must be there.')
  if (typeof password !== 'string') return issue('wrong_type', 'The password must be a string.')
  if (password === '') return issue('too_short', 'The password must not be empty.')
  if (Buffer.byteLength(password) > MOST_BYTES)
    return issue('too_long', `The password may have at most ${MOST_BYTES} bytes in UTF-8.`)
  if (/\p{Surrogate}/u.test(password)) return issue('invalid', 'The password must be well-formed Unicode.')
  return undefined
}

/** @throws HttpError 422 with what is {@link unacceptable} about it */
export const assertAcceptable: (password: unknown) => asserts password is string = (password) => {
  const issue = unacceptable(password)
  if (issue !== undefined) throw bodyRefusal([issue])
}
