import { assertKnown, StartError, suggest } from '../error/errors.ts'
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

export interface MultipartModel {
  /** The model with its file fields as such, and no others: its kinds say which they are. */
  readonly model: Model
  readonly create: boolean
  readonly update: boolean
}

/**
 * What the options make of each model, by its name.
 *
 * A field is a file if `fileFields` names it, or its column is detected. A model takes multipart if `useMultipart` says so;
 * if that says nothing, where `fileFields` names one of its fields, or where one was detected and `autoMultipart` is not
 * off. A view takes none.
 */
export const multipartModels = (
  models: readonly Model[],
  options: FileOptions = {},
): ReadonlyMap<string, MultipartModel> => {
  const { fileFields = {}, useMultipart = {}, autoDetectFiles = true, autoMultipart = true } = options
  for (const [model, names] of entriesOf('fileFields', fileFields, models, "{ Product: ['photo'] }"))
    assertFields(model, names)
  for (const [model, chosen] of entriesOf(
    'useMultipart',
    useMultipart,
    models,
    '{ Product: { create: true } }',
  ))
    assertUseMultipart(model, chosen)
  assertBoolean('The option autoDetectFiles', autoDetectFiles)
  assertBoolean('The option autoMultipart', autoMultipart)
  return new Map(
    models.map((described) => {
      const named = ownValue(fileFields, described.name) ?? []
      const chosen = ownValue(useMultipart, described.name) ?? {}
      const detected = autoDetectFiles ? described.fields.filter(isFileField).map(({ name }) => name) : []
      const byItself = !described.readOnly && (named.length > 0 || (autoMultipart && detected.length > 0))
      return [
        described.name,
        Object.freeze({
          model: withFiles(described, new Set([...named, ...detected])),
          create: chosen.create ?? byItself,
          update: chosen.update ?? byItself,
        } satisfies MultipartModel),
      ]
    }),
  )
}

/** The model with these fields as files; a column for files that is none of them is text. */
const withFiles = (model: Model, names: ReadonlySet<string>): Model => {
  const isAsNamed = (field: Field): boolean => isFileField(field) === names.has(field.name)
  if (model.fields.every(isAsNamed)) return model
  const fields = model.fields.map((field): Field => {
    if (isAsNamed(field)) return field
    const { maxLength: _maxLength, default: _default, ...rest } = field
    return Object.freeze(names.has(field.name) ? { ...rest, kind: 'file' } : { ...field, kind: 'text' })
  })
  return Object.freeze({ ...model, fields: Object.freeze(fields) })
}

const entriesOf = (
  option: string,
  given: unknown,
  models: readonly Model[],
  example: string,
): readonly (readonly [Model, unknown])[] => {
  if (!isPlainObject(given)) throw new StartError(`The option ${option} must be an object, as ${example}.`)
  return Object.entries(given).map(([name, value]) => {
    const model = models.find((known) => known.name === name)
    if (model !== undefined) return [model, value]
    const names = models.map((known) => known.name)
    throw new StartError(`${option}: there is no model ${name}.${suggest(name, names)}`)
  })
}

const assertBoolean = (place: string, value: unknown): void => {
  if (value !== undefined && typeof value !== 'boolean')
    throw new StartError(`${place} must be true or false.`)
}

/** A key of ours has up to 117 characters. */
const KEY_LENGTH = 120

const assertFields = (model: Model, names: unknown): void => {
  if (names === undefined) return
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    throw new StartError(`fileFields.${model.name} must be an array of field names.`)
  const texts = model.fields
    .filter((field) => isFileField(field) || field.kind === 'text')
    .map(({ name }) => name)
  for (const name of names) {
    const fault = faultOf(model, name)
    if (fault !== undefined)
      throw new StartError(
        `fileFields.${model.name}: ${fault}${texts.includes(name) ? '' : suggest(name, texts)}`,
      )
  }
}

const faultOf = ({ name: model, fields, primaryKey, relations }: Model, name: string): string | undefined => {
  const field = fields.find((known) => known.name === name)
  if (field === undefined) return `${model} has no field ${name}.`
  if (!(isFileField(field) || field.kind === 'text')) return `${name} is no text, and cannot hold a file.`
  const isForeign = relations.some((relation) => relation.kind === 'to-one' && relation.fields.includes(name))
  if (isForeign || primaryKey.includes(name)) return `${name} is a key, and cannot hold a file.`
  if (field.generated) return `${name} is made by the database, and cannot hold a file.`
  const { maxLength = KEY_LENGTH } = field
  return maxLength < KEY_LENGTH
    ? `${name} holds ${maxLength} characters. What a storage knows a file by needs ${KEY_LENGTH}.`
    : undefined
}

const acts: readonly string[] = ['create', 'update']

const assertUseMultipart = (model: Model, chosen: unknown): void => {
  if (chosen === undefined) return
  const place = `useMultipart.${model.name}`
  if (!isPlainObject(chosen)) throw new StartError(`${place} must be { create, update }.`)
  for (const [act, value] of Object.entries(chosen)) {
    assertKnown(`${place} has no key`, act, acts)
    assertBoolean(`${place}.${act}`, value)
    if (model.readOnly && value === true)
      throw new StartError(`${place}: ${model.name} is a view, which nobody writes.`)
  }
}
