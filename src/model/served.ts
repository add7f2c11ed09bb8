import { StartError } from '../error/start-error.ts'
import { assertConfigs } from './config-shape.ts'
import { configureModel, type ModelConfigs } from './configure.ts'
import { type Exclude, withoutExcluded } from './exclude.ts'
import { fileFieldsOf } from './file-fields.ts'
import { isInternal } from './internal.ts'
import type { Model } from './model.ts'
import { ownValue } from './own-value.ts'
import { type SecretFields, secretFieldsOf } from './secret.ts'

/** What the application says about its models. */
export interface ModelChoices {
  readonly exclude?: Exclude
  readonly modelConfig?: ModelConfigs
}

/** The models of an application: those that are served, as they are served, and those left out as internal. */
export interface ChosenModels {
  readonly served: readonly Model[]
  readonly internal: readonly Model[]
  /** The fields that hold a secret, of models that are not served as well. */
  readonly secret: SecretFields
}

/** The fields of all models that hold a secret. Models that `modelConfig` opens show their keys. */
export const secretsOf = (described: readonly Model[], modelConfig: ModelConfigs): SecretFields => {
  const opened = Object.entries(modelConfig).filter(([, config]) => config?.internal === false)
  return secretFieldsOf(described, new Set(opened.map(([name]) => name)))
}

/**
 * Chooses the models that are served.
 *
 * @param userModel the name of the model of those who log in, which is internal
 * @throws StartError for an unknown model or field, two models with one path, or a path that is ours.
 */
export const chooseModels = (
  described: readonly Model[],
  { exclude = {}, modelConfig = {} }: ModelChoices,
  userModel?: string,
): ChosenModels => {
  assertConfigs(described, modelConfig)
  const secret = secretsOf(described, modelConfig)
  const configured = described.map((model) =>
    configureModel(model, ownValue(modelConfig, model.name), secret),
  )
  const left = withoutExcluded(configured, exclude)
  const rules = { exclude, configs: modelConfig, userModel, secret }
  const internal = left.filter((model) => isInternal(model, rules))
  const served = left.filter((model) => !internal.includes(model))
  assertPaths(served)
  return { served: Object.freeze(served), internal, secret }
}

/** Path segments below the base URL that cannot be a model's: that of files is free where no model has any. */
export const reservedPaths = (models: readonly Model[]): readonly string[] => [
  ...['docs', 'openapi.json', 'auth', 'health'],
  ...(models.some((model) => fileFieldsOf(model).length > 0) ? ['media'] : []),
]

/** @throws StartError for a model with a reserved path, and two models with one path. */
export const assertPaths = (models: readonly Model[]): void => {
  const reserved = reservedPaths(models)
  const taken = new Map<string, string>()
  for (const { name, path } of models) {
    const remedy = `Give ${name} another one: modelConfig: { ${name}: { path: '…' } }.`
    if (reserved.includes(path)) throw new StartError(`${name}: the path /${path} is reserved. ${remedy}`)
    const other = taken.get(path)
    if (other !== undefined)
      throw new StartError(`${other} and ${name} have the same path /${path}. ${remedy}`)
    taken.set(path, name)
  }
}
