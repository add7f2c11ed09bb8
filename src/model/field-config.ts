import { StartError } from '../error/errors.ts'
import type { ModelConfig, ModelConfigs } from './configure.ts'
import { shadowedIn } from './facts.ts'
import type { Field, Model, Relation } from './model.ts'
import { assertNewNames, chosenName } from './new-names.ts'
import { isPlainObject, ownValue } from './objects.ts'

/**
 * Renames fields as `modelConfig` says. The fields that another one hid because of its name are shown if no name is like theirs
 * anymore.
 *
 * @param modelConfig must have passed `assertConfigs`
 * @param reserved names of query parameters, which a new name cannot be
 * @returns `models` itself if nothing changes
 * @throws StartError for an unknown field, and for a new name that is taken or that requests cannot contain
 */
export const configureFields = (
  models: readonly Model[],
  modelConfig: ModelConfigs,
  reserved: ReadonlySet<string>,
): readonly Model[] => {
  const choicesOf = (model: string): Choices => ownValue(modelConfig, model)?.fields ?? {}
  if (models.every(({ name }) => Object.keys(choicesOf(name)).length === 0)) return models
  for (const { name: model, fields, relations } of models)
    assertNewNames({
      ...{ model, option: 'fields', choices: choicesOf(model), reserved },
      known: fields.map(({ name }) => name),
      others: relations.map(({ name }) => name),
    })
  const named = (model: string) => {
    const choices = choicesOf(model)
    return (names: readonly string[]) => Object.freeze(names.map((name) => chosenName(name, choices)))
  }
  const relationOf = (model: string, relation: Relation): Relation => {
    const { fields, references, through } = relation
    const [own, other, join] = [named(model), named(relation.model), named(through?.model ?? '')]
    return Object.freeze({
      ...{ ...relation, fields: own(fields), references: other(references) },
      ...(through && {
        through: { ...through, fields: join(through.fields), references: join(through.references) },
      }),
    })
  }
  return Object.freeze(
    models.map((model) => {
      const own = named(model.name)
      const keyed = {
        ...model,
        primaryKey: own(model.primaryKey),
        uniques: Object.freeze(model.uniques.map(own)),
        relations: Object.freeze(model.relations.map((relation) => relationOf(model.name, relation))),
      }
      return Object.freeze({ ...keyed, fields: renamedFields(keyed, choicesOf(model.name)) })
    }),
  )
}

/** @throws StartError for new names of fields of the user model, whose names login and registration expect */
export const assertUserNames = (user: Model | undefined, modelConfig: ModelConfigs = {}): void => {
  if (user !== undefined && ownValue(modelConfig, user.name)?.fields !== undefined)
    throw new StartError(
      `modelConfig.${user.name}.fields: login and registration expect the names that the fields of ${user.name} have. Remove it.`,
    )
}

/** The same options, where they name fields with their new names. Either name may be given. */
export const renamedConfigs = (models: readonly Model[], modelConfig: ModelConfigs): ModelConfigs =>
  Object.fromEntries(
    Object.entries(modelConfig).map(([name, config]) => {
      const model = models.find((one) => one.name === name)
      return [name, config && model ? renamedConfig(model, config) : config]
    }),
  )

/** The options that name fields: one, a list, or as keys. */
const naming: ReadonlySet<string> = new Set<keyof ModelConfig>([
  ...(['hidden', 'readOnly', 'writeOnly', 'optional', 'writable', 'search'] as const),
  ...(['version', 'softDelete', 'stamps', 'fieldDescriptions'] as const),
])

const renamedConfig = ({ fields }: Model, config: ModelConfig): ModelConfig => {
  const renamed = fields.filter(({ inSource }) => inSource !== undefined)
  if (renamed.length === 0) return config
  const nameOf = (given: string): string =>
    fields.some(({ name }) => name === given)
      ? given
      : (renamed.find(({ inSource }) => inSource === given)?.name ?? given)
  const within = (given: unknown): unknown => {
    if (typeof given === 'string') return nameOf(given)
    if (Array.isArray(given)) return given.map(within)
    return isPlainObject(given)
      ? Object.fromEntries(Object.entries(given).map(([name, value]) => [nameOf(name), value]))
      : given
  }
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, naming.has(key) ? within(value) : value]),
  )
}

type Choices = Readonly<Record<string, string | undefined>>

const renamedFields = (model: Model, choices: Choices): readonly Field[] => {
  const fields = model.fields.map((field): Field => {
    const name = chosenName(field.name, choices)
    const { shadowedBy: _shadowedBy, ...own } = field
    return name === field.name ? own : { ...own, name, inSource: field.name }
  })
  const shadowed = shadowedIn({
    ...{ name: model.name, fields, primaryKey: model.primaryKey },
    foreign: [
      ...fields.filter(({ foreign }) => foreign === true).map(({ name }) => name),
      ...model.relations.flatMap((relation) => (relation.kind === 'to-one' ? relation.fields : [])),
    ],
  })
  return Object.freeze(
    fields.map((field) => {
      const shadowedBy = shadowed.get(field.name)
      return Object.freeze({ ...field, ...(shadowedBy !== undefined && { shadowedBy }) })
    }),
  )
}
