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

/** Whether a class is `BaseModelController` itself. */
export const isBaseClass = (value: object): boolean => Object.hasOwn(value, baseKey)

/** Whether a value is a class that extends `BaseModelController`, that of another copy of the package too. */
export const isControllerClass = (value: unknown): value is ControllerClass =>
  typeof value === 'function' && Reflect.get(value, baseKey) === true && !isBaseClass(value)
