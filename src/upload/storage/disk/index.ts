import { open, stat, unlink } from 'node:fs/promises'
import { typeOf } from '../file-types.ts'
import type { ByteSpan, FileBytes, FileStorage, StoredFile } from '../storage.ts'
import { StorageError } from '../storage-error.ts'
import { checkFolder } from './check.ts'
import { durableFolders } from './folders.ts'
import { listOf } from './list.ts'
import { type Places, placesIn } from './places.ts'
import { putInto } from './put.ts'
import { refusalOf, unlessMissing } from './refusal.ts'

/** What {@link diskStorage} takes. */
export interface DiskStorageOptions {
  /** The folder of the files, absolute or from the working folder. It is made where it is missing. */
  readonly directory: string
}

/**
 * Keeps files in a folder of the local disk.
 *
 * A file appears when all of it is on the disk, its name too: neither a killed process nor a power cut leaves a part of
 * one. What killed processes leave lies in `.unfinished`. The folder must be one file system.
 *
 * @example
 * ```ts
 * import { diskStorage, type FileStorage } from 'modelrest'
 *
 * export const storage: FileStorage = diskStorage({ directory: '/var/lib/shop/media' })
 * ```
 */
export const diskStorage = ({ directory }: DiskStorageOptions): FileStorage => {
  const places = placesIn(directory)
  return Object.freeze({
    check: checkFolder(places),
    put: putInto(places, durableFolders(places.root)),
    open: openIn(places),
    stat: statIn(places),
    async delete(key: string) {
      const file = places.fileOf(key)
      if (file !== undefined) await unlessMissing(unlink(file))
    },
    list: listOf(places),
  })
}

const existing = (places: Places, key: string): string => {
  const file = places.fileOf(key)
  if (file === undefined) throw new StorageError('missing')
  return file
}

const openIn =
  (places: Places) =>
  async (key: string, span?: ByteSpan): Promise<FileBytes> => {
    const file = existing(places, key)
    const opened = await open(file, 'r').catch((error: unknown) => {
      throw refusalOf(error)
    })
    const isFile = (await opened.stat()).isFile()
    if (isFile) return opened.createReadStream(span && { start: span.first, end: span.last })
    await opened.close()
    throw new StorageError('missing')
  }

const statIn =
  (places: Places) =>
  async (key: string): Promise<StoredFile> => {
    const found = await unlessMissing(stat(existing(places, key), { bigint: true }))
    if (!found?.isFile()) throw new StorageError('missing')
    return {
      size: Number(found.size),
      type: typeOf(key),
      etag: `"${found.mtimeNs.toString(36)}-${found.size.toString(36)}"`,
      modified: found.mtime,
    }
  }
