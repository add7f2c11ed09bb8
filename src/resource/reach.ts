import { authorise } from '../controller/permissions.ts'
import { guardOf, type ScopedCall } from '../controller/scope.ts'
import { HttpError } from '../error/errors.ts'
import { plural } from '../model/naming.ts'
import type { Steps } from '../operation/steps.ts'
import { type Condition, everything } from '../query/ast.ts'
import type { Guards } from '../query/related.ts'
import type { RelatedModel } from '../query/tally.ts'
import { guardKey } from '../source/shared-reads.ts'
import type { Resource } from './resource.ts'

/** The records of related models that a caller can reach. */
export interface Reach extends Guards {
  /** No related model has a scope. */
  readonly isOpen: boolean
  /** A hook of the application gets related records, so concurrent requests cannot share them. */
  readonly runsHooks: boolean
  /** Unique among the scopes of these models. `undefined`: concurrent requests cannot share what depends on them. */
  readonly text: string | undefined
}

/** That of a request without related models. */
export const openReach: Reach = Object.freeze({
  modelOf: (name: string): never => {
    throw new Error(`The request does not lead to ${name}.`)
  },
  guardOf: () => everything,
  isOpen: true,
  runsHooks: false,
  text: '',
})

/**
 * Checks that the caller may list each related model that the query string leads to, as its own list does, and determines the
 * scopes of all.
 *
 * @throws HttpError 401, 403 that names the parameter
 */
export function* reachOf(
  { related, scopes }: Resource,
  scoped: ScopedCall,
  models: readonly RelatedModel[],
): Steps<Reach> {
  const { modelOf } = scopes
  const guards = new Map<string, Condition>()
  let runsHooks = false
  for (const use of models) {
    if (guards.has(use.model)) continue
    // A join table may be internal: it needs no permission of its own, but the option `scope` applies to it.
    const target = related(use.model)
    if (target !== undefined && use.parameter !== undefined)
      yield* assertListed(target, scoped, use.parameter, use.path)
    guards.set(use.model, yield* guardOf(scopes, target?.model ?? modelOf(use.model), scoped))
    runsHooks ||= target?.controller?.hooks.afterList !== undefined
  }
  const all = [...guards.values()]
  return {
    modelOf,
    guardOf: (name) => guards.get(name) ?? everything,
    isOpen: all.every((guard) => guard === everything),
    runsHooks,
    text: guardKey({ op: 'and', conditions: all }),
  }
}

function* assertListed(target: Resource, { call }: ScopedCall, parameter: string, path: string): Steps<void> {
  try {
    yield* authorise(target, 'read', { call, db: target.source.db })
  } catch (error) {
    throw error instanceof HttpError ? naming(error, target, parameter, path) : error
  }
}

/** The refusal of the list of a model, in a request that needs its records. */
const naming = (error: HttpError, { model }: Resource, parameter: string, path: string): HttpError => {
  const { status, code, headers, detail } = error
  if (code !== 'unauthenticated' && code !== 'forbidden') return error
  const reason = `${path} needs ${plural(model.name)}, which you may not list.`
  return new HttpError(status, detail, { code, headers, errors: [{ parameter, code, detail: reason }] })
}
