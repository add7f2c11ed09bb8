import { assertKnown, StartError, suggest } from '../error/errors.ts'
import { isFileField } from '../model/kinds/index.ts'
import type { Field, Model } from '../model/model.ts'
import { isPlainObject, ownValue } from '../model/objects.ts'
import { hasOperation } from '../model/operations.ts'
import type { FieldIn, NameIn } from '../model/types.ts'

/** The options of an application for files. */
export interface FileOptions<Types = unknown> {
  /** Model name -> text fields that hold files, in addition to detected ones. @default none */
  readonly fileFields?: { readonly [Name in NameIn<Types>]?: readonly FieldIn<Types, Name>[] }
  /**
   * Model name -> whether its create and update accept `multipart/form-data`. @default derived from `fileFields` and
   * `autoMultipart`
   */
  readonly useMultipart?: {
    readonly [Name in NameIn<Types>]?: { readonly create?: boolean; readonly update?: boolean }
  }
  /** Detect columns made with `file()` and `image()`. `false` treats them as text. @default true */
  readonly autoDetectFiles?: boolean
  /** Accept `multipart/form-data` for models with detected file fields. @default true */
  readonly autoMultipart?: boolean
}

export interface MultipartModel {
  /** The model, with the kinds of its file fields set by the options. */
  readonly model: Model
  readonly create: boolean
  readonly update: boolean
}

/**
 * The models with the file options applied, by name.
 *
 * A field is a file if `fileFields` names it or its column is detected. `useMultipart` decides whether a model accepts
 * multipart. Without it, a model does if `fileFields` names one of its fields, or if a field is detected and
 * `autoMultipart` is not `false`. Views never do.
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
  assertBoolean('autoDetectFiles', autoDetectFiles)
  assertBoolean('autoMultipart', autoMultipart)
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

/** The model with exactly these fields as files. Other file columns become text. */
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
  if (!isPlainObject(given)) throw new StartError(`${option} must be an object, such as ${example}.`)
  return Object.entries(given).map(([name, value]) => {
    const model = models.find((known) => known.name === name)
    if (model !== undefined) return [model, value]
    const names = models.map((known) => known.name)
    throw new StartError(`${option}: unknown model ${name}.${suggest(name, names)}`)
  })
}

const assertBoolean = (place: string, value: unknown): void => {
  if (value !== undefined && typeof value !== 'boolean')
    throw new StartError(`${place} must be true or false.`)
}

/** A generated key has up to 117 characters. */
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

const faultOf = ({ fields, primaryKey, relations }: Model, name: string): string | undefined => {
  const field = fields.find((known) => known.name === name)
  if (field === undefined) return `unknown field ${name}.`
  if (!(isFileField(field) || field.kind === 'text'))
    return `${name} is not a text column, so it cannot store a file key.`
  const isForeign = relations.some(
    ({ kind, fields: own, unchecked }) => kind === 'to-one' && unchecked === undefined && own.includes(name),
  )
  if (isForeign || primaryKey.includes(name))
    return `${name} is a primary or foreign key, so it cannot store a file key.`
  if (field.generated) return `${name} is generated by the database, so it cannot store a file key.`
  const { maxLength = KEY_LENGTH } = field
  return maxLength < KEY_LENGTH
    ? `${name} has room for ${maxLength} characters, but a file key needs ${KEY_LENGTH}. Make the column longer.`
    : undefined
}

const acts: readonly string[] = ['create', 'update']

const assertUseMultipart = (model: Model, chosen: unknown): void => {
  if (chosen === undefined) return
  const place = `useMultipart.${model.name}`
  if (!isPlainObject(chosen)) throw new StartError(`${place} must be an object { create, update }.`)
  for (const [act, value] of Object.entries(chosen)) {
    assertKnown(`${place}: unknown key`, act, acts)
    assertBoolean(`${place}.${act}`, value)
    if (model.readOnly && value === true)
      throw new StartError(`${place}: ${model.name} is a view, which is read-only. Remove the entry.`)
    const names = act === 'create' ? (['create'] as const) : (['update', 'replace'] as const)
    if (value === true && !names.some((name) => hasOperation(model, name)))
      throw new StartError(
        `${place}.${act} has no effect because modelConfig.${model.name}.operations does not contain ${names.join(' or ')}. Remove the entry.`,
      )
  }
}
