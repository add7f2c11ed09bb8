import { assertKnown, StartError } from '../error/errors.ts'
import { isReadable, type Model, type Relation } from './model.ts'
import { hasOperation } from './operations.ts'

/** The served model with this name, if there is one. */
export type ServedOf = (name: string) => Model | undefined

/**
 * The relations of a served model that clients can use: the other model has the operation `related`, clients can read the fields on
 * both sides, and `modelConfig` does not close it. All others are treated like names that do not exist. A join table need not be served:
 * clients see only its other end.
 *
 * @param served knows no model if the source does not have the capability `relations`
 */
export const usableRelations = (model: Model, served: ServedOf): readonly Relation[] =>
  openRelations(model, served).filter(({ model: other }) => {
    const target = served(other)
    return target !== undefined && hasOperation(target, 'related')
  })

/** The same, also to models that do not have the operation: clients may create records below another one. */
export const openRelations = (model: Model, served: ServedOf): readonly Relation[] =>
  model.relations.filter(({ model: other, fields, references, closed }) => {
    const target = served(other)
    return (
      closed === undefined && target !== undefined && canRead(model, fields) && canRead(target, references)
    )
  })

const canRead = ({ fields }: Model, names: readonly string[]): boolean =>
  names.every((name) => fields.some((field) => field.name === name && isReadable(field)))

/**
 * @param models the models that are served
 * @param canRelate whether the source has the capability `relations`
 * @throws StartError for a path in `modelConfig.X.include` that clients could not request
 */
export const assertIncludes = (models: readonly Model[], canRelate: boolean): void => {
  const served = servedIn(models, canRelate)
  for (const { name, include = [] } of models) {
    const place = `modelConfig.${name}.include`
    const twice = include.find((path, at) => include.indexOf(path) !== at)
    if (twice !== undefined) throw new StartError(`${place} contains ${twice} twice. Remove one.`)
    for (const path of include) assertPath(place, path, name, served)
  }
}

const servedIn = (models: readonly Model[], canRelate: boolean): ServedOf => {
  const byName = new Map(models.map((model) => [model.name, model]))
  return (name) => (canRelate ? byName.get(name) : undefined)
}

/**
 * @param models the models that are served
 * @param canRelate whether the source has the capability `relations`
 * @throws StartError for the operation `related` of a model that clients cannot come to by a relation
 */
export const assertRelated = (models: readonly Model[], canRelate: boolean): void => {
  const served = servedIn(models, canRelate)
  const reached = new Set(
    models.flatMap((model) =>
      usableRelations(model, served)
        // Its own relations begin at a record of it.
        .filter((relation) => relation.model !== model.name || hasOperation(model, 'read'))
        .map((relation) => relation.model),
    ),
  )
  for (const { name, operations = [] } of models)
    if (operations.includes('related') && !operations.includes('list') && !reached.has(name))
      throw new StartError(
        `modelConfig.${name}.operations: related has no effect because clients cannot use any relation of another model to ${name}. Open such a relation, or remove related.`,
      )
}

const assertPath = (place: string, path: string, from: string, served: ServedOf): void => {
  let [model, at] = [served(from), from]
  for (const step of path.split('.')) {
    const usable = model === undefined ? [] : usableRelations(model, served)
    const names = usable.map(({ name }) => name)
    assertKnown(`${place}: clients cannot use a relation of ${at} named`, step, names)
    at = usable.find(({ name }) => name === step)?.model ?? ''
    model = served(at)
  }
}
