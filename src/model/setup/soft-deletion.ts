import { assertKnown, StartError } from '../../error/errors.ts'
import { type Field, fieldOf, type Model } from '../model.ts'
import { ownValue } from '../objects.ts'
import type { ModelConfig, ModelConfigs } from './configure.ts'

/**
 * The models, with the columns that `modelConfig.X.softDelete` names. Clients cannot write them.
 *
 * @param modelConfig must have passed `assertConfigs`
 * @returns `models` itself if nothing changes
 * @throws StartError for a column that cannot hold the time of a deletion
 */
export const configureSoftDeletion = (
  models: readonly Model[],
  modelConfig: ModelConfigs,
): readonly Model[] => {
  const all = models.map((model) => {
    const config = ownValue(modelConfig, model.name)
    return config?.softDelete === undefined ? model : softlyDeleted(model, config.softDelete, config)
  })
  return all.every((model, at) => model === models[at]) ? models : Object.freeze(all)
}

const softlyDeleted = (model: Model, name: string, config: ModelConfig): Model => {
  const place = `modelConfig.${model.name}.softDelete`
  const known = model.fields.map((field) => field.name)
  assertKnown(`${place}: unknown field`, name, known)
  if (model.readOnly)
    throw new StartError(`${place}: ${model.name} is a view, which is read-only. Remove it.`)
  const why = unfit(model, fieldOf(model, name))
  if (why !== undefined)
    throw new StartError(
      `${place}: ${name} ${why}. Name a nullable timestamp column that has no default and that only modelrest sets.`,
    )
  const opened = opening(config, name)
  if (opened !== undefined)
    throw new StartError(
      `modelConfig.${model.name}.${opened}: clients cannot write ${name}, because softDelete names it. Remove the entry.`,
    )
  const fields = model.fields.map((field) =>
    field.name === name && field.access === 'read-write'
      ? Object.freeze({ ...field, access: 'read-only' as const })
      : field,
  )
  return Object.freeze({ ...model, fields: Object.freeze(fields), softDelete: name })
}

/** Completes a sentence about the field. `undefined`: it can hold the time of a deletion. */
const unfit = ({ primaryKey }: Model, field: Field): string | undefined => {
  const { name, kind, nullable, generated, hasDefault, foreign } = field
  if (generated)
    return 'is written by the database or by the soft deletion of the ORM. Declare it as a plain column'
  if (primaryKey.includes(name) || foreign === true) return 'is part of a key'
  if (kind !== 'datetime' && kind !== 'localdatetime')
    return `is a field of the kind ${kind}, not a timestamp`
  if (!nullable) return 'cannot be null'
  return hasDefault ? 'has a default, so new records would be deleted' : undefined
}

/** The option that would let clients write the field. */
const opening = ({ readOnly, writeOnly, writable }: ModelConfig, name: string): string | undefined => {
  if (chosenIn(readOnly, name) === false) return 'readOnly'
  if (chosenIn(writeOnly, name) === true) return 'writeOnly'
  return writable?.includes(name) === true ? 'writable' : undefined
}

const chosenIn = (choice: ModelConfig['readOnly'], name: string): boolean | undefined => {
  if (choice === undefined) return undefined
  return Array.isArray(choice)
    ? choice.includes(name) || undefined
    : new Map(Object.entries(choice)).get(name)
}
