import type { TokenAuthSettings } from '../settings.ts'

/** What a mark says of its token. */
export type MarkKind = 'rotated' | 'revoked'

/**
 * Where it is kept in the cache what is known of tokens: apart for each issuer and audience, and of users apart for each
 * user model. Ids of tokens and families are random, so that those of two models never meet.
 */
export interface SessionKeys {
  token(id: string): string
  family(fid: string): string
  user(sub: string): string
  /** Its earlier form, without the user model. It is only read, for tokens that name no model. */
  userOfAnyModel(sub: string): string
  refreshes(sub: string): string
  marks(kind: MarkKind, sub: string): string
}

export const sessionKeys = ({
  issuer,
  audience,
  userModel,
}: Pick<TokenAuthSettings, 'issuer' | 'audience' | 'userModel'>): SessionKeys => {
  const joined = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join(':')
  const root = `modelrest:auth:${joined(issuer, audience)}`
  return {
    token: (id) => `${root}:token:${id}`,
    family: (fid) => `${root}:family:${fid}`,
    user: (sub) => `${root}:user:${joined(userModel, sub)}`,
    userOfAnyModel: (sub) => `${root}:user:${joined(sub)}`,
    refreshes: (sub) => `${root}:refreshes:${joined(userModel, sub)}`,
    marks: (kind, sub) => `${root}:marks:${joined(kind, userModel, sub)}`,
  }
}
