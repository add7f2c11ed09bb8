import { authorise } from '../../controller/permissions.ts'
import { guardOf, type ScopedCall } from '../../controller/scope.ts'
import type { ProblemCode } from '../../error/codes.ts'
import { HttpError } from '../../error/errors.ts'
import type { Model } from '../../model/model.ts'
import { plural } from '../../model/naming.ts'
import { onceFor } from '../../model/objects.ts'
import type { Steps } from '../../operation/steps.ts'
import { type Condition, everything, type Include } from '../../query/ast.ts'
import type { Guards } from '../../query/related.ts'
import type { RelatedModel } from '../../query/tally.ts'
import { guardKey } from '../../source/shared-reads.ts'
import { isPresented } from '../parts/record.ts'
import type { Resource } from '../parts/resource.ts'

/** The records of related models that a caller can reach. */
export interface Reach extends Guards {
  /** Leaves out what the application includes although the caller may not list it. */
  readonly listed: (includes: readonly Include[]) => readonly Include[]
  /** No related model has a scope. */
  readonly isOpen: boolean
  /** A hook of the application gets related records, so concurrent requests cannot share them. */
  readonly runsHooks: boolean
  /** Unique among these scopes and what is left out. `undefined`: concurrent requests cannot share what depends on them. */
  readonly text: string | undefined
}

/** That of a request without related models. */
export const openReach: Reach = Object.freeze({
  modelOf: (name: string): never => {
    throw new Error(`The request does not lead to ${name}.`)
  },
  guardOf: () => everything,
  listed: (includes: readonly Include[]) => includes,
  isOpen: true,
  runsHooks: false,
  text: '',
})

/**
 * Checks that the caller may list each related model that the query string leads to, as its own list does, and determines the
 * scopes of all. It leaves out optional ones, and does not run their scopes, which may expect a caller who may list the model.
 *
 * @throws HttpError 401, 403 that names the parameter
 */
export function* reachOf(
  { related, access: { scopes } }: Pick<Resource, 'access' | 'related'>,
  scoped: ScopedCall,
  models: readonly RelatedModel[],
): Steps<Reach> {
  const { modelOf } = scopes
  const guards = new Map<string, Condition>()
  const refusals = new Map<string, HttpError | undefined>()
  const left = new Set<string>()
  let runsHooks = false
  for (const use of models) {
    if (guards.has(use.model)) continue
    // A join table may be internal: it needs no permission of its own, but the option `scope` applies to it.
    const target = related(use.model)
    if (target !== undefined && use.parameter !== undefined) {
      if (!refusals.has(use.model)) refusals.set(use.model, yield* refusalOf(target, scoped))
      const refusal = refusals.get(use.model)
      if (refusal !== undefined) {
        if (use.isOptional !== true) throw naming(refusal, target.model, use)
        left.add(use.path)
        continue
      }
    }
    if (guards.has(use.model)) continue
    guards.set(use.model, yield* guardOf(scopes, target?.model ?? modelOf(use.model), scoped))
    runsHooks ||=
      target !== undefined && (target.access.controller?.hooks.afterList !== undefined || isPresented(target))
  }
  const all = [...guards.values()]
  const text = guardKey({ op: 'and', conditions: all })
  return {
    modelOf,
    listed: (includes) => (left.size === 0 ? includes : without(left, includes)),
    guardOf: (name) => guards.get(name) ?? everything,
    isOpen: all.every((guard) => guard === everything),
    runsHooks,
    text: text === undefined ? undefined : `${[...left].join()} ${text}`,
  }
}

function* refusalOf(
  target: Pick<Resource, 'access' | 'records'>,
  { call }: ScopedCall,
): Steps<HttpError | undefined> {
  try {
    yield* authorise(target.access, 'read', { call, session: target.records.source })
    return undefined
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
}

/** A permission function may refuse with a code of its own. */
const isRefusal = (error: unknown): error is HttpError =>
  error instanceof HttpError && (error.status === 401 || error.status === 403)

/** How queries that lead through relations can be refused to callers who may list the model itself. */
export const relatedProblems: (resource: Resource) => readonly ProblemCode[] = onceFor(
  (resource: Resource) => {
    const targetsOf = ({
      related,
      rules: { relations },
    }: Pick<Resource, 'rules' | 'related'>): readonly Resource[] =>
      relations.flatMap(({ model }) => related(model) ?? [])
    const reached = new Set(targetsOf(resource))
    // The loop also comes to those that it adds.
    for (const from of reached) for (const target of targetsOf(from)) reached.add(target)
    const permissions = [...reached].map((target) => target.access.permissions.read)
    return [
      ...(permissions.some((read) => read !== 'public') ? (['unauthenticated'] as const) : []),
      ...(permissions.some((read) => typeof read === 'function') ? (['forbidden'] as const) : []),
    ]
  },
)

/** The refusal of the list of a model, in a request that needs its records. */
const naming = (
  { status, code, headers, detail }: HttpError,
  model: Model,
  { parameter = '', path }: RelatedModel,
): HttpError => {
  const reason = `${path} needs ${plural(model.name)}, which you may not list.`
  return new HttpError(status, detail, { code, headers, errors: [{ parameter, code, detail: reason }] })
}

const without = (left: ReadonlySet<string>, includes: readonly Include[], before = ''): readonly Include[] =>
  includes
    .filter(({ relation }) => !left.has(before + relation))
    .map((each) => ({ ...each, include: without(left, each.include, `${before}${each.relation}.`) }))
