import type { Operation } from '../operation/operation.ts'
import { actionOperations } from './action/index.ts'
import { aggregate } from './aggregate.ts'
import { operationsBelow } from './below.ts'
import { serveFile } from './file.ts'
import { list, read } from './read.ts'
import { replace } from './replace.ts'
import type { Resource } from './resource.ts'
import { create, remove, update } from './write.ts'

const writingActs = [create, replace, update, remove]

/** All operations on the records of a model. A view has only those that read. */
export const operationsOf = (resource: Resource): readonly Operation[] => [
  ...actsOf(resource).map((act) => act(resource)),
  ...operationsBelow(resource),
  ...actionOperations(resource),
  ...(resource.media === undefined ? [] : [serveFile(resource, resource.media)]),
]

const actsOf = ({ model, controller, source }: Resource) => {
  const readingActs = source.capabilities.aggregates === true ? [list, read, aggregate] : [list, read]
  if (model.readOnly) return readingActs
  const isCreatable = controller?.without?.includes('create') !== true
  return [...readingActs, ...writingActs.filter((act) => isCreatable || act !== create)]
}
