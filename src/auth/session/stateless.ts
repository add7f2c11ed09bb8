import { type Steps, wait, waitInAnyMode } from '../../operation/steps.ts'
import type { SignPair } from './pair.ts'
import type { Rotation, Sessions, TokenPair } from './sessions.ts'

/** Sessions of which nothing is kept: signature and lifetime alone decide (specification, 5.2). */
export const statelessSessions = (sign: SignPair): Sessions => {
  const open = (sub: string): Steps<TokenPair> => waitInAnyMode(sign({ sub }))
  return {
    open,
    *rotate({ claims }): Steps<Rotation> {
      return { pair: yield* open(claims.sub), undo: nothing }
    },
    isRevoked: () => wait(false),
    revoke: nothing,
  }
}

const nothing = (): Steps<void> => wait(undefined)
