import { StartError } from '../error/start-error.ts'
import type { ControllerClass } from './base-model-controller.ts'

/** Where a class keeps the name of its model. A symbol of the registry, so that two copies of the package agree. */
const linkKey: unique symbol = Symbol.for('modelrest.controller.model')

/** The model that a class is linked to. A link is not inherited. */
export const linkedModel = (controller: ControllerClass): string | undefined => {
  if (!Object.hasOwn(controller, linkKey)) return undefined
  return String(Reflect.get(controller, linkKey))
}

/** Links a class to a model. @throws StartError where it is linked to another one. */
export const link = (controller: ControllerClass, model: string): void => {
  const other = linkedModel(controller)
  if (other === model) return
  if (other !== undefined) {
    throw new StartError(
      `controllerFor('${model}'): ${controller.name || 'the class'} is linked to ${other} already. Give each model a class of its own: class extends ${controller.name || 'BaseModelController'} {}.`,
    )
  }
  Object.defineProperty(controller, linkKey, { value: model })
}
