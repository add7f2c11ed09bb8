/**
 * What a database can refuse, in words of no database.
 *
 * - `contended`: others wrote the same, as in a deadlock or a serialisation failure. Nothing was done, all of the
 *   transaction was undone, and the same may succeed when it is done again.
 * - `lost`: the connection broke while it was used. A write may have been done or not.
 * - `unavailable`: the database cannot be reached, or does nothing at the moment. Nothing was done.
 */
export type SourceErrorKind =
  | 'unique'
  | 'missing-reference'
  | 'still-referenced'
  | 'not-null'
  | 'check'
  | 'value'
  | 'type'
  | 'unrepresentable'
  | 'contended'
  | 'lost'
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
