import { type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import type { Client, ListedSession, SessionList } from './session-list.ts'
import type { SignPair, Subject, TokenPair, VerifiedToken } from './tokens.ts'

/** The result of a refresh. */
export type Rotation =
  /** `undo` makes the refresh token unused again, because a hook refused. */
  | { readonly pair: TokenPair; readonly undo: () => Steps<void> }
  /** `reused`: it was rotated before, and its whole family is now revoked. `over`: its session has expired. */
  | { readonly refused: 'revoked' | 'reused' | 'over' }

/** Opens, refreshes and ends sessions. @throws CacheError if the cache is unavailable */
export interface Sessions {
  /** @param client for the list of sessions. Absent: unknown. @throws HttpError 503 */
  open(subject: Subject, client?: Client): Steps<TokenPair>
  /** Exchanges a refresh token for a new pair. @throws HttpError 429, 503 */
  rotate(refresh: VerifiedToken, subject: Subject, client?: Client): Steps<Rotation>
  /** A refresh token that was rotated is not revoked: its session continues. */
  isRevoked(token: VerifiedToken): Steps<boolean>
  /** Revokes a token; for a rotated refresh token, its session. Without room in the cache, revokes all sessions of the user. */
  revoke(token: VerifiedToken): Steps<void>
  /** Ends all sessions of a user; a later login begins a new one. Absent if tokens cannot be revoked. */
  revokeUser?(sub: string): Steps<void>
  /** Absent if sessions are not listed. */
  readonly list?: SessionList & {
    /** Ends one session. After many of them within the lifetime of a token, ends all sessions of the user. */
    end(sub: string, session: ListedSession): Steps<void>
  }
}

/** Sessions that store nothing: only the signature and the lifetime of a token count. */
export const statelessSessions = (sign: SignPair): Sessions => {
  const open = (subject: Subject): Steps<TokenPair> => waitInAnyMode(sign(subject))
  return {
    open,
    *rotate(_refresh, subject): Steps<Rotation> {
      return { pair: yield* open(subject), undo: doNothing }
    },
    isRevoked: () => wait(false),
    revoke: doNothing,
  }
}

const doNothing = (): Steps<void> => wait(undefined)
