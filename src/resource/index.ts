import type { ScopedCall } from '../controller/scope.ts'
import { fieldOf, isWritable, type Model, type Relation } from '../model/model.ts'
import { capital, joinedIn, plural, withArticle } from '../model/naming.ts'
import { ownValue } from '../model/objects.ts'
import { hasOperation, type OperationName, takesFilters } from '../model/operations.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import type { Steps } from '../operation/steps.ts'
import { type Condition, haveValues } from '../query/ast.ts'
import { modelsOf } from '../query/tally.ts'
import type { Row } from '../source/source.ts'
import { actionOperations } from './action/index.ts'
import { bodyBelow } from './document/body.ts'
import {
  type Act,
  type Describable,
  idBelow,
  keyParameter,
  operationOn,
  ownCodesOf,
} from './document/describe.ts'
import type { ActName } from './document/sentences.ts'
import { admission, findPermitted, keyReader } from './parts/record.ts'
import type { CallerAccess, Resource, WriteTarget } from './parts/resource.ts'
import { writeTargetOf } from './parts/target.ts'
import { aggregating } from './read/aggregate.ts'
import { servingFile } from './read/file.ts'
import { listing, reading } from './read/operations.ts'
import { deletingMany, updatingMany } from './write/many-operations.ts'
import { collectionOf, creating, deleting, replacing, restoring, updating } from './write/operations.ts'

/** The operations on the records of a model that clients have. */
export const operationsOf = (resource: Resource): readonly Operation[] => {
  const { model, rules, bodies } = resource
  const { softDelete } = model
  const target = writeTargetOf(resource)
  const has = (name: OperationName): boolean => hasOperation(model, name)
  // One header cannot name the states of many records. `POST` on an array belongs to that on one record.
  const isBulk = model.bulk === true && model.requireIfMatch !== true
  const aggregate = rules.aggregates ? aggregating(resource) : undefined
  const instead = aggregate && operationOn(resource, 'aggregate', aggregate)
  const acts: readonly (readonly [ActName, Act | false | undefined])[] = [
    ['list', has('list') && listing(resource)],
    ['get', has('read') && reading(resource, instead)],
    ['aggregate', aggregate],
    ['create', has('create') && creating(target, collectionOf)],
    ['replace', has('replace') && replacing(target)],
    ['update', has('update') && updating(target)],
    ['delete', has('delete') && deleting(target)],
    // What clients delete, they may be able to restore.
    ['restore', softDelete !== undefined && has('delete') && restoring(target, softDelete)],
    ['updateMany', isBulk && has('update') && updatingMany(target)],
    ['deleteMany', isBulk && has('delete') && takesFilters(model) && deletingMany(target)],
  ]
  return [
    ...acts.flatMap(([which, act]) => (act ? [operationOn(resource, which, act)] : [])),
    ...operationsBelow(resource),
    ...actionOperations(target),
    ...(bodies.media ? [operationOn(resource, 'file', servingFile(resource, bodies.media))] : []),
  ]
}

/** `GET /orders/{id}/items/` and `POST /orders/{id}/items/`, for each to-many relation of a record that clients can read. */
const operationsBelow = (parent: Resource): readonly Operation[] =>
  parent.rules.openRelations.flatMap((relation) => {
    const target = parent.related(relation.model)
    const isBelow = relation.kind === 'to-many' && hasOperation(parent.model, 'read')
    if (target === undefined || !isBelow) return []
    const find = finding(parent, relation, target.access)
    const always = [parent.model.name, ...modelsOf(relation)]
    const isCreatable =
      relation.through === undefined &&
      hasOperation(target.model, 'create') &&
      // A path would set what no body can.
      relation.references.every((name) => isWritable(fieldOf(target.model, name)))
    const operations = [
      hasOperation(target.model, 'list') && operationOn(target, 'list', listing(target, find, always)),
      isCreatable &&
        operationOn(target, 'create', creatingBelow(parent.model, relation, writeTargetOf(target), find)),
    ]
    return operations.flatMap((operation) => (operation ? [placed(parent, relation, operation)] : []))
  })

/** Finds the record in a path, and returns what its related records have in common. */
type FindParent = (scoped: ScopedCall) => Steps<Condition>

const creatingBelow = (
  { name: parent }: Model,
  { name: relation, references }: Relation,
  target: WriteTarget,
  find: FindParent,
): Act => {
  const act = creating(target, collectionAbove(target.model), find)
  const name = capital(joinedIn('camel', relation, 'of', parent, 'create'))
  // A custom schema decides which fields exist.
  const isShown = act.body !== undefined && !target.bodies.isCustom.create
  return {
    ...act,
    ...(isShown && { body: bodyBelow(act.body, name, references) }),
    touches: { writes: true, always: [parent] },
  }
}

/** As the own route of the record does. */
const finding = (
  parent: Pick<Resource, 'model' | 'access' | 'records' | 'bodies'>,
  { name, fields, references, through, inverse }: Relation,
  { reach: reachFrom }: CallerAccess,
): FindParent => {
  const readKey = keyReader(parent.model)
  const admit = admission(parent.access, 'get')
  const find = findPermitted(parent, 'get')
  return function* (scoped) {
    const { call } = scoped
    const key = readKey(call.params['id'])
    const row = yield* find(key, yield* admit(call))
    if (through === undefined) return valuesIn(references, fields, row)
    const ofParent = valuesIn(fields, fields, row)
    const related: Condition = { op: 'related', relation: inverse, condition: ofParent }
    const { model } = through
    const use = { model, from: parent.model.name, path: name, parameter: 'id' }
    const reach = yield* reachFrom(scoped, [use])
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
const collectionAbove =
  (model: Model) =>
  ({ path }: Call): string =>
    `${path.replace(/(\/[^/]*){3}\/?$/, '')}/${model.path}`

const placed = (parent: Describable, { name, model: other }: Relation, operation: Operation): Operation => {
  const { model } = parent
  const isList = operation.method === 'GET'
  const many = plural(other)
  return Object.freeze({
    ...operation,
    ...ownCodesOf(parent, 'get'),
    // `Of`: the items of an order are not those of the model OrderItem.
    id: idBelow(isList ? 'list' : 'create', name, model),
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
