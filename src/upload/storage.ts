import { type HttpError, problem, StartError } from '../error/errors.ts'
import type { Log } from '../observe/log.ts'

/** What a storage knows of a file. */
export interface StoredFile {
  /** Bytes. */
  readonly size: number
  /** Its media type, told from the extension of its key: `image/png`. */
  readonly type: string
  /** A strong entity tag with its quotes: `"18c1f-5"`. */
  readonly etag: string
  readonly modified: Date
}

/** Bytes `first` to `last`, both included, counted from 0. */
export interface ByteSpan {
  readonly first: number
  readonly last: number
}

/** The bytes of a file, to be read once: a `Readable` of Node is that. */
export interface FileBytes extends AsyncIterable<Uint8Array> {
  /** Gives back what reading holds. Whoever reads to the end need not. */
  destroy(): unknown
}

/** From when to when a signed URL holds. */
export interface UrlValidity {
  readonly from: Date
  readonly until: Date
}

/** Something that a storage keeps: a file, or what an upload left that did not end. */
export interface KeptFile {
  readonly key: string
  /** `false`: an upload that is under way, or was cut off. Nothing but `remove` reaches it. */
  readonly complete: boolean
  /** Of a file, when it was written. Of an upload, when it last got bytes, or when it began. */
  readonly modified: Date
  /** Deletes it. An upload that is still under way fails. */
  remove(): Promise<void>
}

/**
 * A place for files. The server makes the keys (`storageKey`), each is put once and never again, so that what a key
 * names never changes.
 *
 * @throws StorageError from every act
 */
export interface FileStorage {
  /**
   * Asks once, at start, whether files can be put and deleted here.
   *
   * @throws StartError naming the folder or bucket that is missing or refused
   */
  check(): Promise<void>
  /**
   * Stores bytes while they arrive. The key names nothing before all of them are there for good. Where `bytes` throws, or the
   * storage fails, nothing is left; `bytes`' own error is thrown on as it is. A storage may fail before it reads, so that
   * whoever sends has to end what it sends. Its size in bytes.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number>
  /** Read it to its end or destroy it. @throws StorageError `missing` before it gives any */
  open(key: string, span?: ByteSpan): Promise<FileBytes>
  /** @throws StorageError `missing` */
  stat(key: string): Promise<StoredFile>
  /** Where there is no such file, nothing happens. */
  delete(key: string): Promise<void>
  /** All that was written before a moment, as far as `storageKey` named it: files of others are never told. */
  list(before: Date): AsyncIterable<KeptFile>
  /**
   * A URL at which the storage itself serves the file to whoever has it. The same validity gives the same URL.
   * Absent: it serves no files.
   */
  readonly signedUrl?: (key: string, validity: UrlValidity) => Promise<string>
}

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

/** Deletes files. It never fails: one that cannot be deleted is logged, and stays as one that no record holds. */
export const deleteFiles = async (storage: FileStorage, keys: readonly string[], log: Log): Promise<void> => {
  await Promise.all(
    keys.map(async (key) => {
      try {
        await storage.delete(key)
      } catch (error) {
        log.error(`The file ${key}, which no record holds, could not be deleted.`, error)
      }
    }),
  )
}

const acts = ['check', 'put', 'open', 'stat', 'delete', 'list'] satisfies readonly (keyof FileStorage)[]

export const assertStorage = (storage: unknown): void => {
  if (storage === undefined || acts.every((name) => typeof Object(storage)[name] === 'function')) return
  throw new StartError(
    "The option storage is no storage of files. Write storage: diskStorage({ directory: '/var/lib/shop/media' }).",
  )
}

interface TrackedSource {
  readonly bytes: AsyncIterable<Uint8Array>
  size: number
  isComplete: boolean
  /** What their sender failed with: a client that went away is no fault of the storage. */
  failure?: { readonly error: unknown }
}

export const trackSource = (bytes: AsyncIterable<Uint8Array>): Readonly<TrackedSource> => {
  async function* passing(): AsyncGenerator<Uint8Array> {
    // A storage that fails throws its own error into this generator, where it stands.
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
