import { type HttpError, problem } from '../error/http-error.ts'
import type { Steps } from '../operation/steps.ts'
import { StorageError, type StorageErrorKind } from '../upload/storage/storage-error.ts'

/** Runs what uses the storage; what that refuses becomes an answer. The storage's own words stay in the log. */
export function* throughStorage<T>(steps: Steps<T>): Steps<T> {
  try {
    return yield* steps
  } catch (error) {
    throw error instanceof StorageError ? refusals[error.kind](error) : error
  }
}

const away = (cause: StorageError): HttpError =>
  problem('unavailable', 'The storage of files cannot be used at the moment.', {
    cause,
    headers: { 'retry-after': '5' },
  })

const refusals: Readonly<Record<StorageErrorKind, (cause: StorageError) => HttpError>> = {
  missing: (cause) => problem('not_found', 'There is no such file.', { cause }),
  full: away,
  unavailable: away,
}
