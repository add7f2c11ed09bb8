import { StartError, suggest } from '../error/start-error.ts'
import { kinds } from './kinds.ts'
import { type Access, type CountMode, type Field, isReadable, type Model } from './model.ts'
import type { FieldIn, NameIn } from './model-types.ts'
import { looksSecret } from './secret.ts'

/** Names of fields, or a map that says yes or no to each: `{ resetToken: false }`. */
export type FieldChoice<Field extends string = string> =
  | readonly Field[]
  | { readonly [Name in Field]?: boolean }

/** What a model cannot say of itself. `Field` are the names of its fields. */
export interface ModelConfig<Field extends string = string> {
  /** The path segment. @default the plural of the model's name in kebab-case */
  readonly path?: string
  /** Neither read nor written, and named nowhere. `false` shows a field whose name says secret. */
  readonly hidden?: FieldChoice<Field>
  /** Read, never written. @default `created_at`, `updated_at`, `deleted_at` where they have a default */
  readonly readOnly?: FieldChoice<Field>
  /** Written, never read. @default fields whose name says secret */
  readonly writeOnly?: FieldChoice<Field>
  /** Of the user model: columns that requests may write although registration does not take them. @default none */
  readonly writable?: readonly Field[]
  /** Create does not ask for them although they have no default (a hook or trigger fills them in). */
  readonly optional?: FieldChoice<Field>
  /** The text fields that `search` looks in; none switches it off. @default all text fields that can be read */
  readonly search?: readonly Field[]
  /** How lists count. @default all modes allowed; `exact` where the request does not say, `none` with cursor pages */
  readonly count?: { readonly default?: CountMode; readonly allowed?: readonly CountMode[] }
  /** Open to everybody although there is authentication: all of it, or lists and details. @default false */
  readonly public?: boolean | 'read'
  /**
   * Left out, as a table that only the application's own code uses. `false` serves a model that is internal by itself.
   *
   * @default false, but for the user model, models of the app `auth` and tables of migrations
   */
  readonly internal?: boolean
  /** Shown so in the documentation. @default false */
  readonly deprecated?: boolean
}

/** Model name -> what it cannot say of itself. */
export type ModelConfigs<Types = unknown> = {
  readonly [Name in NameIn<Types>]?: ModelConfig<FieldIn<Types, Name>>
}

/**
 * The model as it is served: who may read and write each field.
 *
 * @param config of a shape that `assertConfigs` has checked
 * @throws StartError for an unknown field, a bad path, or a field in two of the lists.
 */
export const configureModel = (described: Model, config: ModelConfig = {}): Model => {
  const optional = choiceOf(described, 'optional', config.optional)
  const access = accessOf(described, config)
  const fields = described.fields.map((field) =>
    Object.freeze({ ...field, access: access(field), optional: optional.get(field.name) ?? field.optional }),
  )
  return Object.freeze({
    ...described,
    path: config.path === undefined ? described.path : pathSegment(described, config.path),
    fields: Object.freeze(fields),
    deprecated: config.deprecated ?? described.deprecated,
    count: countOf(described, config.count),
    ...(config.public !== undefined && config.public !== false && { public: config.public }),
    ...(config.search !== undefined && { search: searchOf(described.name, fields, config.search) }),
  })
}

const choiceOf = (
  model: Model,
  key: string,
  choice: FieldChoice = [],
): ReadonlyMap<string, boolean | undefined> => {
  const entries = isList(choice) ? choice.map((name) => [name, true] as const) : Object.entries(choice)
  const known = model.fields.map((field) => field.name)
  for (const [name] of entries) {
    if (!known.includes(name)) {
      throw new StartError(
        `modelConfig.${model.name}.${key}: ${model.name} has no field ${name}.${suggest(name, known)}`,
      )
    }
  }
  return new Map(entries)
}

const isList = (choice: FieldChoice): choice is readonly string[] => Array.isArray(choice)

const accessOf = (model: Model, config: ModelConfig): ((field: Field) => Access) => {
  const chosen: readonly (readonly [Access, ReadonlyMap<string, boolean | undefined>])[] = [
    ['hidden', choiceOf(model, 'hidden', config.hidden)],
    ['read-only', choiceOf(model, 'readOnly', config.readOnly)],
    ['write-only', choiceOf(model, 'writeOnly', config.writeOnly)],
  ]
  return (field) => {
    const yes = chosen.filter(([, choice]) => choice.get(field.name) === true).map(([access]) => access)
    if (yes.length > 1) {
      throw new StartError(
        `modelConfig.${model.name}: ${field.name} is both ${yes.join(' and ')}. Choose one.`,
      )
    }
    const isKey = model.primaryKey.includes(field.name)
    if (isKey && (yes[0] === 'hidden' || yes[0] === 'write-only')) {
      throw new StartError(
        `modelConfig.${model.name}: ${field.name} is the primary key and must be readable.`,
      )
    }
    const shown = chosen.some(([, choice]) => choice.get(field.name) === false)
    return yes[0] ?? (shown ? 'read-write' : accessByName(field, isKey))
  }
}

const timestamps: ReadonlySet<string> = new Set([
  ...['created_at', 'updated_at', 'deleted_at'],
  ...['createdAt', 'updatedAt', 'deletedAt'],
])

const accessByName = (field: Field, isKey: boolean): Access => {
  if (field.access !== 'read-write') return field.access
  if (!isKey && looksSecret(field)) return 'write-only'
  if (timestamps.has(field.name) && field.hasDefault) return 'read-only'
  return 'read-write'
}

const pathSegment = (model: Model, path: string): string => {
  if (/^[\w~.-]+$/.test(path) && !/^\.+$/.test(path)) return path
  throw new StartError(
    `modelConfig.${model.name}.path: ${JSON.stringify(path)} is not one path segment. Use letters, digits, "-", "_", "." and "~".`,
  )
}

const countModes: readonly CountMode[] = ['exact', 'estimated', 'none']

const countOf = (model: Model, count: ModelConfig['count']): Model['count'] => {
  const allowed = count?.allowed ?? model.count.allowed
  const chosen = count?.default
  for (const mode of chosen === undefined ? allowed : [...allowed, chosen]) {
    if (!countModes.includes(mode)) {
      throw new StartError(
        `modelConfig.${model.name}.count: ${mode} is no count mode. Allowed: ${countModes.join(', ')}.`,
      )
    }
  }
  if (allowed.length === 0) throw new StartError(`modelConfig.${model.name}.count.allowed names no mode.`)
  if (chosen !== undefined && !allowed.includes(chosen)) {
    throw new StartError(
      `modelConfig.${model.name}.count: the default ${chosen} is not among those allowed (${allowed.join(', ')}).`,
    )
  }
  return Object.freeze({
    allowed: Object.freeze([...allowed]),
    ...(chosen !== undefined && { default: chosen }),
  })
}

const searchOf = (model: string, fields: readonly Field[], names: readonly string[]): readonly string[] => {
  const searchable = fields
    .filter((field) => isReadable(field) && kinds[field.kind].textual)
    .map(({ name }) => name)
  for (const name of names) {
    if (!searchable.includes(name)) {
      throw new StartError(
        `modelConfig.${model}.search: ${name} is no text field that can be read.${suggest(name, searchable)}`,
      )
    }
  }
  return Object.freeze([...names])
}
