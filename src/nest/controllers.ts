import type { ModuleRef } from '@nestjs/core'
import {
  BaseModelController,
  type ControllerClass,
  controllerFor,
  isControllerClass,
  linkedModel,
} from '../controller/controller-for.ts'
import { memberNames } from '../controller/hooks.ts'
import { partOptions } from '../controller/model-parts.ts'

/**
 * Controllers with the members of instances that Nest creates, which can inject providers. Classes without such members stay as
 * they are.
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
      const members = new Map([...methodsOf(instance), ...fieldsOf(instance)])
      if (members.size === 0) return controller
      const all = new Map([...staticsOf(controller), ...members])
      const made = class extends BaseModelController {}
      for (const [name, value] of all) Object.defineProperty(made, name, { value, enumerable: true })
      Object.defineProperty(made, 'name', { value: controller.name })
      return controllerFor(model, made)
    }),
  )

type ClassMember = readonly [name: string, value: unknown]

/** All methods, so that a misspelled hook is noticed. */
const methodsOf = (instance: object): readonly ClassMember[] => {
  const members: ClassMember[] = []
  for (let owner = Object.getPrototypeOf(instance); isOwner(owner); owner = Object.getPrototypeOf(owner))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (typeof value === 'function' && !taken.has(name)) members.unshift([name, value.bind(instance)])
  return members
}

const isOwner = (prototype: object): boolean =>
  prototype !== BaseModelController.prototype && prototype !== Object.prototype

/** The names of properties that each class has. */
const taken: ReadonlySet<string> = new Set(['constructor', 'prototype', 'name', 'length'])

/** Only those that are hooks, because the others are the providers that the instance injects. */
const fieldsOf = (instance: object): readonly ClassMember[] =>
  Object.entries(instance).filter(([name, value]) => memberNames.includes(name) && value !== undefined)

const staticsOf = (controller: ControllerClass): readonly ClassMember[] =>
  [...memberNames, ...partOptions.keys()]
    .filter((name) => Reflect.has(controller, name))
    .map((name) => {
      const value: unknown = Reflect.get(controller, name)
      return [name, typeof value === 'function' ? value.bind(controller) : value]
    })
