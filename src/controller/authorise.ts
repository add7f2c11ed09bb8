import { problem } from '../error/http-error.ts'
import type { Call } from '../operation/call.ts'
import { PromiseRefused } from '../operation/nested.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Permission } from './permissions.ts'
import { contextWith } from './visit.ts'

/** Lets a request pass whose caller is known. @throws HttpError 401 */
export const assertCaller = (call: Call): void => {
  if (call.caller === undefined) throw unauthenticated(call)
}

/**
 * Lets a request pass that may do what it is about to. A permission that is a function must say `true`.
 *
 * @param record what it is about, where there is one
 * @throws HttpError 401 for the anonymous, 403 for everybody else
 */
export function* authorise(
  permission: Permission,
  { call, db, record }: { readonly call: Call; readonly db: unknown; readonly record?: object },
): Steps<void> {
  if (typeof permission === 'string') {
    if (permission === 'authenticated') assertCaller(call)
    return
  }
  const copy = record === undefined ? undefined : { ...record }
  const context = contextWith(db, call)
  const may = yield* asked(() => permission(call.request, copy, context))
  if (may !== true) throw call.caller === undefined ? unauthenticated(call) : forbidden()
}

function* asked(ask: () => unknown): Steps<unknown> {
  try {
    return yield* wait(ask())
  } catch (error) {
    if (!(error instanceof PromiseRefused)) throw error
    throw new Error(`A permission returned a promise. ${error.message}`, { cause: error })
  }
}

const unauthenticated = ({ challenge = 'Bearer' }: Call): Error =>
  problem('unauthenticated', 'Authenticate first.', { headers: { 'www-authenticate': challenge } })

const forbidden = (): Error => problem('forbidden', 'You may not do this.')
