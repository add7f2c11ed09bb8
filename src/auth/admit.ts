import { toHttpError } from '../error/problem.ts'
import type { Call } from '../operation/call.ts'
import { runNested } from '../operation/nested.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import type { Row } from '../source/source.ts'
import { largestBlock } from './address-block.ts'
import type { Credentials } from './login-body.ts'
import type { AuthParts } from './parts.ts'
import { unacceptable } from './password/acceptable.ts'
import type { Turn } from './password/passwords.ts'
import { loginRefused } from './refusals.ts'
import type { Attempt } from './throttle.ts'
import { normalised } from './user/identifier.ts'

/** The user who logs in. @throws HttpError for whom the password, the number of tries or the hook refuses */
export function* admitted(parts: AuthParts, call: Call, credentials: Credentials): Steps<Row> {
  const { accounts, events, settings } = parts
  const row = yield* accounts.find(credentials.field, credentials.identifier)
  try {
    const user = yield* recognised(parts, call, credentials, row)
    yield* waitInAnyMode(settings.hooks.login?.(accounts.withoutPassword(user), call.request))
    return user
  } catch (thrown) {
    if (toHttpError(thrown).status < 500) events(call, 'login_refused', row && accounts.toSub(row))
    throw thrown
  }
}

/** The user whose password it is. The same work and the same answer, whatever is wrong. @throws HttpError 401, 429 */
function* recognised(
  parts: AuthParts,
  call: Call,
  { identifier, password }: Credentials,
  row: Row | undefined,
): Steps<Row> {
  const { accounts, passwords, throttle, user } = parts
  // By what was typed: a count of the user's own would tell which identifiers are of the same user.
  const who = { account: normalised(identifier), address: call.address }
  // No user has such a password, so that nothing is tried and nothing counted.
  if (unacceptable(password) !== undefined) throw loginRefused()
  yield* throttle.assertOpen(who)
  const hash = row && accounts.hashIn(row)
  const isTheirs = yield* verified(parts, { password, hash, who })
  if (row === undefined || hash === undefined || !isTheirs || user.isDisabled(row)) throw loginRefused()
  yield* throttle.succeeded(who)
  if (passwords.needsRehash(hash)) yield* rehashed(parts, call, row, password)
  return row
}

interface Unverified {
  readonly password: string
  readonly hash: string | undefined
  readonly who: Attempt
}

/** A login counts once its turn to be hashed has come. A password that could not be looked at is no failed login. */
function* verified({ passwords, throttle }: AuthParts, { password, hash, who }: Unverified): Steps<boolean> {
  let isCounted = false
  const begin = async (): Promise<void> => {
    await runNested(throttle.enter(who))
    isCounted = true
  }
  try {
    return yield* waitInAnyMode(passwords.verify(password, hash, { ...turnOf(who), begin }))
  } catch (error) {
    if (isCounted) yield* throttle.undo(who)
    throw error
  }
}

const turnOf = ({ address }: Pick<Attempt, 'address'>): Turn => ({
  purpose: 'login',
  client: largestBlock(address),
})

/** A login that could be is not refused because its hash could not be made anew: the next one tries again. */
function* rehashed({ accounts, passwords }: AuthParts, call: Call, row: Row, password: string): Steps<void> {
  try {
    yield* accounts.setPassword(row, yield* waitInAnyMode(passwords.hash(password, turnOf(call))))
  } catch (error) {
    // An overload passes, and a line for each login would be a flood of its own.
    if (toHttpError(error).code === 'unavailable') return
    call.log.error('The password of a user could not be hashed anew', error)
  }
}
