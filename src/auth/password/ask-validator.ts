import { isPromise } from '../../model/awaitable.ts'
import type { PasswordValidator } from './validator.ts'

/**
 * What a validator says.
 *
 * @param place its place in the list, from 1
 * @throws Error that names the validator where it throws or gives what is no sentence. Its message and cause go to the log,
 *   so that nothing of what the validator threw is in it but where: the message may hold the password.
 */
export const askValidator = (
  validator: PasswordValidator,
  place: number,
  password: string,
  user: Readonly<Record<string, unknown>>,
): string | undefined => {
  const answer: unknown = answerOf(validator, place, password, user)
  if (answer === undefined || (typeof answer === 'string' && answer !== '')) return answer
  if (isPromise(answer)) answer.then(undefined, () => {})
  throw new Error(
    `${named(validator, place)} must return a sentence or undefined, and at once: a password validator may not be asynchronous.`,
  )
}

const answerOf: (...asked: Parameters<typeof askValidator>) => unknown = (
  validator,
  place,
  password,
  user,
) => {
  try {
    return validator(password, user)
  } catch (thrown) {
    throw new Error(`${named(validator, place)} threw${placeOf(thrown)}`)
  }
}

const named = (validator: PasswordValidator, place: number): string =>
  `The password validator ${validator.name === '' ? 'without a name' : validator.name}, number ${place} of AUTH_PASSWORD_VALIDATORS,`

/** The kind of error and the lines of its stack below the message. */
const placeOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return ' what is no Error.'
  const { message, stack = '' } = thrown
  const end = stack.indexOf(message) + message.length
  const frames = stack.includes(message) ? stack.slice(end).split('\n').slice(1) : []
  return [` an error of class ${thrown.constructor.name}.`, ...frames].join('\n')
}
