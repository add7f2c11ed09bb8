import type { ScopedCall } from '../controller/scope.ts'
import { fieldOf, isWritable, type Model, type Relation } from '../model/model.ts'
import { capital, joinedIn, plural, withArticle } from '../model/naming.ts'
import { ownValue } from '../model/objects.ts'
import { hasOperation } from '../model/operations.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import type { Steps } from '../operation/steps.ts'
import { type Condition, haveValues } from '../query/ast.ts'
import { modelsOf } from '../query/tally.ts'
import type { Row } from '../source/source.ts'
import { bodyBelow } from './document/below.ts'
import { keyParameter, operationOn } from './document/describe.ts'
import { ownCodesOf } from './document/own-codes.ts'
import { admission, findPermitted, keyReader } from './parts/record.ts'
import type { Resource } from './parts/resource.ts'
import { touching } from './parts/touched.ts'
import { listing } from './read/operations.ts'
import { reachOf } from './show/reach.ts'
import { creating } from './write/operations.ts'

/** `GET /orders/{id}/items/` and `POST /orders/{id}/items/`, for each to-many relation of a record that clients can read. */
export const operationsBelow = (resource: Resource): readonly Operation[] =>
  resource.rules.openRelations.flatMap((relation) => {
    const target = resource.related(relation.model)
    const isBelow = relation.kind === 'to-many' && hasOperation(resource.model, 'read')
    return target === undefined || !isBelow ? [] : below(resource, relation, target)
  })

const below = (parent: Resource, relation: Relation, target: Resource): readonly Operation[] => {
  const find = finding(parent, relation, target)
  const lists = hasOperation(target.model, 'list')
    ? [
        placed(
          parent,
          relation,
          operationOn(target, 'list', listing(target, find, [parent.model.name, ...modelsOf(relation)])),
        ),
      ]
    : []
  const isCreatable =
    relation.through === undefined &&
    hasOperation(target.model, 'create') &&
    // A path would set what no body can.
    relation.references.every((name) => isWritable(fieldOf(target.model, name)))
  if (!isCreatable) return lists
  const act = creating(target, collectionOf(target.model), find)
  const name = capital(joinedIn('camel', relation.name, 'of', parent.model.name, 'create'))
  // A custom schema decides which fields exist.
  const isShown = act.body !== undefined && !target.bodies.isCustom.create
  const body = isShown && { body: bodyBelow(act.body, name, relation.references) }
  const create = operationOn(target, 'create', {
    ...{ ...act, ...body },
    models: touching(target, { writes: true, always: [parent.model.name] }),
  })
  return [...lists, placed(parent, relation, create)]
}

/** Finds the record in the path as its own route does, and returns what its related records have in common. */
const finding = (parent: Resource, relation: Relation, target: Pick<Resource, 'access' | 'related'>) => {
  const readKey = keyReader(parent.model)
  const admit = admission(parent, 'get')
  const find = findPermitted(parent, 'get')
  return function* (scoped: ScopedCall): Steps<Condition> {
    const { call } = scoped
    const key = readKey(call.params['id'])
    const row = yield* find(key, yield* admit(call))
    if (relation.through === undefined) return valuesIn(relation.references, relation.fields, row)
    const ofParent = valuesIn(relation.fields, relation.fields, row)
    const related: Condition = { op: 'related', relation: relation.inverse, condition: ofParent }
    const { model } = relation.through
    const reach = yield* reachOf(target, scoped, [{ model, path: relation.name, parameter: 'id' }])
    return { ...related, link: reach.guardOf(model) }
  }
}

/** A null refers to no record. */
const valuesIn = (fields: readonly string[], from: readonly string[], row: Row): Condition => {
  const values = from.map((name) => ownValue(row, name) ?? null)
  if (values.includes(null)) return { op: 'or', conditions: [] }
  return haveValues(fields, values)
}

/** The path of the list of a model, from that of a list below a record. */
const collectionOf =
  (model: Model) =>
  ({ path }: Call): string =>
    `${path.replace(/(\/[^/]*){3}\/?$/, '')}/${model.path}`

const placed = (parent: Resource, { name, model: other }: Relation, operation: Operation): Operation => {
  const { model } = parent
  const isList = operation.method === 'GET'
  const many = plural(other)
  return Object.freeze({
    ...operation,
    ...ownCodesOf(parent, 'get'),
    // `Of`: the items of an order are not those of the model OrderItem.
    id: joinedIn('camel', isList ? 'list' : 'create', name, 'of', model.name),
    path: `/${model.path}/{id}/${name}/`,
    tag: model.name,
    summary: isList
      ? `List ${name} of ${withArticle(model.name)}`
      : `Create ${withArticle(other)} in ${name} of ${withArticle(model.name)}`,
    description: isList
      ? `Returns the ${many} that are related to one ${model.name}, like the list of all ${many}.`
      : `Creates ${withArticle(other)} that is related to the ${model.name} in the path.`,
    parameters: [keyParameter(model), ...operation.parameters],
    problems: [...new Set([...operation.problems, 'not_found' as const])],
  })
}
