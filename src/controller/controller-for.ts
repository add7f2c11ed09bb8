import { StartError, suggest } from '../error/errors.ts'
import { isPlainObject } from '../model/objects.ts'
import type { HookRequest, ModelName } from '../model/types.ts'
import type { ComputedFields, ComputedSchemas, ComputedValues } from './computed.ts'
import type { Action, Hooks, Permissions } from './controller.ts'
import { meantHooks, memberNames } from './hooks.ts'
import { type ModelParts, partOptions } from './model-parts.ts'

/** The members of a controller: hooks, permissions, computed fields, actions, and the configuration of its model. */
interface Parts<
  Name extends ModelName,
  Request,
  Schemas extends ComputedSchemas = Record<never, never>,
  Own extends string = string,
> extends Hooks<Name, Request, ComputedValues<NoInfer<Schemas>>>,
    ModelParts<Name> {
  readonly permissions?: Permissions<Name, Request, NoInfer<Own>>
  readonly actions?: { readonly [Key in Own]: Action<Name, Request> }
  readonly computed?: ComputedFields<Name, Schemas>
}

/** The same for a class, whose computed fields TypeScript does not connect to its hooks. */
interface ClassParts<Name extends ModelName, Request> extends Hooks<Name, Request> {
  readonly permissions?: Permissions<Name, Request, string>
  readonly actions?: { readonly [name: string]: Action<Name, Request> }
  readonly computed?: ComputedFields<Name>
}

/** Links a class to a model and returns the class. Works as a class decorator and as a function. */
export type LinkClass<Name extends ModelName = ModelName, Request = HookRequest> = <
  Class extends ControllerClass & ClassParts<Name, Request>,
>(
  controller: Class,
  context?: ClassDecoratorContext<Class>,
) => Class

/** The type of `controllerFor`. `Request` is the request type of the host, which hooks get. */
export interface ControllerFor<Request = HookRequest> {
  <Name extends ModelName, Class extends ControllerClass & ClassParts<Name, Request>>(
    model: Name,
    controller: Class,
  ): Class
  <
    Name extends ModelName,
    Schemas extends ComputedSchemas = Record<never, never>,
    Own extends string = never,
  >(
    model: Name,
    parts: Parts<Name, Request, Schemas, Own>,
  ): typeof BaseModelController
  <Name extends ModelName>(model: Name): LinkClass<Name, Request>
}

/**
 * Creates a controller: links hooks, or a class with hooks as static methods, to a model. Without a second argument,
 * returns a class decorator. Beside hooks, a controller may have the configuration of its
 * model, in place of `modelConfig`, `customSchemas` and `fileFields`: `path`, `hidden`, `schemas`.
 *
 * Export the controller from a file in a `controllers/` folder, or pass it as `controllers: [ProductController]`.
 *
 * @throws StartError for an unknown hook, a class that does not extend `BaseModelController`, and a class that is
 *   already linked to another model.
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
    throw new StartError(
      "The first argument of controllerFor must be the name of a model: controllerFor('Product', { … }).",
    )
  // One signature cannot express the three overloads.
  if (given.length === 0) return ((controller: unknown) => linked(model, controller)) as never
  return linked(model, isPlainObject(given[0]) ? classOf(model, given[0]) : given[0]) as never
}

const linked = (model: string, controller: unknown): ControllerClass => {
  if (!isControllerClass(controller))
    throw new StartError(
      `controllerFor('${model}'): the second argument must be an object or a class. Write { beforeCreate(request, payload) { … } } or class extends BaseModelController { … }.`,
    )
  const other = linkedModel(controller)
  if (other === model) return controller
  if (other !== undefined)
    throw new StartError(
      `controllerFor('${model}'): ${controller.name || 'the class'} is already linked to ${other}. Use a separate class for each model: class extends ${controller.name || 'BaseModelController'} {}.`,
    )
  return Object.defineProperty(controller, linkKey, { value: model })
}

/** A class with the members of an object. Unknown names are refused: they are probably misspelled. */
const classOf = (model: string, hooks: object): ControllerClass => {
  const known = [...memberNames, ...partOptions.keys()]
  for (const name of Object.keys(hooks)) {
    if (!known.includes(name))
      throw new StartError(
        `controllerFor('${model}'): unknown key ${name}.${meantHooks(name)}${suggest(name, known)}`,
      )
  }
  const controller = class extends BaseModelController {}
  Object.defineProperty(controller, 'name', { value: `${model}Controller` })
  return Object.assign(controller, hooks)
}

/** Marks the base class. A registered symbol, because two copies of the package must agree. */
const baseKey: unique symbol = Symbol.for('modelrest.controller.base')

/**
 * The base class of controllers. Hooks are static methods; modelrest never creates an instance.
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

/** Whether a value is a class that extends `BaseModelController`, also of another copy of the package. */
export const isControllerClass = (value: unknown): value is ControllerClass =>
  typeof value === 'function' && Reflect.get(value, baseKey) === true && !Object.hasOwn(value, baseKey)

/** The property with the model name of a class. A registered symbol, because two copies of the package must agree. */
const linkKey: unique symbol = Symbol.for('modelrest.controller.model')

/** The model that a class is linked to. Links are not inherited. */
export const linkedModel = (controller: ControllerClass): string | undefined =>
  Object.hasOwn(controller, linkKey) ? String(Reflect.get(controller, linkKey)) : undefined
