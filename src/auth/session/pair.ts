import type { AuthSettings } from '../settings.ts'
import type { Tokens } from '../token/tokens.ts'
import type { Subject, TokenPair } from './sessions.ts'

/** What the tokens of one session have in common. */
export interface Family {
  readonly fid: string
  /** The time of the first login, in seconds. */
  readonly auth_time: number
}

/** When a session ends however often it is refreshed, in seconds. */
export const lastEnd = (
  { auth_time }: Family,
  { refreshAbsolute, refreshExp }: Pick<AuthSettings, 'refreshAbsolute' | 'refreshExp'>,
): number => (refreshAbsolute ? auth_time + refreshExp : Infinity)

/** What a new pair is made of. */
export interface NewPair {
  readonly subject: Subject
  /** Absent: tokens of which nothing is kept. */
  readonly kept?: { readonly family: Family; readonly accessId: string; readonly refreshId: string }
}

/** Signs a pair of tokens for a user. */
export type SignPair = (pair: NewPair) => Promise<TokenPair>

export const pairSigner =
  (tokens: Tokens, settings: AuthSettings): SignPair =>
  async ({ subject, kept }) => {
    const { accessExp, refreshExp } = settings
    const { iat } = subject
    const end = kept === undefined ? Infinity : lastEnd(kept.family, settings)
    const sign = (type: 'access' | 'refresh', exp: number, jti: string | undefined): Promise<string> =>
      tokens.sign({ ...subject, type, exp, ...(jti !== undefined && { jti }), ...kept?.family })
    const accessEnd = Math.min(iat + accessExp, end)
    const refreshEnd = Math.min(iat + refreshExp, end)
    const [access, refresh] = await Promise.all([
      sign('access', accessEnd, kept?.accessId),
      sign('refresh', refreshEnd, kept?.refreshId),
    ])
    return { access, refresh, accessSeconds: accessEnd - iat, refreshSeconds: refreshEnd - iat }
  }

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000)

/** Tokens tell when they were made in whole seconds. Those that are made from now on must not look like those of before. */
export const secondAfter = (second: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, (second + 1) * 1000 - Date.now()))
  })
