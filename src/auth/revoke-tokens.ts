import { runNested } from '../operation/nested.ts'
import type { Auth } from './auth.ts'
import type { AuthParts } from './parts.ts'
import { failingClosed } from './refusals.ts'

/** Ends all tokens of a user at once. `undefined` where nothing is kept of tokens. */
export const tokenRevoker = ({
  accounts,
  sessions,
}: Pick<AuthParts, 'accounts' | 'sessions'>): Auth['revokeTokens'] => {
  const { revokeUser } = sessions
  if (revokeUser === undefined) return undefined
  return async (id) => {
    const sub = accounts.subOf(id)
    if (sub === undefined) throw new Error('revokeTokens takes the key of a user.')
    await secondAfter(await runNested(failingClosed(revokeUser(sub))))
  }
}

/** Tokens tell when they were made in whole seconds. Those that are made from now on must not look like those of before. */
const secondAfter = (second: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, (second + 1) * 1000 - Date.now()))
  })

/** @throws Error where nothing is kept of tokens, or there are none of ours */
export const revokeTokensOf = async (auth: Auth | undefined, id: unknown): Promise<void> => {
  if (auth?.revokeTokens === undefined)
    throw new Error('revokeTokens needs auth: true and SERVICE_AUTH: { STATEFUL: true }.')
  await auth.revokeTokens(id)
}
