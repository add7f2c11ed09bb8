import { authorise } from '../../controller/permissions.ts'
import { guardOf, type ScopedCall } from '../../controller/scope.ts'
import { HttpError } from '../../error/errors.ts'
import type { Model } from '../../model/model.ts'
import { plural } from '../../model/naming.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { type Condition, everything, type Include } from '../../query/ast.ts'
import type { RelatedModel } from '../../query/tally.ts'
import { guardKey } from '../../source/shared-reads.ts'
import { isPresented } from './record.ts'
import type { CallerAccess, Reach } from './resource.ts'

/** That of a request without related models. */
export const openReach: Reach = Object.freeze({
  modelOf: (name: string): never => {
    throw new Error(`The request does not lead to ${name}.`)
  },
  guardOf: () => everything,
  related: () => undefined,
  listed: (includes: readonly Include[]) => includes,
  isOpen: true,
  runsHooks: false,
  text: '',
})

const openSteps: Steps<Reach> = wait(openReach)

/** How a request comes to related models. */
interface Reaching extends Pick<CallerAccess, 'scopes' | 'listedFor'> {
  readonly related: Reach['related']
}

export const reaching =
  (from: Reaching): CallerAccess['reach'] =>
  (scoped, models) =>
    models.length === 0 ? openSteps : reachOf(from, scoped, models)

function* reachOf(
  { scopes, related, listedFor }: Reaching,
  scoped: ScopedCall,
  models: readonly RelatedModel[],
): Steps<Reach> {
  const { modelOf } = scopes
  const guards = new Map<string, Condition>()
  const refusals = new Map<string, HttpError | undefined>()
  const left = new Set<string>()
  let runsHooks = false
  for (const use of models) {
    const listed = use.parameter === undefined ? undefined : listedFor(use)
    if (listed !== undefined) {
      const { name } = listed.model
      if (!refusals.has(name)) refusals.set(name, yield* refusalOf(listed.access, scoped))
      const refusal = refusals.get(name)
      if (refusal !== undefined) {
        if (use.isOptional !== true) throw naming(refusal, listed.model, use)
        left.add(use.path)
        continue
      }
    }
    if (guards.has(use.model)) continue
    const target = related(use.model)
    guards.set(use.model, yield* guardOf(scopes, target?.model ?? modelOf(use.model), scoped))
    runsHooks ||=
      target !== undefined && (target.access.controller?.hooks.afterList !== undefined || isPresented(target))
  }
  const all = [...guards.values()]
  return {
    ...{ modelOf, related },
    listed: (includes) => (left.size === 0 ? includes : without(left, includes)),
    guardOf: (name) => guards.get(name) ?? everything,
    isOpen: all.every((guard) => guard === everything),
    runsHooks,
    get text() {
      const key = guardKey({ op: 'and', conditions: all })
      return key === undefined ? undefined : `${[...left].join()} ${key}`
    },
  }
}

function* refusalOf(access: CallerAccess, { call }: ScopedCall): Steps<HttpError | undefined> {
  try {
    yield* authorise(access, 'read', { call, session: access.scopes.source })
    return undefined
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
}

/** A permission function may refuse with a code of its own. */
const isRefusal = (error: unknown): error is HttpError =>
  error instanceof HttpError && (error.status === 401 || error.status === 403)

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
