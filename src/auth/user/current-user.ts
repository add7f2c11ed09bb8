import type { Awaitable } from '../../model/awaitable.ts'
import { runNested } from '../../operation/nested.ts'
import type { Steps } from '../../operation/steps.ts'
import type { Row } from '../../source/source.ts'
import type { UserRecords } from './records.ts'

/**
 * A caller's record without the password, for hooks: `context.user()`. It is read at most once; null where it is gone.
 *
 * @param id in the form of the key
 */
export const currentUser = (users: UserRecords, id: unknown): (() => Awaitable<Row | null>) => {
  let asked: { readonly user: Awaitable<Row | null> } | undefined
  function* find(): Steps<Row | null> {
    const row = yield* users.read(id)
    return row === undefined ? null : users.withoutPassword(row)
  }
  return () => {
    asked ??= { user: runNested(find()) }
    return asked.user
  }
}
