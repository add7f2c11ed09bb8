import { type HttpError, problem, StartError } from '../error/errors.ts'
import type { Log } from '../observe/log.ts'

/** The metadata of a stored file. */
export interface StoredFile {
  /** The size in bytes. */
  readonly size: number
  /** The media type, derived from the extension of the key by `mediaTypeOf`: `image/png`. */
  readonly type: string
  /** A strong entity tag, including its quotes: `"18c1f-5"`. */
  readonly etag: string
  readonly modified: Date
}

/** The bytes `first` to `last`, inclusive and counted from 0. */
export interface ByteSpan {
  readonly first: number
  readonly last: number
}

/** The bytes of a file, which can be read once, such as a Node `Readable`. */
export interface FileBytes extends AsyncIterable<Uint8Array> {
  /** Releases the resources of the stream. Not needed after reading to the end. */
  destroy(): unknown
}

/** The time during which a signed URL is valid. */
export interface UrlValidity {
  readonly from: Date
  readonly until: Date
}

/** An entry of a storage: a file, or an unfinished upload. */
export interface KeptFile {
  readonly key: string
  /** `false` for an upload that is running or was interrupted. Only `remove` works on it. */
  readonly complete: boolean
  /** When the file was written. For an upload, when it last received bytes or when it started. */
  readonly modified: Date
  /** Deletes the file, or aborts the upload, which then fails. */
  remove(): Promise<void>
}

/**
 * A storage for files. The server generates the keys. Each key is stored only once, so its content never changes.
 * `storageContract` of `modelrest/testing` tests an implementation.
 *
 * @throws StorageError from every method
 */
export interface FileStorage {
  /**
   * Checks at startup whether files can be stored and deleted.
   *
   * @throws StartError naming a folder or bucket that is missing or not accessible
   */
  check(): Promise<void>
  /**
   * Stores bytes while they arrive, and returns their number. The key does not exist before all bytes are stored
   * durably. If `bytes` throws or the storage fails, no partial file remains; an error of `bytes` is rethrown
   * unchanged. A storage may fail before it reads, so the caller must close `bytes`.
   *
   * @throws RangeError if `isSafeFileKey(key)` is false
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number>
  /** Opens a file. Read it to the end or destroy it. @throws StorageError `missing` before the first byte */
  open(key: string, span?: ByteSpan): Promise<FileBytes>
  /** Returns the metadata of a file. @throws StorageError `missing` */
  stat(key: string): Promise<StoredFile>
  /** Deletes a file. Does nothing if the file does not exist. */
  delete(key: string): Promise<void>
  /**
   * Lists entries that were written before a time and whose keys the service generated: `isGeneratedFileKey(key)`.
   */
  list(before: Date): AsyncIterable<KeptFile>
  /**
   * Returns a URL with which anyone can read the file directly from the storage. The same validity returns the same
   * URL. Absent if the storage does not serve files; the API then serves them.
   */
  readonly signedUrl?: (key: string, validity: UrlValidity) => Promise<string>
}

/**
 * `missing`: the file does not exist. `full`: out of space. `unavailable`: the storage is unreachable or refuses the
 * request.
 */
export type StorageErrorKind = 'missing' | 'full' | 'unavailable'

/** An error of a storage. The original error is the `cause` and appears only in the log. */
export class StorageError extends Error {
  override readonly name: string = 'StorageError'
  readonly kind: StorageErrorKind

  constructor(kind: StorageErrorKind, cause?: unknown) {
    super(`File storage error: ${kind}.`, { cause })
    this.kind = kind
  }
}

/** Deletes files. It never fails: a file that cannot be deleted is logged and stays orphaned. */
export const deleteFiles = async (storage: FileStorage, keys: readonly string[], log: Log): Promise<void> => {
  const left = keys.values()
  let failed = 0
  let last: unknown
  const deleteNext = async (): Promise<void> => {
    for (const key of left)
      try {
        await storage.delete(key)
      } catch (error) {
        failed += 1
        last = error
        if (failed <= MOST_LOGGED) log.error(`The orphaned file ${key} could not be deleted.`, error)
      }
  }
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, deleteNext))
  if (failed > MOST_LOGGED)
    log.error(`${failed - MOST_LOGGED} more orphaned files could not be deleted.`, last)
}

/** One request may delete the files of many records. */
const MOST_AT_ONCE = 8

const MOST_LOGGED = 10

const acts = ['check', 'put', 'open', 'stat', 'delete', 'list'] satisfies readonly (keyof FileStorage)[]

export const assertStorage = (storage: unknown): void => {
  if (storage === undefined || acts.every((name) => typeof Object(storage)[name] === 'function')) return
  throw new StartError(
    "storage must be a file storage, such as storage: diskStorage({ directory: '/var/lib/shop/media' }).",
  )
}

interface TrackedSource {
  readonly bytes: AsyncIterable<Uint8Array>
  size: number
  isComplete: boolean
  /** The error of the source. A client that disconnects is not a failure of the storage. */
  failure?: { readonly error: unknown }
}

export const trackSource = (bytes: AsyncIterable<Uint8Array>): Readonly<TrackedSource> => {
  async function* passing(): AsyncGenerator<Uint8Array> {
    // A failing storage throws its own error into this generator at the `yield`.
    let isPassed = false
    try {
      for await (const piece of bytes) {
        tracked.size += piece.byteLength
        isPassed = true
        yield piece
        isPassed = false
      }
      tracked.isComplete = true
    } catch (error) {
      if (!isPassed) tracked.failure = { error }
      throw error
    }
  }
  const tracked: TrackedSource = { bytes: passing(), size: 0, isComplete: false }
  return tracked
}

export const storageUnavailable = (detail: string, cause: unknown): HttpError =>
  problem('unavailable', detail, { cause, headers: { 'retry-after': '5' } })
