import { authorise } from '../controller/permissions.ts'
import { guardOf, type ScopedCall } from '../controller/scope.ts'
import { HttpError } from '../error/errors.ts'
import { plural } from '../model/naming.ts'
import type { Steps } from '../operation/steps.ts'
import { type Condition, everything } from '../query/ast.ts'
import type { RelatedModel } from '../query/related.ts'
import { textOf } from '../source/shared-reads.ts'
import type { Resource } from './resource.ts'

/** The records of related models that a caller can reach. */
export interface Reach {
  /** By the name of a model. */
  readonly guardOf: (model: string) => Condition
  /** No related model has a scope. */
  readonly isOpen: boolean
  /** A hook of the application sees related records, so concurrent requests cannot share them. */
  readonly runsHooks: boolean
  /** Unique among the scopes of these models. `undefined`: concurrent requests cannot share what depends on them. */
  readonly text: string | undefined
}

export const openReach: Reach = Object.freeze({
  guardOf: () => everything,
  isOpen: true,
  runsHooks: false,
  text: '',
})

/**
 * Checks that the caller may list each related model, as its own list does, and determines its scope.
 *
 * @throws HttpError 401, 403 that names the parameter
 */
export function* reachOf(
  { related, scopes }: Resource,
  scoped: ScopedCall,
  models: readonly RelatedModel[],
): Steps<Reach> {
  if (models.length === 0) return openReach
  const guards = new Map<string, Condition>()
  let runsHooks = false
  for (const { model: name, parameter, path } of models) {
    const target = related(name)
    // The join table of a relation may be internal.
    if (target === undefined || guards.has(name)) continue
    try {
      yield* authorise(target, 'read', { call: scoped.call, db: scopes.db })
    } catch (error) {
      throw error instanceof HttpError ? naming(error, target, parameter, path) : error
    }
    guards.set(name, yield* guardOf(scopes, target.model, scoped))
    runsHooks ||= target.controller?.hooks.afterList !== undefined
  }
  const all: Condition = { op: 'and', conditions: [...guards.values()] }
  return {
    guardOf: (model) => guards.get(model) ?? everything,
    isOpen: [...guards.values()].every((guard) => guard === everything),
    runsHooks,
    text: textOf(all),
  }
}

/** The refusal of the list of a model, in a request that needs its records. */
const naming = (error: HttpError, { model }: Resource, parameter: string, path: string): HttpError => {
  const { status, code, headers, detail } = error
  if (code !== 'unauthenticated' && code !== 'forbidden') return error
  const errors = [
    { parameter, code, detail: `${path} contains ${plural(model.name)}, which you may not list.` },
  ]
  return new HttpError(status, detail, { code, headers, errors })
}
