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
import { nowInSeconds } from './session/pair.ts'
import type { Attempt } from './throttle.ts'
import { normalised } from './user/identifier.ts'

/** A user who may have a session. */
export interface Admitted {
  /** Their record, as it was after everything that a login waits for in here. */
  readonly row: Row
  /** The second in which the login began. */
  readonly iat: number
}

/** The user who logs in. @throws HttpError for whom the password, the number of tries or the hook refuses */
export function* admitted(parts: AuthParts, call: Call, credentials: Credentials): Steps<Admitted> {
  const { accounts, events, settings } = parts
  const iat = nowInSeconds()
  const found = yield* accounts.find(credentials.field, credentials.identifier)
  try {
    const row = yield* recognised(parts, call, credentials, found)
    yield* waitInAnyMode(settings.hooks.login?.(accounts.withoutPassword(row), call.request))
    return { row, iat }
  } catch (thrown) {
    if (toHttpError(thrown).status < 500) events(call, 'login_refused', found && accounts.toSub(found))
    throw thrown
  }
}

/** The user whose password it is. The same work and the same answer, whatever is wrong. @throws HttpError 401, 429 */
function* recognised(
  parts: AuthParts,
  call: Call,
  credentials: Credentials,
  found: Row | undefined,
): Steps<Row> {
  // By what was typed: a count of the user's own would tell which identifiers are of the same user.
  const who = { account: normalised(credentials.identifier), address: call.address }
  // There is nothing to try then, and nothing to count: such attempts would push the counts of others out of the cache.
  if (unacceptable(credentials.password) !== undefined) throw loginRefused()
  yield* parts.throttle.assertOpen(who)
  const row = yield* counted(parts, who, (begin) =>
    proven(parts, call, { ...credentials, turn: { ...turnOf(call), begin } }, found),
  )
  if (row === undefined) throw loginRefused()
  yield* parts.throttle.succeeded(who)
  return row
}

/** A login counts once its first turn to be hashed has come. One that failed before an answer was known does not count. */
function* counted<T>(
  { throttle }: AuthParts,
  who: Attempt,
  attempt: (begin: () => Promise<void>) => Steps<T>,
): Steps<T> {
  let isCounted = false
  const begin = async (): Promise<void> => {
    if (isCounted) return
    await runNested(throttle.enter(who))
    isCounted = true
  }
  try {
    return yield* attempt(begin)
  } catch (error) {
    if (isCounted) yield* throttle.undo(who)
    throw error
  }
}

const turnOf = ({ address }: Pick<Call, 'address'>): Turn => ({
  purpose: 'login',
  client: largestBlock(address),
})

interface Attempted extends Credentials {
  readonly turn: Turn
}

/** A record that changed once may have changed by chance. Whoever changes it all the time gets no more of our work. */
const ROUNDS = 2

/**
 * The record of the user whose password it is. A login waits for its turn, for seconds where there are many: meanwhile the
 * password may be changed, and the user disabled or deleted. So the record is read again, and where it has another hash,
 * the password is compared with that.
 */
function* proven(
  parts: AuthParts,
  call: Call,
  attempted: Attempted,
  found: Row | undefined,
): Steps<Row | undefined> {
  const { accounts, passwords, user } = parts
  let row = found
  for (let round = 0; round < ROUNDS; round += 1) {
    const hash = row && accounts.hashIn(row)
    const isTheirs = yield* waitInAnyMode(passwords.verify(attempted.password, hash, attempted.turn))
    if (row === undefined || hash === undefined || !isTheirs || user.isDisabled(row)) return undefined
    const stored = yield* renewed(parts, call, { row, hash, password: attempted.password })
    const now = yield* accounts.find(attempted.field, attempted.identifier)
    const isSame =
      now !== undefined && accounts.toSub(now) === accounts.toSub(row) && accounts.hashIn(now) === stored
    if (isSame) return user.isDisabled(now) ? undefined : now
    row = now
  }
  return undefined
}

interface Proven {
  readonly row: Row
  readonly hash: string
  readonly password: string
}

/**
 * The stored hash, made anew where it costs too little by now. A login that could be is not refused because that failed:
 * the next one tries again.
 */
function* renewed(
  { accounts, passwords }: AuthParts,
  call: Call,
  { row, hash, password }: Proven,
): Steps<string> {
  if (!passwords.needsRehash(hash)) return hash
  try {
    const updated = yield* accounts.setPassword(
      row,
      yield* waitInAnyMode(passwords.hash(password, turnOf(call))),
    )
    return (updated && accounts.hashIn(updated)) ?? hash
  } catch (error) {
    // An overload passes, and a line for each login would be a flood of its own.
    if (toHttpError(error).code === 'unavailable') return hash
    call.log.error('The password of a user could not be hashed anew', error)
    return hash
  }
}
