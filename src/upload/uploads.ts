import { shortened } from '../error/issue.ts'
import { kinds } from '../model/kinds.ts'
import type { Field, Model } from '../model/model.ts'
import { type UploadedFile, uploadedFile } from '../model/uploaded-file.ts'
import type { Log } from '../observe/log.ts'
import { misfit } from './multipart-refusals.ts'
import type { FilePart } from './part.ts'
import { sniff } from './sniff.ts'
import type { FileStorage } from './storage/storage.ts'
import { storageKey } from './storage/storage-key.ts'

/** The files that one request has put into the storage. */
export interface Uploads {
  /** By the names of their fields. */
  readonly files: ReadonlyMap<string, UploadedFile>
  /** Puts the file of a part while it arrives. @throws HttpError 422, StorageError, and what the part fails with */
  put(part: FilePart, field: Field): Promise<UploadedFile>
  /** A record holds these keys: their files stay. */
  keep(keys: Iterable<string>): void
  /** Deletes all files that nobody keeps. It never fails: what cannot be deleted is logged. */
  drop(): Promise<void>
}

export const uploadsTo = (storage: FileStorage, model: Model, log: Log): Uploads => {
  const files = new Map<string, UploadedFile>()
  const loose = new Set<string>()
  return {
    files,
    put: async (part, field) => {
      const { type, bytes, isEmpty } = await sniff(part, kinds[field.kind].upload ?? 'file')
      if (isEmpty) throw misfit(part.name, 'too_short', `${shortened(part.name)} is an empty file.`)
      const key = storageKey({ model: model.name, field: field.name, type })
      // Before it is there: of a storage that fails nobody knows what it has kept.
      loose.add(key)
      const size = await storage.put(key, bytes)
      const file = uploadedFile({ key, name: part.fileName ?? '', type, size })
      files.set(field.name, file)
      return file
    },
    keep: (keys) => {
      for (const key of keys) loose.delete(key)
    },
    drop: async () => {
      const keys = [...loose]
      loose.clear()
      await deleteFiles(storage, keys, log)
    },
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
