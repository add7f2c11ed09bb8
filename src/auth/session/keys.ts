import type { AuthSettings } from '../settings.ts'

/** Where it is kept in the cache what is known of tokens: apart for each issuer and audience. */
export interface SessionKeys {
  token(id: string): string
  family(fid: string): string
  user(sub: string): string
  refreshes(sub: string): string
}

export const sessionKeys = ({ issuer, audience }: Pick<AuthSettings, 'issuer' | 'audience'>): SessionKeys => {
  const root = `modelrest:auth:${encodeURIComponent(issuer)}:${encodeURIComponent(audience)}`
  return {
    token: (id) => `${root}:token:${id}`,
    family: (fid) => `${root}:family:${fid}`,
    user: (sub) => `${root}:user:${encodeURIComponent(sub)}`,
    refreshes: (sub) => `${root}:refreshes:${encodeURIComponent(sub)}`,
  }
}
