import { randomUUID } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { mkdir, open, opendir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { StartError } from '../error/errors.ts'
import { assertSafeKey, isGeneratedKey, isSafeKey, typeOf } from './keys.ts'
import {
  type ByteSpan,
  type FileStorage,
  type KeptFile,
  StorageError,
  type StorageErrorKind,
  trackSource,
} from './storage.ts'

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
  const paths = diskPaths(directory)
  const { root, unfinished, fileOf } = paths
  const existingFile = (key: string): string => {
    const file = fileOf(key)
    if (file === undefined) throw new StorageError('missing')
    return file
  }
  return Object.freeze({
    check: () => checkFolder(paths),
    put: putInto(paths),
    async open(key: string, span?: ByteSpan) {
      const opened = await open(existingFile(key), 'r').catch((error: unknown) => {
        throw toStorageError(error)
      })
      if ((await opened.stat()).isFile())
        return opened.createReadStream(span && { start: span.first, end: span.last })
      await opened.close()
      throw new StorageError('missing')
    },
    async stat(key: string) {
      const found = await unlessMissing(stat(existingFile(key), { bigint: true }))
      if (!found?.isFile()) throw new StorageError('missing')
      return {
        size: Number(found.size),
        type: typeOf(key),
        etag: `"${found.mtimeNs.toString(36)}-${found.size.toString(36)}"`,
        modified: found.mtime,
      }
    },
    async delete(key: string) {
      const file = fileOf(key)
      if (file !== undefined) await unlessMissing(unlink(file))
    },
    async *list(before: Date) {
      for await (const file of filesBelow(root)) {
        const key = relative(root, file).split(sep).join('/')
        if (isGeneratedKey(key)) yield* keptIf(file, key, true, before)
      }
      for await (const { name } of entriesOf(unfinished))
        yield* keptIf(join(unfinished, name), `.unfinished/${name}`, false, before)
    },
  })
}

/** Where a disk storage keeps what. Absolute paths. */
interface DiskPaths {
  readonly root: string
  /** Uploads under way, in the same file system as what they become. No key reaches it: names of keys begin with no dot. */
  readonly unfinished: string
  /** The file of a key. `undefined`: no file can have this key. */
  fileOf(key: string): string | undefined
}

export const diskPaths = (directory: string): DiskPaths => {
  const root = resolve(directory)
  return {
    root,
    unfinished: join(root, '.unfinished'),
    fileOf: (key) => (isSafeKey(key) ? join(root, ...key.split('/')) : undefined),
  }
}

/**
 * Writes to an unfinished file first. That one is synchronised and then renamed, so that the key's name appears only when
 * all of the content is on the disk.
 */
const putInto = ({ root, unfinished }: DiskPaths): FileStorage['put'] => {
  const ensureFolder = durableFolders(root)
  return async (key, bytes) => {
    assertSafeKey(key)
    const file = join(root, ...key.split('/'))
    const temporary = join(unfinished, randomUUID())
    const source = trackSource(bytes)
    try {
      await ensureFolder(unfinished)
      await write(temporary, source.bytes)
      await ensureFolder(dirname(file))
      await rename(temporary, file)
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined)
      throw source.failure ? source.failure.error : toWriteError(error)
    }
    try {
      await syncFolder(dirname(file))
    } catch (error) {
      await rm(file, { force: true }).catch(() => undefined)
      throw toWriteError(error)
    }
    return source.size
  }
}

/** An existing file is never written over. */
const write = async (file: string, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  const opened = await open(file, 'wx')
  try {
    await opened.writeFile(bytes)
    await opened.sync()
  } finally {
    await opened.close()
  }
}

const keptIf = async function* (
  file: string,
  key: string,
  complete: boolean,
  before: Date,
): AsyncGenerator<KeptFile> {
  // Gone meanwhile: an upload ended, or a file was deleted.
  const found = await unlessMissing(stat(file))
  if (found === undefined || found.mtime >= before) return
  const remove = async (): Promise<void> => {
    await unlessMissing(rm(file))
  }
  yield { key, complete, modified: found.mtime, remove }
}

const entriesOf = async function* (folder: string): AsyncGenerator<Dirent> {
  const opened = await unlessMissing(opendir(folder))
  if (opened === undefined) return
  try {
    yield* opened
  } catch (error) {
    throw toStorageError(error)
  }
}

/** Keys of ours lie three folders deep, in folders whose names begin with no dot. */
const filesBelow = async function* (folder: string, depth = 3): AsyncGenerator<string> {
  for await (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && depth > 0 && !entry.name.startsWith('.')) yield* filesBelow(path, depth - 1)
    if (entry.isFile() && depth === 0) yield path
  }
}

/** Makes the folder where it is missing, and writes to it once. */
const checkFolder = async ({ root, unfinished }: DiskPaths): Promise<void> => {
  const probe = join(unfinished, randomUUID())
  try {
    await mkdir(unfinished, { recursive: true })
    await writeFile(probe, 'x', { flag: 'wx' })
  } catch (error) {
    throw new StartError(
      `The folder ${root} cannot keep files (${codeOf(error) || 'unknown'}). Let the process write there, or name another: diskStorage({ directory: '…' }).`,
      { cause: error },
    )
  } finally {
    await rm(probe, { force: true }).catch(() => undefined)
  }
}

/** Waits until a folder's entries are on the disk: a new file is lost with a power cut as long as its name is not there. */
const syncFolder = async (folder: string): Promise<void> => {
  // Windows opens no folder, and keeps its file system's journal in order by itself.
  if (process.platform === 'win32') return
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Makes folders below `root` so that a power cut does not take them back, and waits for each once. */
const durableFolders = (root: string): ((folder: string) => Promise<void>) => {
  const durable = new Set<string>()
  return async (folder) => {
    const made = await mkdir(folder, { recursive: true })
    // One that is there may have been made a moment ago, by somebody who is still waiting for the disk.
    if (made === undefined && durable.has(folder)) return
    const names = [folder]
    for (let at = folder; at !== root && at !== dirname(at); at = dirname(at)) names.push(dirname(at))
    for (const name of names) await syncFolder(name)
    for (const name of names) durable.add(name)
  }
}

/** What the system's codes mean. Any other: the storage is unavailable. */
const kinds: ReadonlyMap<string, StorageErrorKind> = new Map<string, StorageErrorKind>([
  ['ENOENT', 'missing'],
  // A part of the key is a file, or the key is a folder: there is no such file.
  ['ENOTDIR', 'missing'],
  ['EISDIR', 'missing'],
  ['ENAMETOOLONG', 'missing'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EFBIG', 'full'],
])

/** The code of an error of the system: `ENOENT`. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The refusal that an error of the file system is. */
const toStorageError = (error: unknown): StorageError =>
  new StorageError(kinds.get(codeOf(error)) ?? 'unavailable', error)

/** The same where a file is written: a folder that is gone is no missing file. */
const toWriteError = (error: unknown): StorageError => {
  const { kind } = toStorageError(error)
  return new StorageError(kind === 'missing' ? 'unavailable' : kind, error)
}

/** @returns `undefined` where there is no such thing. */
const unlessMissing = async <T>(act: Promise<T>): Promise<T | undefined> => {
  try {
    return await act
  } catch (error) {
    const refusal = toStorageError(error)
    if (refusal.kind === 'missing') return undefined
    throw refusal
  }
}
