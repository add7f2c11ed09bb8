import { StorageError, type StorageErrorKind } from '../storage-error.ts'

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
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The refusal that an error of the file system is. */
export const refusalOf = (error: unknown): StorageError =>
  new StorageError(kinds.get(codeOf(error)) ?? 'unavailable', error)

/** The same where a file is written: a folder that is gone is no missing file. */
export const writingRefusal = (error: unknown): StorageError => {
  const { kind } = refusalOf(error)
  return new StorageError(kind === 'missing' ? 'unavailable' : kind, error)
}

/** @returns `undefined` where there is no such thing. */
export const unlessMissing = async <T>(act: Promise<T>): Promise<T | undefined> => {
  try {
    return await act
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal.kind === 'missing') return undefined
    throw refusal
  }
}
