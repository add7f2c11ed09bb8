/** What a database can refuse, in words of no database. */
export type SourceErrorKind =
  | 'unique'
  | 'missing-reference'
  | 'still-referenced'
  | 'not-null'
  | 'check'
  | 'value'
  | 'unrepresentable'
  | 'unavailable'

/** A database's refusal, without its text. The driver's error is the `cause`, for the log alone. */
export class SourceError extends Error {
  override readonly name: string = 'SourceError'
  readonly kind: SourceErrorKind
  /** The fields of the model that it is about, as far as they can be told. */
  readonly fields: readonly string[]
  /** Of `still-referenced`: the models whose records point here. */
  readonly models: readonly string[]

  constructor(
    kind: SourceErrorKind,
    about: {
      readonly fields?: readonly string[]
      readonly models?: readonly string[]
      readonly cause?: unknown
    } = {},
  ) {
    super(`${kind}: ${[...(about.fields ?? []), ...(about.models ?? [])].join(', ')}`, { cause: about.cause })
    this.kind = kind
    this.fields = about.fields ?? []
    this.models = about.models ?? []
  }
}
