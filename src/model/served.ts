import { StartError, suggest } from '../error/start-error.ts'
import { configureModel, type ModelConfigs } from './configure.ts'
import { type Exclude, withoutExcluded } from './exclude.ts'
import type { Model } from './model.ts'

/** What the application says about its models. */
export interface ModelChoices {
  readonly exclude?: Exclude
  readonly modelConfig?: ModelConfigs
}

/**
 * The models that are served, as they are served.
 *
 * @throws StartError for an unknown model or field, two models with one path, or a path that is ours.
 */
export const servedModels = (described: readonly Model[], choices: ModelChoices): readonly Model[] => {
  const names = described.map((model) => model.name)
  for (const name of Object.keys(choices.modelConfig ?? {})) {
    if (!names.includes(name))
      throw new StartError(`modelConfig: there is no model ${name}.${suggest(name, names)}`)
  }
  const models = withoutExcluded(described, choices.exclude ?? {}).map((model) =>
    configureModel(model, choices.modelConfig?.[model.name]),
  )
  assertPaths(models)
  return Object.freeze(models)
}

/** Path segments below the base URL that are not a model's. */
const reservedPaths: readonly string[] = ['docs', 'openapi.json', 'auth', 'media', 'health']

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
