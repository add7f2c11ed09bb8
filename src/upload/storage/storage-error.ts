/** `missing`: there is no such file. `full`: no room for it. `unavailable`: the storage could not be reached, or refused. */
export type StorageErrorKind = 'missing' | 'full' | 'unavailable'

/** A storage's refusal, without its text. The error of the system or client is the `cause`, for the log alone. */
export class StorageError extends Error {
  override readonly name: string = 'StorageError'
  readonly kind: StorageErrorKind

  constructor(kind: StorageErrorKind, cause?: unknown) {
    super(`The storage of files: ${kind}.`, { cause })
    this.kind = kind
  }
}
