import { authorise } from '../../controller/permissions.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { HttpError } from '../../error/errors.ts'
import type { Values } from '../../model/objects.ts'
import type { Steps } from '../../operation/steps.ts'
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
  const names = yield* listedNames(resource, scoped, plans)
  if (names.length === 0) return undefined
  const limit = Math.min(maxChildren, rules.includeMaxPerRecord)
  try {
    const query = resource.parseDetail(`include=${names.map((name) => `${name}(limit=${limit})`).join()}`)
    const reach = yield* reachOf(resource, scoped, query.uses)
    // A replica may not have the write yet.
    const inside = includingOf(resource, { scoped, reach, storeOf: ({ store }) => store })
    const [members] = yield* includedMembers(resource, [record], query.include, inside)
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

function* listedNames(
  { relations, related, rules }: Resource,
  { call }: ScopedCall,
  plans: readonly Plan[],
): Steps<readonly string[]> {
  const names: string[] = []
  for (const { together } of plans) {
    const { name, model } = together.relation
    const target = related(model)
    if (target === undefined || !relations.some((relation) => relation.name === name)) continue
    if (yield* mayList(target, call)) names.push(name)
  }
  return names.slice(0, rules.includeMaxRelations)
}

function* mayList(target: Resource, call: ScopedCall['call']): Steps<boolean> {
  try {
    yield* authorise(target, 'read', { call, db: target.source.db })
    return true
  } catch {
    return false
  }
}
