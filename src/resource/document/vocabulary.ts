import { isReadable, isWritable, type Model, type Relation } from '../../model/model.ts'
import { labelOf, titleFieldOf } from '../../model/setup/labels.ts'
import type { Operation } from '../../operation/operation.ts'
import { fieldsByComparability, operatorList } from '../../query/explained.ts'
import { queryFields } from '../../query/fields.ts'
import type {
  DescribedAction,
  DescribedModel,
  DescribedRelation,
  Vocabulary,
} from '../../schema/vocabulary.ts'
import { namesOf } from '../parts/declared.ts'
import type { Resource, Rules } from '../parts/resource.ts'
import { idBelow, servedActs } from './describe.ts'

/** The machine-readable part of the document of an API. @param operations those that are served */
export const vocabularyOf = (
  resources: readonly Resource[],
  operations: readonly Operation[],
): Vocabulary => {
  const served = new Map(operations.map((operation) => [operation.id, operation]))
  const [first] = resources
  return {
    version: 1,
    operators: Object.fromEntries(
      fieldsByComparability(...resources.map(({ model }) => model)).map(([group, fields]) => [
        group.name,
        operatorList(group, fields),
      ]),
    ),
    limits: first === undefined ? {} : limitsIn(first.rules),
    envelope: first === undefined ? {} : { ...first.bodies.envelope },
    models: Object.fromEntries(resources.map((resource) => [resource.model.name, modelIn(resource, served)])),
  }
}

const limitsIn = ({ perPage, maxLimit, maxQueryBytes, bulkMax, maxChildren, ...rules }: Rules) => ({
  ...{ pageSize: perPage, maxPageSize: maxLimit, queryBytes: maxQueryBytes },
  ...{ conditions: rules.maxConditions, contains: rules.maxContains, toMany: rules.maxToMany },
  ...{ sorts: rules.maxSorts, depth: rules.maxDepth, bodyBytes: rules.bodyBounds.limit },
  ...{ perRecord: rules.includePerRecord, maxPerRecord: rules.includeMaxPerRecord },
  ...{ includeDepth: rules.includeMaxDepth, includes: rules.includeMaxRelations },
  ...{ includedRecords: rules.includeMaxRecords, bulk: bulkMax, children: maxChildren },
})

type ById = ReadonlyMap<string, Operation>

const modelIn = ({ model, rules, bodies }: Resource, served: ById): DescribedModel => {
  const { primaryKey, path, include, version, requireIfMatch, softDelete, bulk, count } = model
  const { sortable, searched } = queryFields(model)
  const shown = model.fields.filter((field) => isReadable(field) || isWritable(field))
  const title = titleFieldOf(model)
  const computed = namesOf(bodies.computed)
  const actions = actionsIn(bodies.actions, served)
  const operations = Object.fromEntries(servedActs(model, served))
  return {
    label: labelOf(model),
    ...{ path, key: primaryKey, ...(title !== undefined && { title }) },
    fields: Object.fromEntries(shown.map(({ name, kind }) => [name, kind])),
    ...(computed.length > 0 && { computed }),
    operations,
    ...(bulk && Object.hasOwn(operations, 'create') && { createsMany: true as const }),
    conditions: Object.fromEntries(
      fieldsByComparability(model).map(([group, fields]) => [
        group.name,
        fields.map(({ field }) => field.name),
      ]),
    ),
    ...{ sort: sortable, search: searched.map(({ field }) => field.name) },
    relations: Object.fromEntries(
      rules.relations.map((relation) => [relation.name, relationIn(model, relation, served)]),
    ),
    ...(include !== undefined && { include }),
    ...{ pages: rules.paging, counts: count.allowed },
    ...(version !== undefined && { version }),
    ...(requireIfMatch && { requireIfMatch }),
    ...(softDelete !== undefined && { trash: true }),
    ...(softDelete !== undefined && queryFields(model).byName.has(softDelete) && { deletedAt: softDelete }),
    ...(Object.keys(actions).length > 0 && { actions }),
  }
}

const relationIn = (
  own: Model,
  { name, model, kind, fields, references, through }: Relation,
  served: ById,
): DescribedRelation => {
  const [list, create] = [idBelow('list', name, own), idBelow('create', name, own)]
  return {
    ...{ model, kind, fields, references },
    ...(through !== undefined && { through: true }),
    ...(own.write?.includes(name) && { write: true }),
    ...(served.has(list) && { list }),
    ...(served.has(create) && { create }),
  }
}

const actionsIn = (
  actions: Resource['bodies']['actions'],
  served: ById,
): Readonly<Record<string, DescribedAction>> =>
  Object.fromEntries(
    actions.flatMap(({ name, id, on }) => {
      const operation = served.get(id)
      return operation === undefined
        ? []
        : [[name, { operation: id, on, input: operation.body?.isEmpty !== true }] as const]
    }),
  )
