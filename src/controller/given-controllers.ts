import { StartError } from '../error/start-error.ts'
import { isControllerClass } from './base-model-controller.ts'
import type { FoundController } from './controllers-of.ts'
import { linkedModel } from './link.ts'

/** The controllers of the option `controllers`. @throws StartError for what is no linked controller */
export const givenControllers = (given: readonly unknown[]): readonly FoundController[] => {
  if (!Array.isArray(given)) {
    throw new StartError('The option controllers must be an array: controllers: [ProductController].')
  }
  return given.map((controller: unknown, index) => foundAs(controller, `controllers[${index}]`))
}

const foundAs = (controller: unknown, at: string): FoundController => {
  if (!isControllerClass(controller)) {
    throw new StartError(
      `${at} is no controller. Give what controllerFor('Product', { … }) gives back: controllers: [ProductController].`,
    )
  }
  const place = controller.name === '' ? at : `${at}, ${controller.name}`
  if (linkedModel(controller) !== undefined) return { controller, place }
  throw new StartError(
    `${place} is linked to no model. Link it: controllerFor('Product', ${controller.name || 'class …'}).`,
  )
}
