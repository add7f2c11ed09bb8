import { StartError } from '../../error/errors.ts'
import { shadowedIn } from '../facts.ts'
import type { Field, Model, Relation } from '../model.ts'
import { isPlainObject, ownValue } from '../objects.ts'
import type { ModelConfigs } from './configure.ts'
import { assertNewNames, chosenName } from './new-names.ts'
import { namingOptions } from './served.ts'

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
      others: relations.map((relation) =>
        chosenName(relation.name, ownValue(modelConfig, model)?.relations ?? {}),
      ),
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

/** @throws StartError for new names of fields of the user model */
export const assertUserNames = (user: Model | undefined, modelConfig: ModelConfigs = {}): void => {
  if (user !== undefined && ownValue(modelConfig, user.name)?.fields !== undefined)
    throw new StartError(
      `modelConfig.${user.name}.fields: the fields of the user model keep their names, which login and callers rely on. Remove it.`,
    )
}

/** The options that name fields. */
export interface NamingOptions {
  readonly modelConfig?: ModelConfigs
  readonly fileFields?: { readonly [model: string]: readonly string[] | undefined }
}

/** The same options with the new names of fields. Either name may be given. @throws StartError for a name that means two fields */
export const renamedOptions = (
  models: readonly Model[],
  { modelConfig = {}, fileFields = {} }: NamingOptions,
): Required<NamingOptions> => {
  const entries = <Value>(
    of: { readonly [model: string]: Value | undefined },
    change: (model: Model, value: Value) => Value,
  ) =>
    Object.fromEntries(
      Object.entries(of).map(([name, value]) => {
        const model = models.find((one) => one.name === name)
        return [name, value === undefined || model === undefined ? value : change(model, value)]
      }),
    )
  return {
    modelConfig: entries(modelConfig, (model, config) =>
      Object.fromEntries(
        Object.entries(config).map(([option, value]) => [
          option,
          namingOptions.has(option) ? renamedIn(model, `modelConfig.${model.name}.${option}`, value) : value,
        ]),
      ),
    ),
    fileFields: entries(
      fileFields,
      (model, names) => renamedIn(model, `fileFields.${model.name}`, names) as typeof names,
    ),
  }
}

/** Names of fields: one, a list, or keys. */
const renamedIn = (model: Model, place: string, given: unknown): unknown => {
  if (typeof given === 'string') return nameIn(model, place, given)
  if (!Array.isArray(given) && !isPlainObject(given)) return given
  const names = Array.isArray(given) ? given : Object.keys(given)
  const renamed = names.map((name) => (typeof name === 'string' ? nameIn(model, place, name) : name))
  const twice = renamed.find((name, at) => renamed.indexOf(name) < at && names.indexOf(names[at]) === at)
  if (twice !== undefined)
    throw new StartError(`${place}: ${twice} is named twice, by its new name and by the one in the model.`)
  return Array.isArray(given)
    ? renamed
    : Object.fromEntries(Object.values(given).map((value, at) => [renamed[at], value]))
}

const nameIn = ({ fields }: Model, place: string, given: string): string => {
  const [current, before] = [
    fields.find(({ name }) => name === given),
    fields.find(({ inSource }) => inSource === given),
  ]
  if (current !== undefined && before !== undefined)
    throw new StartError(
      `${place}: ${given} is the new name of ${current.inSource ?? given}, and ${before.name} has it in the model. Give ${current.inSource ?? given} a name that no other field has.`,
    )
  return before?.name ?? given
}

type Choices = Readonly<Record<string, string | undefined>>

const renamedFields = (model: Model, choices: Choices): readonly Field[] => {
  if (Object.keys(choices).length === 0) return model.fields
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
