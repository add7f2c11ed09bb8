import { fileFieldsOf } from '../model/file-fields.ts'
import type { Field, Model } from '../model/model.ts'
import type { MultipartLimits, MultipartTimes } from '../upload/multipart-limits.ts'
import type { MultipartModel } from '../upload/multipart-models.ts'
import type { FileStorage } from '../upload/storage/storage.ts'

/** What an application does with files and forms. */
export interface FileSetup {
  readonly storage: FileStorage
  /** How much a form may hold, and how long it may take. */
  readonly limits: MultipartLimits
  readonly times: MultipartTimes
  /** Which models take forms, by their names. */
  readonly multipart: ReadonlyMap<string, Pick<MultipartModel, 'create' | 'update'>>
}

/** What the acts on one model do with files and forms. */
export interface ModelFiles extends Omit<FileSetup, 'multipart'> {
  /** The fields that hold files, hidden ones too. */
  readonly fields: readonly Field[]
  /** Whether the act takes a form beside JSON. */
  readonly takesForm: Readonly<Record<'create' | 'update' | 'replace', boolean>>
}

/** `undefined`: the model has no files and takes no forms. */
export const modelFilesOf = (model: Model, setup: FileSetup | undefined): ModelFiles | undefined => {
  if (setup === undefined) return undefined
  const { multipart, ...rest } = setup
  const { create = false, update = false } = multipart.get(model.name) ?? {}
  const fields = fileFieldsOf(model)
  if (fields.length === 0 && !create && !update) return undefined
  return { ...rest, fields, takesForm: { create, update, replace: update } }
}
