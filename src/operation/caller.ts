/** Who sent a request. */
export interface Caller {
  /** In the form of the user model's key. */
  readonly id: unknown
  /** What else is known of them, as the claims of a token. */
  readonly claims: Readonly<Record<string, unknown>>
}
