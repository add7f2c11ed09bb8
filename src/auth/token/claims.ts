/** What a token is good for: requests, or a new pair of tokens. */
export type TokenType = 'access' | 'refresh'

/** What a token says (specification, 2.2). Times are whole seconds since 1970. */
export interface TokenClaims {
  /** Who made it. */
  readonly iss: string
  /** Whom it is for. */
  readonly aud: string | readonly string[]
  /** The user: their key as text. */
  readonly sub: string
  /** When it was made. */
  readonly iat: number
  /** When it ends. */
  readonly exp: number
  /** When it begins. Ours have none. */
  readonly nbf?: number
  readonly type: TokenType
  /** Its id. Absent: it was made without stateful mode. */
  readonly jti?: string
  /** The family of all tokens that come from one login. */
  readonly fid?: string
  /** When that login was. */
  readonly auth_time?: number
  /** The model of the user: `app.Model`. Absent: it was made before tokens had it. */
  readonly user_model?: string
  /** Tells the account from a later one with the same key, for models whose keys come again. */
  readonly account?: string
  readonly [claim: string]: unknown
}

type Rule = (value: unknown) => boolean

const isText: Rule = (value) => typeof value === 'string' && value !== ''
const isTime: Rule = Number.isSafeInteger
const orNone =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || rule(value)

/** What each claim must be. Issuer, audience and times have values to be compared with besides. */
const rules: Readonly<Record<Exclude<keyof TokenClaims & string, 'iss' | 'aud'>, Rule>> = {
  sub: isText,
  iat: isTime,
  exp: isTime,
  nbf: orNone(isTime),
  type: (value) => value === 'access' || value === 'refresh',
  jti: orNone(isText),
  fid: orNone(isText),
  auth_time: orNone(isTime),
  user_model: orNone(isText),
  account: orNone(isText),
}

/** Whether each claim that must be there is there, and each that is there has its type. */
export const isTokenClaims = (claims: object): claims is TokenClaims =>
  Object.entries(rules).every(([name, holds]) =>
    holds(Object.hasOwn(claims, name) ? Reflect.get(claims, name) : undefined),
  )

/** Whether a token is good at this moment: made, begun and not ended, give or take the clock skew in seconds. */
export const isTimely = ({ exp, iat, nbf = iat }: TokenClaims, clockSkew: number): boolean => {
  const now = Date.now() / 1000
  return exp > now - clockSkew && iat <= now + clockSkew && nbf <= now + clockSkew
}
