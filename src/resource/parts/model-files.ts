import { fileFieldsOf } from '../../model/kinds/index.ts'
import { type Field, isReadable, type Model } from '../../model/model.ts'
import type { Media } from '../../upload/media.ts'
import type { MultipartModel } from '../../upload/multipart-models.ts'
import type { MultipartLimits } from '../../upload/multipart-settings.ts'
import type { FileStorage } from '../../upload/storage.ts'
import type { FileColumns } from './held-files.ts'

export interface FileSetup {
  readonly storage: FileStorage
  /** Where records of any model may hold the files of the storage. */
  readonly columns: readonly FileColumns[]
  /** The size and time limits of forms. */
  readonly limits: MultipartLimits
  /** The operations that accept forms, by model name. */
  readonly multipart: ReadonlyMap<string, Pick<MultipartModel, 'create' | 'update'>>
}

export interface ModelFiles extends Omit<FileSetup, 'multipart'> {
  /** The fields that hold files, including hidden ones. */
  readonly fields: readonly Field[]
  /** Whether the operation accepts forms as well as JSON. */
  readonly takesForm: Readonly<Record<'create' | 'update' | 'replace', boolean>>
}

export const modelFilesOf = (model: Model, { multipart, ...setup }: FileSetup): ModelFiles | undefined => {
  const { create = false, update = false } = multipart.get(model.name) ?? {}
  const fields = fileFieldsOf(model)
  if (fields.length === 0 && !create && !update) return undefined
  return { ...setup, fields, takesForm: { create, update, replace: update } }
}

export interface ModelMedia extends Media {
  readonly storage: FileStorage
  /** The fields whose files callers can read. */
  readonly fields: readonly Field[]
  /** The fields whose files are read with a signature: those that any caller can read. */
  readonly signed: readonly Field[]
  /** All of them are public. */
  readonly isOpen: boolean
}

/** @param whole the model as all callers together see it */
export const modelMediaOf = (
  model: Model,
  { storage }: FileSetup,
  media: Media,
  { isOpen, whole }: { readonly isOpen: boolean; readonly whole: Model },
): ModelMedia | undefined => {
  const signed = fileFieldsOf(whole).filter(isReadable)
  const fields = fileFieldsOf(model).filter(isReadable)
  return signed.length === 0 ? undefined : { ...media, storage, fields, signed, isOpen }
}
