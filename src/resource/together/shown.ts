import type { ScopedCall } from '../../controller/scope.ts'
import { HttpError } from '../../error/errors.ts'
import type { Values } from '../../model/objects.ts'
import type { Steps } from '../../operation/steps.ts'
import { optionalUses } from '../../query/tally.ts'
import type { Row } from '../../source/source.ts'
import { includedMembers, includingOf } from '../include.ts'
import { reachOf } from '../reach.ts'
import type { Resource } from '../resource.ts'
import type { Plan } from './plan.ts'

/**
 * The written relations of a record, as `include` shows them. Those that the caller may not list are absent, and all of them
 * if they cannot be shown: the write is stored.
 */
export function* writtenMembers(
  resource: Resource,
  scoped: ScopedCall,
  record: Row,
  plans: readonly Plan[],
): Steps<Values | undefined> {
  const { rules, maxChildren, model } = resource
  const { call } = scoped
  const names = shownNames(resource, plans)
  const limit = Math.min(maxChildren, rules.includeMaxPerRecord)
  try {
    const query = resource.parseDetail(`include=${names.map((name) => `${name}(limit=${limit})`).join()}`)
    const reach = yield* reachOf(resource, scoped, optionalUses(query.include, rules))
    const include = reach.listed(query.include)
    if (include.length === 0) return undefined
    // A replica may not have the write yet.
    const inside = includingOf(resource, { scoped, reach, storeOf: ({ store }) => store })
    const [members] = yield* includedMembers(resource, [record], include, inside)
    return members
  } catch (error) {
    if (!(error instanceof HttpError && error.status < 500))
      call.log.error(
        `The write is stored, but the related records of ${model.name} could not be shown, request ${call.requestId}`,
        error,
      )
    return undefined
  }
}

const shownNames = ({ relations, rules }: Resource, plans: readonly Plan[]): readonly string[] => {
  const usable = new Set(relations.map(({ name }) => name))
  const written = plans.map(({ together }) => together.relation.name)
  return written.filter((name) => usable.has(name)).slice(0, rules.includeMaxRelations)
}
