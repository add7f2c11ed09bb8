import { StartError } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import type { Awaitable } from '../model/objects.ts'
import type { HookRequest, NameIn, Registered } from '../model/types.ts'
import type { Controller, HookContext, Scope } from './controller.ts'

/** The model that the option `scope` is called for. */
export interface ScopedModel<Types = Registered> {
  readonly name: NameIn<Types>
  /** The names of its fields, including hidden ones. */
  readonly fields: readonly string[]
}

/**
 * The option `scope`: returns which records of a model the caller can reach, like `scope` of a controller. `{}` matches all
 * records, `[]` none. Anything else than a scope, such as `undefined`, refuses the request.
 */
export type ScopeOption<Types = Registered, Request = HookRequest> = Rule<Types, Request>['scope']

/** A method, like hooks, so that parameters are bivariant: a function for any request fits the request of a host. */
interface Rule<Types, Request> {
  scope(request: Request, context: HookContext, model: ScopedModel<Types>): Awaitable<Scope>
}

/** @throws StartError if the option cannot be called */
export const assertScopeOption = (scope: unknown): void => {
  if (scope === undefined || typeof scope === 'function') return
  throw new StartError(
    'The option scope must be a function: scope: (request, context, model) => ({ tenantId: … }).',
  )
}

/** The controllers, with the option `scope` for every model without a scope of its own, also for those that are not served. */
export const withScopeOption = (
  controllers: ReadonlyMap<string, Controller>,
  models: readonly Model[],
  scope: ScopeOption<unknown, unknown> | undefined,
): ReadonlyMap<string, Controller> => {
  if (scope === undefined) return controllers
  const all = new Map(controllers)
  for (const { name, fields } of models) {
    const own = controllers.get(name)
    if (own?.hooks.scope !== undefined) continue
    const about: ScopedModel<unknown> = Object.freeze({
      name,
      fields: Object.freeze(fields.map((field) => field.name)),
    })
    all.set(
      name,
      Object.freeze<Controller>({
        ...(own ?? { model: name, place: 'the option scope', permissions: Object.freeze({}) }),
        hooks: Object.freeze({
          ...own?.hooks,
          scope: (request: unknown, context: HookContext) => scope(request, context, about),
        }),
        hasScopeOption: true,
      }),
    )
  }
  return all
}
