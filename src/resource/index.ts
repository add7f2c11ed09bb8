import { hasOperation } from '../model/operations.ts'
import type { Operation } from '../operation/operation.ts'
import { actionOperations } from './action/index.ts'
import { aggregate } from './aggregate.ts'
import { operationsBelow } from './below.ts'
import { deleteMany } from './bulk/delete.ts'
import { takesFilters } from './bulk/records.ts'
import { updateMany } from './bulk/update.ts'
import { serveFile } from './file.ts'
import { list, read } from './read.ts'
import { replace } from './replace.ts'
import type { Resource } from './resource.ts'
import { restoreOperations } from './restore.ts'
import { create, remove, update } from './write.ts'

const acts = { list, read, aggregate, create, replace, update, delete: remove } as const

/** The operations on the records of a model that clients have. */
export const operationsOf = (resource: Resource): readonly Operation[] => [
  ...actsOf(resource).map((act) => acts[act](resource)),
  ...restoreOperations(resource),
  ...manyOf(resource),
  ...operationsBelow(resource),
  ...actionOperations(resource),
  ...(resource.media === undefined ? [] : [serveFile(resource, resource.media)]),
]

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

const actsOf = ({ model, source }: Resource): readonly (keyof typeof acts)[] =>
  (Object.keys(acts) as (keyof typeof acts)[]).filter((act) =>
    act === 'aggregate'
      ? source.capabilities.aggregates === true && hasOperation(model, 'list')
      : hasOperation(model, act),
  )
