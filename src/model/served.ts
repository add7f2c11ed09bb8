import { StartError } from '../error/start-error.ts'
import { assertConfigs } from './config-shape.ts'
import { configureModel, type ModelConfigs } from './configure.ts'
import { type Exclude, withoutExcluded } from './exclude.ts'
import { isInternal } from './internal.ts'
import type { Model } from './model.ts'
import { ownValue } from './own-value.ts'

/** What the application says about its models. */
export interface ModelChoices {
  readonly exclude?: Exclude
  readonly modelConfig?: ModelConfigs
}

/** The models of an application: those that are served, as they are served, and those left out as internal. */
export interface ChosenModels {
  readonly served: readonly Model[]
  readonly internal: readonly Model[]
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
  const configured = described.map((model) => configureModel(model, ownValue(modelConfig, model.name)))
  const left = withoutExcluded(configured, exclude)
  const rules = { exclude, configs: modelConfig, userModel }
  const internal = left.filter((model) => isInternal(model, rules))
  const served = left.filter((model) => !internal.includes(model))
  assertPaths(served)
  return { served: Object.freeze(served), internal }
}

/** Path segments below the base URL that are not a model's. */
export const reservedPaths: readonly string[] = ['docs', 'openapi.json', 'auth', 'media', 'health']

const assertPaths = (models: readonly Model[]): void => {
  const taken = new Map<string, string>()
  for (const { name, path } of models) {
    const remedy = `Give ${name} another one: modelConfig: { ${name}: { path: '…' } }.`
    if (reservedPaths.includes(path))
      throw new StartError(`${name}: the path /${path} is reserved. ${remedy}`)
    const other = taken.get(path)
    if (other !== undefined)
      throw new StartError(`${other} and ${name} have the same path /${path}. ${remedy}`)
    taken.set(path, name)
  }
}
