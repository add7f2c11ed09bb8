import { StartError, suggest } from '../error/start-error.ts'
import { isFileField } from '../model/file-fields.ts'
import type { Field, Model } from '../model/model.ts'
import { ownValue } from '../model/own-value.ts'
import { assertFileOptions } from './file-option-shapes.ts'
import type { FileOptions } from './file-options.ts'

/** What of a model has to do with files. */
export interface MultipartModel {
  /** The model with its file fields as such, and no others: its kinds say which they are. */
  readonly model: Model
  /** In the order of the model. */
  readonly fileFields: readonly string[]
  /** Whether a create takes `multipart/form-data` beside JSON. */
  readonly create: boolean
  /** Whether an update does, by PATCH and by PUT. */
  readonly update: boolean
}

/**
 * What the options make of each model, by its name.
 *
 * A field is a file where `fileFields` names it, or its column is detected. A model takes multipart where `useMultipart`
 * says so; where that says nothing, if `fileFields` names one of its fields, or if one was detected and `autoMultipart`
 * is not off. A view takes none.
 *
 * @throws StartError for an unknown model or field, a field that is no text, or a value of another shape
 */
export const multipartModels = (
  models: readonly Model[],
  options: FileOptions = {},
): ReadonlyMap<string, MultipartModel> => {
  assertFileOptions(options)
  const { fileFields = {}, useMultipart = {}, autoDetectFiles = true, autoMultipart = true } = options
  assertModels('fileFields', Object.keys(fileFields), models)
  assertModels('useMultipart', Object.keys(useMultipart), models)
  return new Map(
    models.map((described) => {
      const named = ownValue(fileFields, described.name) ?? []
      const chosen = ownValue(useMultipart, described.name) ?? {}
      assertFields(described, named)
      assertWritten(described, chosen)
      const detected = autoDetectFiles ? described.fields.filter(isFileField).map(({ name }) => name) : []
      const model = withFiles(described, new Set([...named, ...detected]))
      const byItself = !described.readOnly && (named.length > 0 || (autoMultipart && detected.length > 0))
      return [
        described.name,
        Object.freeze({
          model,
          fileFields: Object.freeze(model.fields.filter(isFileField).map(({ name }) => name)),
          create: chosen.create ?? byItself,
          update: chosen.update ?? byItself,
        } satisfies MultipartModel),
      ]
    }),
  )
}

/** The model with these fields as files; a column for files that is none of them is text. */
const withFiles = (model: Model, names: ReadonlySet<string>): Model => {
  const asIs = model.fields.every((field) => isFileField(field) === names.has(field.name))
  if (asIs) return model
  const fields = model.fields.map((field): Field => {
    if (isFileField(field) === names.has(field.name)) return field
    const { maxLength: _maxLength, default: _default, ...rest } = field
    return Object.freeze(names.has(field.name) ? { ...rest, kind: 'file' } : { ...field, kind: 'text' })
  })
  return Object.freeze({ ...model, fields: Object.freeze(fields) })
}

const assertModels = (option: string, names: readonly string[], models: readonly Model[]): void => {
  const known = models.map(({ name }) => name)
  for (const name of names) {
    if (!known.includes(name))
      throw new StartError(`${option}: there is no model ${name}.${suggest(name, known)}`)
  }
}

/** A key of ours has up to 117 characters. */
const KEY_LENGTH = 120

const assertFields = (model: Model, names: readonly string[]): void => {
  const texts = model.fields
    .filter((field) => isFileField(field) || field.kind === 'text')
    .map(({ name }) => name)
  for (const name of names) {
    const place = `fileFields.${model.name}: ${name}`
    const field = model.fields.find((candidate) => candidate.name === name)
    if (field === undefined) {
      throw new StartError(
        `fileFields.${model.name}: ${model.name} has no field ${name}.${suggest(name, texts)}`,
      )
    }
    if (!texts.includes(name))
      throw new StartError(`${place} is no text, and cannot hold a file.${suggest(name, texts)}`)
    if (isReference(model, name)) throw new StartError(`${place} is a key, and cannot hold a file.`)
    if (field.generated) throw new StartError(`${place} is made by the database, and cannot hold a file.`)
    if (field.maxLength !== undefined && field.maxLength < KEY_LENGTH) {
      throw new StartError(
        `${place} holds ${field.maxLength} characters. What a storage knows a file by needs ${KEY_LENGTH}.`,
      )
    }
  }
}

const isReference = (model: Model, name: string): boolean =>
  model.primaryKey.includes(name) ||
  model.relations.some(({ kind, fields }) => kind === 'to-one' && fields.includes(name))

const assertWritten = (
  model: Model,
  chosen: { readonly create?: boolean; readonly update?: boolean },
): void => {
  if (model.readOnly && (chosen.create === true || chosen.update === true))
    throw new StartError(`useMultipart.${model.name}: ${model.name} is a view, which nobody writes.`)
}
