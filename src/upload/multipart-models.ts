import { StartError, suggest } from '../error/errors.ts'
import { isFileField } from '../model/kinds/index.ts'
import type { Field, Model } from '../model/model.ts'
import { isPlainObject, ownValue } from '../model/objects.ts'
import type { FieldIn, NameIn } from '../model/types.ts'

/** What an application says of files. */
export interface FileOptions<Types = unknown> {
  /** Model name -> text fields that hold files, beside those that are detected. @default none */
  readonly fileFields?: { readonly [Name in NameIn<Types>]?: readonly FieldIn<Types, Name>[] }
  /**
   * Model name -> whether its create and update take `multipart/form-data`. @default as `fileFields` and `autoMultipart`
   * say
   */
  readonly useMultipart?: {
    readonly [Name in NameIn<Types>]?: { readonly create?: boolean; readonly update?: boolean }
  }
  /** Detect the columns that `file()` and `image()` have made. `false` leaves them text. @default true */
  readonly autoDetectFiles?: boolean
  /** Take `multipart/form-data` for models with detected file fields. @default true */
  readonly autoMultipart?: boolean
}

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

const acts: readonly string[] = ['create', 'update']

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

/** @throws StartError for an option of files of another shape than it takes. */
const assertFileOptions = (options: object): void => {
  assertFileFields(Reflect.get(options, 'fileFields'))
  assertUseMultipart(Reflect.get(options, 'useMultipart'))
  for (const name of ['autoDetectFiles', 'autoMultipart']) {
    const value: unknown = Reflect.get(options, name)
    if (value !== undefined && typeof value !== 'boolean') {
      throw new StartError(`The option ${name} must be true or false.`)
    }
  }
}

const assertFileFields = (given: unknown): void => {
  for (const [model, names] of entriesOf('fileFields', "{ Product: ['photo'] }", given)) {
    if (names !== undefined && !isNames(names))
      throw new StartError(`fileFields.${model} must be an array of field names.`)
  }
}

const assertUseMultipart = (given: unknown): void => {
  for (const [model, chosen] of entriesOf('useMultipart', '{ Product: { create: true } }', given)) {
    if (chosen === undefined) continue
    if (!isPlainObject(chosen)) throw new StartError(`useMultipart.${model} must be { create, update }.`)
    for (const [act, value] of Object.entries(chosen)) {
      if (!acts.includes(act))
        throw new StartError(`useMultipart.${model} has no key ${act}.${suggest(act, acts)}`)
      if (value !== undefined && typeof value !== 'boolean')
        throw new StartError(`useMultipart.${model}.${act} must be true or false.`)
    }
  }
}

const entriesOf = (option: string, example: string, given: unknown): readonly [string, unknown][] => {
  if (given === undefined) return []
  if (!isPlainObject(given)) throw new StartError(`The option ${option} must be an object, as ${example}.`)
  return Object.entries(given)
}
