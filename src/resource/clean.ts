import { assertKnown, StartError } from '../error/errors.ts'
import { fieldOf } from '../model/model.ts'
import { both, type Condition, everything } from '../query/ast.ts'
import { rangesAfter } from '../query/keyset.ts'
import { keyValues } from '../source/record-keys.ts'
import type { ModelSource } from '../source/source.ts'
import { folderOf, folderOfKey } from '../upload/keys.ts'
import { type FileStorage, type KeptFile, StorageError } from '../upload/storage.ts'
import {
  type FileColumns,
  type FileSetup,
  heldKeys,
  KEYS_PER_STATEMENT,
  keysIn,
  RECORDS_PER_STATEMENT,
} from './parts/files.ts'

/** A file in the storage without a record, or an unfinished upload. */
export interface OrphanFile {
  /** The key of the file in the storage. */
  readonly key: string
  /** `false` for an unfinished upload. */
  readonly complete: boolean
  /** The size in bytes. Absent for unfinished uploads. */
  readonly size?: number
}

type FilePlaces = Pick<FileSetup, 'storage' | 'columns'> & { readonly source: ModelSource }

/** The number of files per pass through the records, which takes a few megabytes of memory. */
const PASSAGE = 20_000

/** Finds and deletes orphaned files. Files of unknown models and fields are kept. */
export const cleanFiles = async (
  places: FilePlaces,
  options: CleanFilesOptions = {},
): Promise<readonly OrphanFile[]> => {
  const { olderThan, remove } = readCleanOptions(options)
  const { source, storage, columns } = places
  if (columns.length === 0) return []
  const missing = (await source.missing?.(columns.map(({ model }) => model))) ?? []
  const tables = missing.filter(({ columns }) => columns === undefined)
  // Without a table, all files of the model would count as orphaned.
  if (tables.length > 0)
    throw new StartError(
      `cleanFiles: the database has no tables for ${tables.map(({ model }) => model).join(', ')}, so it cannot tell which files are orphaned. Connect to the database of the application.`,
    )
  const folders = new Set(
    columns.flatMap(({ model, fields }) =>
      fields
        // Files that came before the field was renamed.
        .flatMap((field) => [field, fieldOf(model, field).inSource ?? field])
        .map((field) => folderOf({ model: model.name, field })),
    ),
  )
  const isOurs = ({ key, complete }: KeptFile): boolean => {
    const folder = folderOfKey(key)
    // On disk, an upload gets its folder only when it is complete.
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

const inPassages = async function* (
  files: AsyncIterable<KeptFile>,
  isOurs: (file: KeptFile) => boolean,
): AsyncGenerator<ReadonlyMap<string, KeptFile>> {
  let passage = new Map<string, KeptFile>()
  for await (const file of files) {
    if (!isOurs(file)) continue
    // Several unfinished uploads may have the same key.
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
    for await (const keys of allKeys(table)) for (const key of keys) left.delete(key)
  }
  const candidates = [...left]
  for (let at = 0; at < candidates.length; at += KEYS_PER_STATEMENT) {
    const some = new Map(candidates.slice(at, at + KEYS_PER_STATEMENT))
    // Checked again right before the deletion, because a key may have moved to a record that had already been read.
    for (const key of await heldKeys(columns, [...some.keys()])) some.delete(key)
    yield* some.values()
  }
}

/** `undefined` if it has disappeared in the meantime. */
const described = async (storage: FileStorage, file: KeptFile): Promise<OrphanFile | undefined> => {
  const { key, complete } = file
  if (!complete) return { key, complete }
  try {
    return { key, complete, size: (await storage.stat(key)).size }
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'missing') return undefined
    throw error
  }
}

const allKeys = async function* (table: FileColumns): AsyncGenerator<readonly string[]> {
  const { model, fields, order, records } = table
  const conditions = fields.map((field): Condition => ({ op: 'is-not-null', field }))
  const some: Condition = { op: 'or', conditions }
  const selected = {
    order,
    limit: RECORDS_PER_STATEMENT,
    offset: 0,
    fields: [...new Set([...model.primaryKey, ...fields])],
  }
  // By key instead of offset, because concurrent deletes would shift the offset past other records.
  for (let rest: Condition = everything; ; ) {
    const found = await records.list({ ...selected, filter: both(some, rest) })
    yield found.flatMap((row) => keysIn(row, fields))
    const last = found.at(-1)
    if (last === undefined || found.length < RECORDS_PER_STATEMENT) return
    const values = keyValues(last, model.primaryKey)
    rest = { op: 'or', conditions: rangesAfter(model, order, { values, ties: 0 }) }
  }
}

/** Options of `ModelRest.cleanFiles`. */
export interface CleanFilesOptions {
  /** The minimum age in seconds, 0 or more. Younger files may belong to a running request. @default 3600 */
  readonly olderThan?: number
  /** Delete the files. `false` only lists them. @default true */
  readonly remove?: boolean
}

/** One hour: no request takes that long. */
const HOUR = 3600

const names = ['olderThan', 'remove'] satisfies readonly (keyof CleanFilesOptions)[]

const readCleanOptions = (options: CleanFilesOptions): Required<CleanFilesOptions> => {
  for (const name of Object.keys(options)) assertKnown('cleanFiles: unknown option', name, names)
  const { olderThan = HOUR, remove = true } = options
  if (!(Number.isFinite(olderThan) && olderThan >= 0))
    throw new StartError(
      'cleanFiles: olderThan must be a number of seconds, at least 0, such as olderThan: 3600.',
    )
  if (typeof remove !== 'boolean') throw new StartError('cleanFiles: remove must be true or false.')
  return { olderThan, remove }
}
