import { randomUUID } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { mkdir, open, opendir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { StartError } from '../error/errors.ts'
import { assertSafeKey, isGeneratedFileKey, isSafeFileKey, mediaTypeOf } from './keys.ts'
import {
  type ByteSpan,
  type FileStorage,
  type KeptFile,
  StorageError,
  type StorageErrorKind,
  trackSource,
} from './storage.ts'

/** Options of {@link diskStorage}. */
export interface DiskStorageOptions {
  /** The folder for the files, absolute or relative to the working directory. It is created if it is missing. */
  readonly directory: string
}

/**
 * Stores files in a folder of the local disk, which must be on one file system.
 *
 * A file becomes visible only when its content and name are on the disk, so neither a killed process nor a power failure
 * leaves a truncated file. Unfinished uploads of killed processes stay in `.unfinished`.
 *
 * @example
 * ```ts
 * import { diskStorage, type FileStorage } from 'modelrest'
 *
 * export const storage: FileStorage = diskStorage({ directory: '/var/lib/shop/media' })
 * ```
 */
export const diskStorage = ({ directory }: DiskStorageOptions): FileStorage => {
  const root = resolve(directory)
  const unfinished = join(root, '.unfinished')
  const onFile = async <T>(key: string, act: (file: string) => Promise<T>): Promise<T | undefined> => {
    const file = fileBelow(root, key)
    return file === undefined ? undefined : unlessMissing(act(file))
  }
  return Object.freeze({
    check: () => checkFolder(root, unfinished),
    put: putInto(root, unfinished),
    async open(key: string, span?: ByteSpan) {
      const opened = await onFile(key, (file) => open(file, 'r'))
      if (opened !== undefined && (await opened.stat()).isFile())
        return opened.createReadStream(span && { start: span.first, end: span.last })
      await opened?.close()
      throw new StorageError('missing')
    },
    async stat(key: string) {
      const found = await onFile(key, (file) => stat(file, { bigint: true }))
      if (!found?.isFile()) throw new StorageError('missing')
      return {
        size: Number(found.size),
        type: mediaTypeOf(key),
        etag: `"${found.mtimeNs.toString(36)}-${found.size.toString(36)}"`,
        modified: found.mtime,
      }
    },
    async delete(key: string) {
      await onFile(key, unlink)
    },
    async *list(before: Date) {
      for await (const file of filesBelow(root)) {
        const key = relative(root, file).split(sep).join('/')
        if (isGeneratedFileKey(key)) yield* keptIf(file, key, true, before)
      }
      for await (const { name } of entriesOf(unfinished))
        yield* keptIf(join(unfinished, name), `.unfinished/${name}`, false, before)
    },
  })
}

/** The path of a key. `undefined` for an invalid key. */
export const fileBelow = (root: string, key: string): string | undefined =>
  isSafeFileKey(key) ? join(root, ...key.split('/')) : undefined

/**
 * Writes to an unfinished file in the same file system first, synchronizes it and renames it. The final name therefore
 * appears only when all of the content is on the disk. Keys cannot name unfinished files, because they never start with a
 * dot.
 */
const putInto = (root: string, unfinished: string): FileStorage['put'] => {
  const ensureFolder = durableFolders(root)
  return async (key, bytes) => {
    assertSafeKey(key)
    const file = join(root, ...key.split('/'))
    let written = join(unfinished, randomUUID())
    const source = trackSource(bytes)
    try {
      await ensureFolder(unfinished)
      await writeFile(written, source.bytes, { flag: 'wx', flush: true })
      await ensureFolder(dirname(file))
      await rename(written, file)
      written = file
      await syncFolder(dirname(file))
    } catch (error) {
      await rm(written, { force: true }).catch(() => undefined)
      // A missing folder does not mean a missing file.
      throw source.failure ? source.failure.error : toStorageError(error, 'unavailable')
    }
    return source.size
  }
}

const keptIf = async function* (
  file: string,
  key: string,
  complete: boolean,
  before: Date,
): AsyncGenerator<KeptFile> {
  // It has disappeared in the meantime: an upload ended, or a file was deleted.
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

/** Generated keys are three folders deep, in folders whose names do not start with a dot. */
const filesBelow = async function* (folder: string, depth = 3): AsyncGenerator<string> {
  for await (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && depth > 0 && !entry.name.startsWith('.')) yield* filesBelow(path, depth - 1)
    if (entry.isFile() && depth === 0) yield path
  }
}

const checkFolder = async (root: string, unfinished: string): Promise<void> => {
  const probe = join(unfinished, randomUUID())
  try {
    await mkdir(unfinished, { recursive: true })
    await writeFile(probe, 'x', { flag: 'wx' })
  } catch (error) {
    throw new StartError(
      `Cannot write to the folder ${root} (${Object(error).code ?? 'unknown error'}). Give the process write access, or use another folder: diskStorage({ directory: '…' }).`,
      { cause: error },
    )
  } finally {
    await rm(probe, { force: true }).catch(() => undefined)
  }
}

/** Waits until the entries of a folder are on the disk. Until then, a power failure can lose a new file. */
const syncFolder = async (folder: string): Promise<void> => {
  // Windows cannot open folders, and its file system journals their entries.
  if (process.platform === 'win32') return
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Creates folders below `root` durably, and waits for each of them once. */
const durableFolders = (root: string): ((folder: string) => Promise<void>) => {
  const durable = new Set<string>()
  return async (folder) => {
    const made = await mkdir(folder, { recursive: true })
    // An existing folder may have just been created by a request that is still waiting for the disk.
    if (made === undefined && durable.has(folder)) return
    const names = [folder]
    for (let at = folder; at !== root && at !== dirname(at); at = dirname(at)) names.push(dirname(at))
    for (const name of names) await syncFolder(name)
    for (const name of names) durable.add(name)
  }
}

/** System error code -> kind. All others mean that the storage is unavailable. */
const kinds: ReadonlyMap<string, StorageErrorKind> = new Map<string, StorageErrorKind>([
  ['ENOENT', 'missing'],
  // A part of the key is a file, or the key is a folder, so the file does not exist.
  ['ENOTDIR', 'missing'],
  ['EISDIR', 'missing'],
  ['ENAMETOOLONG', 'missing'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EFBIG', 'full'],
])

const toStorageError = (error: unknown, missing: StorageErrorKind = 'missing'): StorageError => {
  const kind = kinds.get(Object(error).code) ?? 'unavailable'
  return new StorageError(kind === 'missing' ? missing : kind, error)
}

/** Resolves to `undefined` if the file or folder does not exist. */
const unlessMissing = async <T>(act: Promise<T>): Promise<T | undefined> => {
  try {
    return await act
  } catch (error) {
    const refusal = toStorageError(error)
    if (refusal.kind === 'missing') return undefined
    throw refusal
  }
}
