import type { Operation } from '../operation/operation.ts'
import { create } from './create.ts'
import { serveFile } from './file.ts'
import { list, read } from './read.ts'
import { remove } from './remove.ts'
import type { Resource } from './resource.ts'
import { replace, update } from './update.ts'

const readingActs = [list, read]
const writingActs = [create, replace, update, remove]

/** Every operation on a model's records; a view has those alone that read. */
export const operationsOf = (resource: Resource): readonly Operation[] => [
  ...(resource.model.readOnly ? readingActs : [...readingActs, ...writingActs]).map((act) => act(resource)),
  ...(resource.media === undefined ? [] : [serveFile(resource, resource.media)]),
]
