import leven from 'leven'
import { StartError, suggest } from '../error/start-error.ts'
import { type ControllerClass, isBaseClass } from './base-model-controller.ts'
import { hookNames, isHookName } from './hook-table.ts'

/** The static of a controller that says who may do what. */
export const permissionsName = 'permissions'

/** The static and instance parts of a class and of the classes between it and the base. */
const lineage = (controller: ControllerClass): readonly object[] => {
  const classes: object[] = []
  let current: object | null = controller
  while (current !== null && !isBaseClass(current)) {
    classes.push(current)
    current = Object.getPrototypeOf(current)
  }
  return classes
}

const namesIn = (owner: object): readonly string[] => Object.getOwnPropertyNames(owner)

/**
 * @throws StartError for a static that is a misspelt hook, and for a hook that is a method of instances, which nothing would
 *   ever call.
 */
export const assertNames = (controller: ControllerClass, place: string): void => {
  for (const owner of lineage(controller)) {
    for (const name of namesIn(owner)) assertStatic(name, place)
    const instances: unknown = Reflect.get(owner, 'prototype')
    const methods = typeof instances === 'object' && instances !== null ? namesIn(instances) : []
    for (const name of methods) assertNoMethod(name, place)
  }
}

const assertStatic = (name: string, place: string): void => {
  if (!isHookName(name) && name !== permissionsName && looksLikeHook(name)) {
    throw new StartError(
      `${place}: there is no hook ${name}.${suggest(name, [...hookNames, permissionsName])}`,
    )
  }
}

const assertNoMethod = (name: string, place: string): void => {
  if (!isHookName(name)) return
  throw new StartError(
    `${place}: ${name} is a method of instances, and no instance is ever made. Write static ${name}(…) { … }.`,
  )
}

/** `befroeCreate`, `scop`, `before_create`: a static that would be passed over although it is meant as a hook. */
const looksLikeHook = (name: string): boolean => {
  const plain = name.replaceAll('_', '').toLowerCase()
  return (
    /^(before|after)/.test(plain) ||
    [...hookNames, permissionsName].some((hook) => isNear(plain, hook.toLowerCase()))
  )
}

/** Two letters off in a long name. In a short one (`scope`) a letter too many or too few, or in another order. */
const isNear = (name: string, hook: string): boolean => {
  if (name === hook) return true
  if (hook.length > 8) return leven(name, hook) <= 2
  return name.length === hook.length ? letters(name) === letters(hook) : leven(name, hook) === 1
}

const letters = (name: string): string => [...name].sort().join('')
