import type { ModuleRef } from '@nestjs/core'
import { type ControllerClass, controllerFor, isControllerClass, linkedModel } from '../../controller/controller-for.ts'
import { memberNames } from '../../controller/hooks.ts'

/**
 * Controllers with the members of instances that Nest creates, which can inject providers. Classes with only static members stay
 * as they are.
 */
export const injected = (
  given: readonly ControllerClass[],
  moduleRef: Pick<ModuleRef, 'create'>,
): Promise<readonly ControllerClass[]> =>
  Promise.all(
    given.map(async (controller) => {
      // A wrong value is refused later.
      const model = isControllerClass(controller) ? linkedModel(controller) : undefined
      if (model === undefined) return controller
      const instance = await moduleRef.create<object>(controller as new () => object)
      const names = memberNames.filter((name) => name in instance)
      return names.length === 0 ? controller : ofInstance(model, controller, instance, names)
    }),
  )

/** A class that inherits the static members of the controller, but not its methods, which are those of the instance. */
const ofInstance = (
  model: string,
  controller: ControllerClass,
  instance: object,
  names: readonly string[],
): ControllerClass => {
  const members = names.map((name): [string, unknown] => {
    const member: unknown = Reflect.get(instance, name)
    return [name, typeof member === 'function' ? member.bind(instance) : member]
  })
  const statics = Object.entries(controller)
  const made = controllerFor(model, Object.fromEntries([...statics, ...members]))
  return Object.defineProperty(made, 'name', { value: controller.name })
}
