import { StorageError, type StorageErrorKind } from '../storage-error.ts'

/** What the codes of S3 and of servers like it mean. Any other: the storage is unavailable. */
const kinds: Readonly<Record<string, StorageErrorKind>> = {
  NoSuchKey: 'missing',
  // HEAD has no body, so that the status is all that a server can say.
  NotFound: 'missing',
  QuotaExceeded: 'full',
  InsufficientStorage: 'full',
  StorageFull: 'full',
  XMinioStorageFull: 'full',
  EntityTooLarge: 'full',
}

const INSUFFICIENT_STORAGE = 507

/** The status of the server's answer. `undefined`: there was none. */
export const statusOf = (error: unknown): number | undefined => {
  if (!(error instanceof Error && '$metadata' in error)) return undefined
  const { $metadata } = error
  if (typeof $metadata !== 'object' || $metadata === null || !('httpStatusCode' in $metadata))
    return undefined
  return typeof $metadata.httpStatusCode === 'number' ? $metadata.httpStatusCode : undefined
}

/** The refusal that an error of the client is. */
export const refusalOf = (error: unknown): StorageError => {
  const named = error instanceof Error && Object.hasOwn(kinds, error.name) ? kinds[error.name] : undefined
  const kind = named ?? (statusOf(error) === INSUFFICIENT_STORAGE ? 'full' : 'unavailable')
  return new StorageError(kind, error)
}

/** Waits for an act of the client. @throws StorageError for its error */
export const translated = async <T>(act: Promise<T>): Promise<T> => {
  try {
    return await act
  } catch (error) {
    throw refusalOf(error)
  }
}
