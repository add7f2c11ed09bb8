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
    await runNested(failingClosed(revokeUser(sub)))
  }
}

/** @throws Error where nothing is kept of tokens, or there are none of ours */
export const revokeTokensOf = async (auth: Auth | undefined, id: unknown): Promise<void> => {
  if (auth?.revokeTokens === undefined)
    throw new Error('revokeTokens needs auth: true and SERVICE_AUTH: { STATEFUL: true }.')
  await auth.revokeTokens(id)
}
