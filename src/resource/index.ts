import { hasOperation, takesFilters } from '../model/operations.ts'
import type { Operation } from '../operation/operation.ts'
import { actionOperations } from './action/index.ts'
import { operationsBelow } from './below.ts'
import type { Resource } from './parts/resource.ts'
import { aggregate } from './read/aggregate.ts'
import { serveFile } from './read/file.ts'
import { list, read } from './read/operations.ts'
import { deleteMany, updateMany } from './write/many-operations.ts'
import { create, remove, replace, restore, update } from './write/operations.ts'

const acts = { list, read, aggregate, create, replace, update, delete: remove } as const

/** The operations on the records of a model that clients have. */
export const operationsOf = (resource: Resource): readonly Operation[] => [
  ...actsOf(resource).map((act) => acts[act](resource)),
  ...restoring(resource),
  ...manyOf(resource),
  ...operationsBelow(resource),
  ...actionOperations(resource),
  ...(resource.bodies.media === undefined ? [] : [serveFile(resource, resource.bodies.media)]),
]

/** What clients delete, they may be able to restore. */
const restoring = (resource: Resource): readonly Operation[] => {
  const { softDelete } = resource.model
  return softDelete !== undefined && hasOperation(resource.model, 'delete')
    ? [restore(resource, softDelete)]
    : []
}

/** Those on many records. `POST` on an array belongs to that on one record. */
const manyOf = (resource: Resource): readonly Operation[] => {
  const { model } = resource
  // One header cannot name the states of many records.
  if (model.bulk !== true || model.requireIfMatch === true) return []
  return [
    ...(hasOperation(model, 'update') ? [updateMany(resource)] : []),
    ...(hasOperation(model, 'delete') && takesFilters(model) ? [deleteMany(resource)] : []),
  ]
}

const actsOf = ({
  model,
  records: { source },
}: Pick<Resource, 'model' | 'records'>): readonly (keyof typeof acts)[] =>
  (Object.keys(acts) as (keyof typeof acts)[]).filter((act) =>
    act === 'aggregate'
      ? source.capabilities.aggregates === true && hasOperation(model, 'list')
      : hasOperation(model, act),
  )
