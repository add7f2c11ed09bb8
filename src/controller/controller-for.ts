import { StartError, suggest } from '../error/errors.ts'
import { isPlainObject } from '../model/objects.ts'
import type { HookRequest, ModelName } from '../model/types.ts'
import { type Hooks, hookNames, memberNames, type Permissions } from './hooks.ts'

/** What a controller may have: hooks, and who may do what. */
interface Parts<Name extends ModelName, Request> extends Hooks<Name, Request> {
  readonly permissions?: Permissions<Name, Request>
}

/** Links the class that it decorates, or is called on, to a model, and gives that class back. */
export type LinkClass<Name extends ModelName = ModelName, Request = HookRequest> = <
  Class extends ControllerClass & Parts<Name, Request>,
>(
  controller: Class,
  context?: ClassDecoratorContext<Class>,
) => Class

/** `controllerFor` with the hooks' `request` typed as a host's. */
export interface ControllerFor<Request = HookRequest> {
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
  if (typeof model !== 'string' || model === '')
    throw new StartError("controllerFor takes the name of a model first: controllerFor('Product', { … }).")
  // One of three overloads, which no single signature can say.
  if (given.length === 0) return ((controller: unknown) => linked(model, controller)) as never
  return linked(model, isPlainObject(given[0]) ? classOf(model, given[0]) : given[0]) as never
}

const linked = (model: string, controller: unknown): ControllerClass => {
  if (!isControllerClass(controller))
    throw new StartError(
      `controllerFor('${model}') takes hooks, { beforeCreate(request, payload) { … } }, or a class: class extends BaseModelController { … }.`,
    )
  const other = linkedModel(controller)
  if (other === model) return controller
  if (other !== undefined)
    throw new StartError(
      `controllerFor('${model}'): ${controller.name || 'the class'} is linked to ${other} already. Give each model a class of its own: class extends ${controller.name || 'BaseModelController'} {}.`,
    )
  return Object.defineProperty(controller, linkKey, { value: model })
}

/** A class with the hooks of an object. The object holds nothing else, so that no misspelt hook is passed over. */
const classOf = (model: string, hooks: object): ControllerClass => {
  for (const name of Object.keys(hooks)) {
    if (!memberNames.includes(name))
      throw new StartError(`controllerFor('${model}'): there is no hook ${name}.${suggest(name, hookNames)}`)
  }
  const controller = class extends BaseModelController {}
  Object.defineProperty(controller, 'name', { value: `${model}Controller` })
  return Object.assign(controller, hooks)
}

/** Marks the base class. A symbol of the registry, so that two copies of the package agree. */
const baseKey: unique symbol = Symbol.for('modelrest.controller.base')

/**
 * The base class of controllers. The hooks of a controller are its static methods; no instance is ever made.
 *
 * @example
 * ```ts
 * import { BaseModelController, controllerFor, ValueError, type BeforeCreate } from 'modelrest'
 *
 * export const ProductController = controllerFor(
 *   'Product',
 *   class extends BaseModelController {
 *     static beforeCreate: BeforeCreate<'Product'> = (_request, payload) => {
 *       if (payload['name'] === 'forbidden') throw new ValueError('The name is a forbidden word.')
 *     }
 *   },
 * )
 * ```
 */
export abstract class BaseModelController {}

Object.defineProperty(BaseModelController, baseKey, { value: true })

/** A class that extends `BaseModelController`. */
export type ControllerClass = abstract new (...args: never) => BaseModelController

/** Whether a value is a class that extends `BaseModelController`, that of another copy of the package too. */
export const isControllerClass = (value: unknown): value is ControllerClass =>
  typeof value === 'function' && Reflect.get(value, baseKey) === true && !Object.hasOwn(value, baseKey)

/** Where a class keeps the name of its model. A symbol of the registry, so that two copies of the package agree. */
const linkKey: unique symbol = Symbol.for('modelrest.controller.model')

/** The model that a class is linked to. A link is not inherited. */
export const linkedModel = (controller: ControllerClass): string | undefined =>
  Object.hasOwn(controller, linkKey) ? String(Reflect.get(controller, linkKey)) : undefined
