import { StartError, suggest } from '../error/start-error.ts'
import type { Model } from '../model/model.ts'
import type { ControllerClass } from './base-model-controller.ts'
import { type HookRules, hooksOf } from './class-hooks.ts'
import { permissionsOf } from './class-permissions.ts'
import type { Controller } from './controller.ts'
import { hookNames, hookTable } from './hook-table.ts'
import { linkedModel } from './link.ts'

/** A linked class, and where it stands: `controllers/product.ts, ProductController`. */
export interface FoundController {
  readonly controller: ControllerClass
  readonly place: string
}

/** The models of the application. */
export interface ControllableModels {
  /** Those that are served, as they are served. */
  readonly served: readonly Model[]
  /** All that the source describes. */
  readonly described: readonly Model[]
}

/**
 * The controllers by the name of their model.
 *
 * @throws StartError for a model that is not there or not served, two controllers of one model, and every hook that could
 *   not run.
 */
export const controllersOf = (
  found: readonly FoundController[],
  models: ControllableModels,
  rules: HookRules,
): ReadonlyMap<string, Controller> => {
  const controllers = new Map<string, Controller>()
  for (const { controller, place } of found) {
    const model = modelOf(controller, place, models)
    const other = controllers.get(model.name)
    if (other !== undefined) {
      throw new StartError(`${model.name} has two controllers: ${other.place}, and ${place}. Make them one.`)
    }
    const hooks = hooksOf(controller, place, rules)
    assertHooksRun(controller, place, model)
    controllers.set(
      model.name,
      Object.freeze({ model: model.name, place, hooks, permissions: permissionsOf(controller, place) }),
    )
  }
  return controllers
}

const modelOf = (
  controller: ControllerClass,
  place: string,
  { served, described }: ControllableModels,
): Model => {
  const name = linkedModel(controller)
  if (name === undefined) throw new Error(`${place} is linked to no model`)
  const model = served.find((candidate) => candidate.name === name)
  if (model !== undefined) return model
  const known = described.find((candidate) => candidate.name === name)
  if (known !== undefined) {
    throw new StartError(
      `${place}: the model ${name} is excluded, so its hooks would never run. Serve it, by what exclude says of ${known.app}, or remove the controller.`,
    )
  }
  const names = served.map((candidate) => candidate.name)
  throw new StartError(`${place}: there is no model ${name}.${suggest(name, names)}`)
}

/** A base class may hold hooks that this model has no use for. Those of the class itself are meant for it. */
const assertHooksRun = (controller: ControllerClass, place: string, model: Model): void => {
  if (!model.readOnly) return
  const idle = hookNames.find((name) => hookTable[name].ofWrites && Object.hasOwn(controller, name))
  if (idle === undefined) return
  throw new StartError(`${place}: ${model.name} is read-only, so ${idle} would never run. Remove it.`)
}
