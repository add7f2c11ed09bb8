import { assertKnown, StartError } from '../error/errors.ts'
import type { ModelConfigs } from './configure.ts'
import type { Model, Relation } from './model.ts'
import { ownValue } from './objects.ts'
import { plainName, relationName } from './relation-names.ts'

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
  const choiceOf = (model: string, relation: string): Choice =>
    ownValue(ownValue(modelConfig, model)?.relations, relation)
  const nameOf = (model: string, relation: string): string => chosenName(relation, choiceOf(model, relation))
  const configured = (model: Model, relation: Relation): Relation => {
    const name = nameOf(model.name, relation.name)
    const inverse = nameOf(relation.model, relation.inverse)
    const isClosed = choiceOf(model.name, relation.name) === false
    if (name === relation.name && inverse === relation.inverse && !isClosed) return relation
    return Object.freeze({ ...relation, name, inverse, ...(isClosed && { closed: true as const }) })
  }
  for (const model of models) assertNames(model, ownValue(modelConfig, model.name)?.relations, reserved)
  const all = models.map((model) => {
    const relations = model.relations.map((relation) => configured(model, relation))
    const isSame = relations.every((relation, at) => relation === model.relations[at])
    return isSame ? model : Object.freeze({ ...model, relations: Object.freeze(relations) })
  })
  return all.every((model, at) => model === models[at]) ? models : Object.freeze(all)
}

type Choice = string | false | undefined
type Choices = Readonly<Record<string, Choice>>

const chosenName = (name: string, choice: Choice): string => (typeof choice === 'string' ? choice : name)

const assertNames = (
  { name: model, fields, relations }: Model,
  choices: Choices = {},
  reserved: ReadonlySet<string>,
): void => {
  const place = `modelConfig.${model}.relations`
  const known = relations.map(({ name }) => name)
  for (const name of Object.keys(choices)) assertKnown(`${place}: unknown relation`, name, known)
  const names = known.map((name) => [name, chosenName(name, ownValue(choices, name))] as const)
  for (const [name, chosen] of names) {
    if (name === chosen) continue
    if (!relationName.test(chosen))
      throw new StartError(
        `${place}.${name} must start with a letter and have only letters, digits and _, unlike ${JSON.stringify(chosen)}.`,
      )
    if (reserved.has(chosen))
      throw new StartError(
        `${place}.${name}: ${chosen} is a query parameter, so a relation cannot have this name. Reserved: ${[...reserved].sort().join(', ')}.`,
      )
    const isTaken = (other: string): boolean => plainName(other) === plainName(chosen)
    const others = names.filter(([other]) => other !== name).map(([, other]) => other)
    const taken = [...fields.map((field) => field.name), ...others].find(isTaken)
    if (taken !== undefined)
      throw new StartError(
        `${place}.${name}: the name ${chosen} is taken by the field or relation ${taken} of ${model}. Choose another name.`,
      )
  }
}
