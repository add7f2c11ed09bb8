import type { ModelConfigs } from '../model/configure.ts'
import type { Model } from '../model/model.ts'
import { configureRelations } from '../model/relation-config.ts'
import { assertConfigs } from '../model/served.ts'
import { assertIncludes } from '../model/usable-relations.ts'
import { reservedParameters } from '../query/parameters.ts'
import { renamedSource } from '../source/renamed.ts'
import type { ModelSource } from '../source/source.ts'

/** The source, with the relations that `modelConfig` renames and closes. @throws StartError */
export const withRelations = <Types>(
  source: ModelSource<Types>,
  modelConfig: ModelConfigs = {},
): ModelSource<Types> => {
  assertConfigs(source.models, modelConfig)
  const models = configureRelations(source.models, modelConfig, reservedParameters)
  return models === source.models ? source : renamedSource(source, models)
}

/** @param models the models that are served @throws StartError for a default `include` that clients could not request */
export const assertServedIncludes = (
  { capabilities }: Pick<ModelSource, 'capabilities'>,
  models: readonly Model[],
): void => {
  const served = new Map(models.map((model) => [model.name, model]))
  assertIncludes(models, (name) => (capabilities.relations === true ? served.get(name) : undefined))
}
