import type { Call } from '../../operation/call.ts'
import { type Steps, wait, waitInAnyMode } from '../../operation/steps.ts'
import type { AuthSettings } from '../settings/index.ts'
import type { Subject, TokenClaims, Tokens, TokenType, VerifiedToken } from '../tokens/tokens.ts'

/** Two tokens as clients get them, and the lifetime of each in seconds. */
export interface TokenPair {
  readonly access: string
  readonly refresh: string
  readonly accessSeconds: number
  readonly refreshSeconds: number
}

/** The request that opens or refreshes a session. */
export type Client = Pick<Call, 'address'> & Partial<Pick<Call, 'header'>>

/** A session in the list of its user. */
export interface ListedSession extends Pick<Subject, 'iat' | 'account'> {
  /** The id of its family. */
  readonly id: string
  readonly agent: string | null
  readonly address: string | null
  /** In milliseconds since 1970. */
  readonly created: number
  readonly used: number
  /** When its refresh token expires, in seconds since 1970. */
  readonly exp: number
}

/** The sessions of each user, for `GET /auth/sessions`. @throws CacheError from `note` and `of` */
export interface SessionList {
  /**
   * Adds a session, or renews it. Without a free place, ends the session that was not used for longest.
   *
   * @throws HttpError 503 if other requests take every place, or if too many ended sessions have ended all of them
   */
  note(sub: string, session: ListedSession): Steps<void>
  /** Updates the time of the last use, at most once a minute. It ignores an unavailable cache. */
  used(token: VerifiedToken): Steps<void>
  /** The sessions that have not ended, the latest use first. @param account the claim for the user as stored now */
  of(sub: string, account: string | undefined): Steps<readonly ListedSession[]>
  /** Removes an ended session, which the list leaves out anyway. It ignores a cache that is full or unavailable. */
  drop(sub: string, id: string): Steps<void>
}

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

/** The claims that all tokens of a session share. */
export type TokenFamily = Required<Pick<TokenClaims, 'fid' | 'auth_time'>>

/** The time in seconds at which a session ends, however often it is refreshed. */
export const lastEnd = (
  { auth_time }: TokenFamily,
  { REFRESH_ABSOLUTE, JWT_REFRESH_EXP }: Pick<AuthSettings, 'REFRESH_ABSOLUTE' | 'JWT_REFRESH_EXP'>,
): number => (REFRESH_ABSOLUTE ? auth_time + JWT_REFRESH_EXP : Infinity)

/** Signs a pair of tokens for a user. @param kept Absent in stateless mode */
export type SignPair = (
  subject: Subject,
  kept?: { readonly family: TokenFamily; readonly accessId: string; readonly refreshId: string },
) => Promise<TokenPair>

/** @param keysComeAgain whether the user model reuses keys */
export const pairSigner =
  (tokens: Tokens, settings: AuthSettings, keysComeAgain: boolean): SignPair =>
  async (subject, kept) => {
    const { JWT_ACCESS_EXP, JWT_REFRESH_EXP } = settings
    const { iat, account, own = { claims: {}, kept: {} }, ...user } = subject
    const keeps = Object.keys(own.kept).length > 0
    const ownOf = {
      access: { ...own.claims, ...(keeps && { kept: Object.keys(own.kept) }) },
      refresh: keeps ? { claims: own.kept } : {},
    }
    // A stateless request does not read the user for this claim only.
    const bound = { access: settings.STATEFUL || keysComeAgain, refresh: true }
    const end = kept === undefined ? Infinity : lastEnd(kept.family, settings)
    const sign = (type: TokenType, exp: number, jti: string | undefined): Promise<string> =>
      tokens.sign({
        ...ownOf[type],
        ...{ ...user, iat, type, exp },
        ...(bound[type] && account !== undefined && { account }),
        ...(jti !== undefined && { jti }),
        ...kept?.family,
      })
    const accessEnd = Math.min(iat + JWT_ACCESS_EXP, end)
    const refreshEnd = Math.min(iat + JWT_REFRESH_EXP, end)
    const [access, refresh] = await Promise.all([
      sign('access', accessEnd, kept?.accessId),
      sign('refresh', refreshEnd, kept?.refreshId),
    ])
    return { access, refresh, accessSeconds: accessEnd - iat, refreshSeconds: refreshEnd - iat }
  }
