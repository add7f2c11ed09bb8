import type { Model, Relation } from '../model.ts'
import { ownValue } from '../objects.ts'
import type { ModelConfigs } from './configure.ts'
import { assertNewNames, chosenName } from './new-names.ts'

/**
 * Renames and closes relations as `modelConfig` says. A new name is also that of the `inverse` in the other model.
 *
 * @param modelConfig must have passed `assertConfigs`
 * @param reserved names of query parameters, which relations cannot have
 * @returns `models` itself if nothing changes
 * @throws StartError for an unknown relation, and for a new name that is taken or that requests cannot contain
 */
export const configureRelations = (
  models: readonly Model[],
  modelConfig: ModelConfigs,
  reserved: ReadonlySet<string>,
): readonly Model[] => {
  const choicesOf = (model: string): Choices => ownValue(modelConfig, model)?.relations ?? {}
  const nameOf = (model: string, relation: string): string => chosenName(relation, choicesOf(model))
  const configured = (model: Model, relation: Relation): Relation => {
    const name = nameOf(model.name, relation.name)
    const inverse = nameOf(relation.model, relation.inverse)
    const isClosed = ownValue(choicesOf(model.name), relation.name) === false
    if (name === relation.name && inverse === relation.inverse && !isClosed) return relation
    return Object.freeze({ ...relation, name, inverse, ...(isClosed && { closed: true as const }) })
  }
  for (const { name: model, fields, relations } of models)
    assertNewNames({
      ...{ model, option: 'relations', choices: choicesOf(model), reserved },
      known: relations.map(({ name }) => name),
      others: fields.map(({ name }) => name),
    })
  const all = models.map((model) => {
    const relations = model.relations.map((relation) => configured(model, relation))
    const isSame = relations.every((relation, at) => relation === model.relations[at])
    return isSame ? model : Object.freeze({ ...model, relations: Object.freeze(relations) })
  })
  return all.every((model, at) => model === models[at]) ? models : Object.freeze(all)
}

type Choices = Readonly<Record<string, string | false | undefined>>
