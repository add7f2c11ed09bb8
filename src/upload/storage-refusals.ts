import { problem } from '../error/http-error.ts'
import { StorageError, type StorageErrorKind } from './storage/storage-error.ts'

const details: Readonly<Record<StorageErrorKind, string>> = {
  missing: 'The file cannot be reached at the moment.',
  full: 'There is no room for files at the moment.',
  unavailable: 'Files cannot be stored at the moment.',
}

/** What a storage refuses, as the answer of a request: 503. Anything else stays as it is. */
export const fromStorage = (error: unknown): unknown =>
  error instanceof StorageError
    ? problem('unavailable', details[error.kind], { cause: error, headers: { 'retry-after': '5' } })
    : error
