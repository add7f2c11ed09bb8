import type { Model } from '../model/model.ts'
import { configureFields, type NamingOptions, renamedOptions } from '../model/setup/field-config.ts'
import { configureRelations } from '../model/setup/relation-config.ts'
import { assertConfigs } from '../model/setup/served.ts'
import { reservedParameters } from '../query/parameters.ts'
import { layeredSource } from './layer.ts'
import type { ModelSource } from './source.ts'
import { namesBetween } from './source-names.ts'

/**
 * The source, with the fields and relations that `modelConfig` renames and without relations that it closes, and the options with
 * the new names.
 *
 * @throws StartError
 */
export const withNames = <Types>(
  source: ModelSource<Types>,
  { modelConfig = {}, fileFields = {} }: NamingOptions,
): { readonly source: ModelSource<Types> } & Required<NamingOptions> => {
  assertConfigs(source.models, modelConfig)
  const named = configureFields(source.models, modelConfig, reservedParameters)
  const models = configureRelations(named, modelConfig, reservedParameters)
  return models === source.models
    ? { source, modelConfig, fileFields }
    : { source: renamedSource(source, models), ...renamedOptions(models, { modelConfig, fileFields }) }
}

/**
 * A source whose fields and relations have other names. Whatever names them is translated on its way to the source, and records
 * on their way back, so that each has one name everywhere else.
 *
 * @param models the models of the source, in the same order, with the names that requests and hooks use
 */
export const renamedSource = <Types>(
  source: ModelSource<Types>,
  models: readonly Model[],
): ModelSource<Types> => {
  const names = namesBetween(models, source.models)
  return layeredSource(source, () => ({ models, ...(names && { namesOf: (model) => names.get(model) }) }))
}
