import { StartError } from '../../error/start-error.ts'
import type { ModelSource } from '../../source/source.ts'
import type { FileStorage, KeptFile } from '../../upload/storage/storage.ts'
import { StorageError } from '../../upload/storage/storage-error.ts'
import { folderOfKey } from '../../upload/storage/storage-key.ts'
import { type CleanFilesOptions, readCleanOptions } from './clean-options.ts'
import { type FileColumns, fileColumnsOf, foldersOf, heldKeys, heldOf } from './file-columns.ts'

/** A file in the storage that no record holds, or what an upload left that did not end. */
export interface OrphanFile {
  /** What the storage knows it by. */
  readonly key: string
  /** `false`: an upload that was cut off. */
  readonly complete: boolean
  /** Bytes. Absent where the storage does not say. */
  readonly size?: number
}

/** Where files and the records that hold them are. */
export interface FilePlaces {
  readonly source: ModelSource
  readonly storage: FileStorage
  /** The option `fileFields`. */
  readonly named: Readonly<Record<string, readonly string[] | undefined>>
}

/** So many files are looked at in one passage through the records: some megabytes of memory. */
const PASSAGE = 20_000

/** So many keys are asked for in one statement. */
const ASKED = 200

/**
 * Finds the files that no record holds, and deletes them. Files of models and fields that the application does not know are
 * another's, and stay.
 *
 * @throws StartError for a wrong option, or a table that is missing; SourceError, StorageError
 */
export const cleanFiles = async (
  { source, storage, named }: FilePlaces,
  options: CleanFilesOptions = {},
): Promise<readonly OrphanFile[]> => {
  const { olderThan, remove } = readCleanOptions(options)
  const columns = fileColumnsOf(source, named)
  if (columns.length === 0) return []
  await assertTables(source, columns)
  const folders = foldersOf(columns)
  const isOurs = ({ key, complete }: KeptFile): boolean => {
    const folder = folderOfKey(key)
    // An upload on a disk has no folder before it is complete.
    return folder === undefined ? !complete : folders.has(folder)
  }
  const orphans: OrphanFile[] = []
  for await (const files of inPassages(storage.list(new Date(Date.now() - olderThan * 1000)), isOurs)) {
    for await (const file of unheld(columns, files)) {
      const orphan = await described(storage, file)
      if (orphan === undefined) continue
      if (remove) await file.remove()
      orphans.push(orphan)
    }
  }
  return orphans
}

/** Where a table is not there, each of its files would be an orphan. */
const assertTables = async (source: ModelSource, columns: readonly FileColumns[]): Promise<void> => {
  const missing = await source.missingTables(columns.map(({ model }) => model))
  if (missing.length === 0) return
  throw new StartError(
    `cleanFiles: the database has no table of ${missing.join(', ')}, so that nobody knows which files records hold. Is it the right database?`,
  )
}

const inPassages = async function* (
  files: AsyncIterable<KeptFile>,
  isOurs: (file: KeptFile) => boolean,
): AsyncGenerator<ReadonlyMap<string, KeptFile>> {
  let passage = new Map<string, KeptFile>()
  for await (const file of files) {
    if (!isOurs(file)) continue
    // Several uploads may be on their way to one key.
    passage.set(file.complete ? file.key : `${file.key}\n${passage.size}`, file)
    if (passage.size < PASSAGE) continue
    yield passage
    passage = new Map()
  }
  if (passage.size > 0) yield passage
}

const unheld = async function* (
  columns: readonly FileColumns[],
  files: ReadonlyMap<string, KeptFile>,
): AsyncGenerator<KeptFile> {
  const left = new Map(files)
  for (const table of columns) {
    for await (const keys of heldKeys(table)) for (const key of keys) left.delete(key)
  }
  const candidates = [...left]
  for (let at = 0; at < candidates.length; at += ASKED) {
    const some = new Map(candidates.slice(at, at + ASKED))
    // Once more, right before: a key may have gone from a record not yet read to one that had been.
    for (const table of columns) for (const key of await heldOf(table, [...some.keys()])) some.delete(key)
    yield* some.values()
  }
}

/** `undefined`: it went meanwhile. */
const described = async (
  storage: FileStorage,
  { key, complete }: KeptFile,
): Promise<OrphanFile | undefined> => {
  if (!complete) return { key, complete }
  try {
    return { key, complete, size: (await storage.stat(key)).size }
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'missing') return undefined
    throw error
  }
}
