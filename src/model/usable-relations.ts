import { assertKnown, StartError } from '../error/errors.ts'
import { isReadable, type Model, type Relation } from './model.ts'
import { hasOperation } from './operations.ts'

/** The served model with this name, if there is one. */
export type ServedOf = (name: string) => Model | undefined

/**
 * The relations of a served model that clients can use: the other model is served with its list, clients can read the fields on
 * both sides, and `modelConfig` does not close it. All others are treated like names that do not exist. A join table need not be served:
 * clients see only its other end.
 *
 * @param served knows no model if the source does not have the capability `relations`
 */
export const usableRelations = (model: Model, served: ServedOf): readonly Relation[] =>
  openRelations(model, served).filter(({ model: other }) => {
    const target = served(other)
    return target !== undefined && hasOperation(target, 'list')
  })

/** The same, also to models whose list is not served: clients may create records below another one. */
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
  const byName = new Map(models.map((model) => [model.name, model]))
  const served: ServedOf = (name) => (canRelate ? byName.get(name) : undefined)
  for (const { name, include = [] } of models) {
    const place = `modelConfig.${name}.include`
    const twice = include.find((path, at) => include.indexOf(path) !== at)
    if (twice !== undefined) throw new StartError(`${place} contains ${twice} twice. Remove one.`)
    for (const path of include) assertPath(place, path, name, served)
  }
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
