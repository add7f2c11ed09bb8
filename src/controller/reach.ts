import type { Model } from '../model/model.ts'
import type { Steps } from '../operation/steps.ts'
import { type Condition, everything } from '../query/ast.ts'
import type { Controller } from './controller.ts'
import { ran } from './ran.ts'
import { conditionOf, type ModelOf } from './scope.ts'
import { contextWith, type Visit } from './visit.ts'

/** What scopes are asked with. */
export interface Reaching {
  /** The ORM's own handle. */
  readonly db: unknown
  readonly controllers: ReadonlyMap<string, Controller>
  readonly modelOf: ModelOf
}

/** What the caller may reach of a model. Its scope is asked once in a request. */
export function* reachOf(
  { db, controllers, modelOf }: Reaching,
  model: Model,
  visit: Visit,
): Steps<Condition> {
  const controller = controllers.get(model.name)
  if (controller?.hooks.scope === undefined) return everything
  const known = visit.guards?.get(model.name)
  if (known !== undefined) return known
  const { call } = visit
  const scope = yield* ran(controller, 'scope', (hook) => hook(call.request, contextWith(db, call)))
  const guard = conditionOf(scope, model, modelOf)
  visit.guards ??= new Map()
  visit.guards.set(model.name, guard)
  return guard
}
