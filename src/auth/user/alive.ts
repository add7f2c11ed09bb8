import type { Steps } from '../../operation/steps.ts'
import type { Row } from '../../source/source.ts'
import type { UserModel } from './user-model.ts'

/** The user who was found, where a session of theirs may go on: neither deleted nor disabled. */
export function* alive(
  { isDisabled }: Pick<UserModel, 'isDisabled'>,
  found: Steps<Row | undefined>,
): Steps<Row | undefined> {
  const row = yield* found
  return row === undefined || isDisabled(row) ? undefined : row
}
