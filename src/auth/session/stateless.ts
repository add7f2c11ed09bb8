import { type Steps, wait, waitInAnyMode } from '../../operation/steps.ts'
import type { SignPair } from './pair.ts'
import type { Rotation, Sessions, Subject, TokenPair } from './sessions.ts'

/** Sessions of which nothing is kept: signature and lifetime alone decide (specification, 5.2). */
export const statelessSessions = (sign: SignPair): Sessions => {
  const open = (subject: Subject): Steps<TokenPair> => waitInAnyMode(sign({ subject }))
  return {
    open,
    *rotate(_refresh, subject): Steps<Rotation> {
      return { pair: yield* open(subject), undo: nothing }
    },
    isRevoked: () => wait(false),
    revoke: nothing,
  }
}

const nothing = (): Steps<void> => wait(undefined)
