import { StartError, suggest } from '../error/start-error.ts'
import { type FieldChoices, fieldAccess } from './field-access.ts'
import { rowOf } from './kinds.ts'
import { type CountMode, type Field, isReadable, type Model } from './model.ts'
import type { FieldIn, NameIn } from './model-types.ts'
import { type SecretFields, secretFieldsOf } from './secret.ts'

/** What a model cannot say of itself. `Field` are the names of its fields. */
export interface ModelConfig<Field extends string = string> extends FieldChoices<Field> {
  /** The path segment. @default the plural of the model's name in kebab-case */
  readonly path?: string
  /** The text fields that `search` looks in; none switches it off. @default all text fields that can be read */
  readonly search?: readonly Field[]
  /** How lists count. @default all modes allowed; `exact` where the request does not say, `none` with cursor pages */
  readonly count?: { readonly default?: CountMode; readonly allowed?: readonly CountMode[] }
  /** Open to everybody although there is authentication: all of it, or lists and details. @default false */
  readonly public?: boolean | 'read'
  /**
   * Left out, as a table that only the application's own code uses. `false` serves a model that is internal by itself.
   *
   * @default false, but for the user model, models of the app `auth`, models whose key says secret by its name, and
   *   tables of migrations
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
 * @param secret the fields that hold a secret, of all models. @default what the model itself says
 * @throws StartError for an unknown field, a bad path, a field in two of the lists, or an entry that changes nothing.
 */
export const configureModel = (
  described: Model,
  config: ModelConfig = {},
  secret: SecretFields = secretFieldsOf([described]),
): Model => {
  const decided = fieldAccess(described, config, secret)
  const fields = described.fields.map((field) => Object.freeze({ ...field, ...decided(field) }))
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
    .filter((field) => isReadable(field) && rowOf(field).textual)
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
