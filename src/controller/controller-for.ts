import { StartError, suggest } from '../error/start-error.ts'
import { isPlainObject } from '../model/plain-object.ts'
import type { ModelName } from '../model/register.ts'
import { BaseModelController, type ControllerClass, isControllerClass } from './base-model-controller.ts'
import { hookNames, isHookName } from './hook-table.ts'
import type { Hooks } from './hooks.ts'
import { link } from './link.ts'
import type { Permissions } from './permissions.ts'
import { permissionsName } from './statics.ts'

/** What a controller may have: hooks, and who may do what. */
interface Parts<Name extends ModelName, Request> extends Hooks<Name, Request> {
  readonly permissions?: Permissions<Name, Request>
}

/** Links the class that it decorates, or is called on, to a model, and gives that class back. */
export type LinkClass<Name extends ModelName = ModelName, Request = unknown> = <
  Class extends ControllerClass & Parts<Name, Request>,
>(
  controller: Class,
  context?: ClassDecoratorContext<Class>,
) => Class

/** `controllerFor` with the hooks' `request` typed as a host's. */
export interface ControllerFor<Request = unknown> {
  <Name extends ModelName, Class extends ControllerClass & Parts<Name, Request>>(
    model: Name,
    controller: Class,
  ): Class
  <Name extends ModelName>(model: Name, parts: Parts<Name, Request>): typeof BaseModelController
  <Name extends ModelName>(model: Name): LinkClass<Name, Request>
}

/**
 * Links hooks, or a class with hooks as static methods, to a model. The controller that it gives back is found where a
 * file of a `controllers/` folder exports it, or where it is given as `controllers: [ProductController]`.
 *
 * Without a second argument it gives a class decorator.
 *
 * @throws StartError for an unknown hook, a class that does not extend `BaseModelController`, or one that is linked to
 *   another model.
 * @example
 * ```ts
 * import { controllerFor, ValueError } from 'modelrest'
 *
 * export const ProductController = controllerFor('Product', {
 *   beforeCreate(_request, payload) {
 *     if (payload['name'] === 'forbidden') throw new ValueError('The name is a forbidden word.')
 *   },
 * })
 * ```
 */
export const controllerFor: ControllerFor = (model: string, ...given: readonly unknown[]): never => {
  if (typeof model !== 'string' || model === '') {
    throw new StartError("controllerFor takes the name of a model first: controllerFor('Product', { … }).")
  }
  // One of three overloads, which no single signature can say.
  if (given.length === 0) return ((controller: unknown) => linked(model, controller)) as never
  return linked(model, isPlainObject(given[0]) ? classOf(model, given[0]) : given[0]) as never
}

const linked = (model: string, controller: unknown): ControllerClass => {
  if (!isControllerClass(controller)) {
    throw new StartError(
      `controllerFor('${model}') takes hooks, { beforeCreate(request, payload) { … } }, or a class: class extends BaseModelController { … }.`,
    )
  }
  link(controller, model)
  return controller
}

/** A class with the hooks of an object. The object holds nothing else, so that no misspelt hook is passed over. */
const classOf = (model: string, hooks: object): ControllerClass => {
  for (const name of Object.keys(hooks)) {
    if (!isHookName(name) && name !== permissionsName) {
      throw new StartError(`controllerFor('${model}'): there is no hook ${name}.${suggest(name, hookNames)}`)
    }
  }
  const controller = class extends BaseModelController {}
  Object.defineProperty(controller, 'name', { value: `${model}Controller` })
  return Object.assign(controller, hooks)
}
