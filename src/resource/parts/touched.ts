import { HttpError } from '../../error/errors.ts'
import type { Relation } from '../../model/model.ts'
import type { Operation } from '../../operation/operation.ts'
import { modelsOf, type RelatedModel } from '../../query/tally.ts'
import type { Resource } from './resource.ts'

/** How a request to an operation leads to other models. */
interface Leading {
  /** Reads the query string. @throws HttpError 400 @default the operation has none */
  readonly uses?: (query: string) => readonly RelatedModel[]
  /** The body may contain related records. @default false */
  readonly writes?: boolean
  /** Models to which every request leads. @default none */
  readonly always?: readonly string[]
}

/** The models that requests to an operation touch. A query string that is refused counts as one that uses all relations. */
export const touching =
  (resource: Resource, { uses, writes = false, always = [] }: Leading): Required<Operation>['models'] =>
  (query) => {
    const own = [resource.model.name, ...always, ...(writes ? namesFrom(resource, writtenRelations) : [])]
    if (uses === undefined) return own
    try {
      if (query !== undefined) return [...own, ...uses(query).map(({ model }) => model)]
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
    }
    return [...own, ...namesFrom(resource, allRelations)]
  }

type RelationsOf = (resource: Resource) => readonly Relation[]

const writtenRelations: RelationsOf = ({ model }) =>
  model.relations.filter(({ name }) => model.write?.includes(name))

const allRelations: RelationsOf = (resource) => [
  ...resource.rules.openRelations,
  ...writtenRelations(resource),
]

/** The resource itself, and all that requests can reach through relations. */
export const reachableFrom = (
  resource: Resource,
  relationsOf: RelationsOf = allRelations,
): readonly Resource[] => {
  const found = new Set([resource])
  for (const reached of found)
    for (const name of relationsOf(reached).flatMap(modelsOf)) {
      const next = reached.related(name)
      if (next !== undefined) found.add(next)
    }
  return [...found]
}

const namesFrom = (resource: Resource, relationsOf: RelationsOf): readonly string[] =>
  reachableFrom(resource, relationsOf).flatMap((reached) => relationsOf(reached).flatMap(modelsOf))
