import leven from 'leven'
import { assertKnown, StartError, suggest } from '../error/errors.ts'
import { isRecord } from '../error/record.ts'
import type { Model } from '../model/model.ts'
import { type ControllerClass, isControllerClass, linkedModel } from './controller-for.ts'
import {
  type Controller,
  type HookName,
  hookNames,
  hookTable,
  isHookName,
  memberNames,
  permissionActs,
} from './hooks.ts'

/** A linked class, and where it stands: `controllers/product.ts, ProductController`. */
export interface FoundController {
  readonly controller: ControllerClass
  readonly place: string
}

interface ControllableModels {
  readonly served: readonly Model[]
  readonly described: readonly Model[]
}

/** The controllers by the name of their model. Every hook that could not run is refused. */
export const controllersOf = (
  found: readonly FoundController[],
  models: ControllableModels,
  rules: HookRules,
): ReadonlyMap<string, Controller> => {
  const controllers = new Map<string, Controller>()
  for (const { controller, place } of found) {
    const model = modelOf({ controller, place }, models)
    const other = controllers.get(model.name)
    if (other !== undefined)
      throw new StartError(`${model.name} has two controllers: ${other.place}, and ${place}. Make them one.`)
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
  { controller, place }: FoundController,
  { served, described }: ControllableModels,
): Model => {
  const name = linkedModel(controller)
  if (name === undefined) throw new Error(`${place} is linked to no model`)
  const model = served.find((candidate) => candidate.name === name)
  if (model !== undefined) return model
  const known = described.find((candidate) => candidate.name === name)
  if (known !== undefined)
    throw new StartError(
      `${place}: the model ${name} is excluded, so its hooks would never run. Serve it, by what exclude says of ${known.app}, or remove the controller.`,
    )
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

export interface HookRules {
  readonly isAsync: boolean
  /** Transactions are one tick, as on better-sqlite3: hooks inside them cannot wait. @default false */
  readonly oneTick?: boolean
}

type Hook = (...given: readonly unknown[]) => unknown

/** The hooks of a class, also those that it inherits, each with the class as its `this`. */
const hooksOf = (controller: ControllerClass, place: string, rules: HookRules): Controller['hooks'] => {
  assertNames(controller, place)
  const hooks = hookNames
    .filter((name) => name in controller)
    .map((name) => [name, hookIn(controller, name, place, rules).bind(controller)])
  return Object.freeze(Object.fromEntries(hooks))
}

const hookIn = (controller: ControllerClass, name: HookName, place: string, rules: HookRules): Hook => {
  const hook: unknown = Reflect.get(controller, name)
  if (!isHook(hook))
    throw new StartError(
      `${place}: ${name} is no function but ${kindOf(hook)}. Write static ${name}(request, …) { … }, or leave it out.`,
    )
  assertRuns(hook, name, place, rules)
  return hook
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value)

/** Generators are functions too, but what they give is not what they return. */
const isHook = (value: unknown): value is Hook =>
  typeof value === 'function' && !tagOf(value).includes('Generator')

const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return String(value)
  return typeof value === 'function' ? 'a generator' : `a value of type ${typeof value}`
}

const assertRuns = (hook: Hook, name: HookName, place: string, { isAsync, oneTick }: HookRules): void => {
  if (tagOf(hook) !== '[object AsyncFunction]') return
  // What runs after the reply may wait in either mode.
  if (name === 'afterCommit') return
  if (!isAsync)
    throw new StartError(
      `${place}: ${name} is an async function, and isAsync is false. Write it without async, or leave isAsync out.`,
    )
  if (oneTick && hookTable[name].inTransaction)
    throw new StartError(
      `${place}: ${name} is an async function, and on this database a transaction cannot wait for it. Write it without async, or do what has to wait in afterCommit.`,
    )
}

const permissionsOf = (controller: ControllerClass, place: string): Controller['permissions'] => {
  const given: unknown = Reflect.get(controller, 'permissions')
  if (!('permissions' in controller)) return Object.freeze({})
  if (!isRecord(given))
    throw new StartError(
      `${place}: permissions must be an object, as { read: 'public', delete: 'authenticated' }.`,
    )
  const entries = Object.entries(given).map(([act, permission]) => {
    assertKnown(`${place}: permissions have no`, act, permissionActs)
    if (typeof permission === 'function') return [act, permission.bind(controller)]
    if (permission === 'public' || permission === 'authenticated') return [act, permission]
    throw new StartError(
      `${place}: permissions.${act} must be 'public', 'authenticated', or a function (request, record) => boolean.`,
    )
  })
  return Object.freeze(Object.fromEntries(entries))
}

/** Neither a misspelt static nor a hook that is a method of instances would ever be called. */
const assertNames = (controller: ControllerClass, place: string): void => {
  for (let owner: unknown = controller; isControllerClass(owner); owner = Object.getPrototypeOf(owner)) {
    const misspelt = Object.getOwnPropertyNames(owner).find(looksLikeHook)
    if (misspelt !== undefined)
      throw new StartError(`${place}: there is no hook ${misspelt}.${suggest(misspelt, memberNames)}`)
    const method = Object.getOwnPropertyNames(Reflect.get(owner, 'prototype')).find(isHookName)
    if (method !== undefined)
      throw new StartError(
        `${place}: ${method} is a method of instances, and no instance is ever made. Write static ${method}(…) { … }.`,
      )
  }
}

/** `befroeCreate`, `scop`, `before_create`: a static that would be passed over although it is meant as a hook. */
const looksLikeHook = (name: string): boolean => {
  if (memberNames.includes(name)) return false
  const plain = name.replaceAll('_', '').toLowerCase()
  return /^(before|after)/.test(plain) || memberNames.some((hook) => isNear(plain, hook.toLowerCase()))
}

/** Two letters off in a long name. In a short one (`scope`) a letter too many or too few, or in another order. */
const isNear = (name: string, hook: string): boolean => {
  if (name === hook) return true
  if (hook.length > 8) return leven(name, hook) <= 2
  return name.length === hook.length ? letters(name) === letters(hook) : leven(name, hook) === 1
}

const letters = (name: string): string => [...name].sort().join('')
