import leven from 'leven'
import { assertKnown, StartError, suggest } from '../error/errors.ts'
import { isRecord } from '../error/record.ts'
import type { Model } from '../model/model.ts'
import { hasOperation } from '../model/operations.ts'
import { computedOf } from './computed.ts'
import { allActs, type Controller, type DeclaredAction, type HookName } from './controller.ts'
import { type ControllerClass, isControllerClass, linkedModel } from './controller-for.ts'
import { type Declaring, declaredActions } from './declared-actions.ts'
import { hookNames, hookTable, isHookName, meantHooks, memberNames } from './hooks.ts'
import { partOptions } from './model-parts.ts'

/** A linked class and its place, for messages: `controllers/product.ts, ProductController`. */
export interface FoundController {
  readonly controller: ControllerClass
  readonly place: string
}

interface ControllableModels {
  readonly served: readonly Model[]
  readonly described: readonly Model[]
}

/** The controllers by the name of their model. @throws StartError for every hook that could never run */
export const controllersOf = (
  found: readonly FoundController[],
  models: ControllableModels,
  rules: HookRules,
): ReadonlyMap<string, Controller> => {
  const controllers = new Map<string, Controller>()
  for (const { controller, place } of found) {
    const model = modelOf({ controller, place }, models)
    if (model === undefined) continue
    const other = controllers.get(model.name)
    if (other !== undefined)
      throw new StartError(
        `${model.name} has two controllers: ${other.place} and ${place}. Merge them into one.`,
      )
    const hooks = hooksOf(controller, place, rules)
    assertHooksRun(controller, place, model)
    const own = actionNamesOf(controller)
    const permissions = permissionsOf(controller, { place, model }, own)
    const actions = actionsOf(controller, { place, model, permissions }, rules)
    controllers.set(
      model.name,
      Object.freeze({
        ...{ model: model.name, place, hooks, actions },
        permissions: Object.freeze(
          Object.fromEntries(Object.entries(permissions).filter(([act]) => !own.includes(act))),
        ),
        ...('computed' in controller && { computed: computedOf(controller, place, model, rules) }),
      }),
    )
  }
  return controllers
}

/** @returns `undefined` for a model that is not served, whose controller only configures it */
const modelOf = (
  { controller, place }: FoundController,
  { served, described }: ControllableModels,
): Model | undefined => {
  const name = linkedModel(controller)
  if (name === undefined) throw new Error(`${place} is not linked to a model`)
  const model = served.find((candidate) => candidate.name === name)
  if (model !== undefined) return model
  const known = described.find((candidate) => candidate.name === name)
  if (known !== undefined) {
    const has = (key: string) => Reflect.get(controller, key) !== undefined
    const member = memberNames.find(has)
    const isInternal = Reflect.get(controller, 'internal') === true
    if (member === undefined && [...partOptions.keys()].some(has)) return undefined
    throw new StartError(
      isInternal
        ? `${place}: ${member} has no effect because of internal: true. Remove one of them.`
        : `${place}: the model ${name} is not served, so its hooks would never run. Set internal: false and do not list it in exclude, or remove the controller.`,
    )
  }
  const names = served.map((candidate) => candidate.name)
  throw new StartError(`${place}: unknown model ${name}.${suggest(name, names)}`)
}

/** Inherited hooks may be meant for other models. Hooks of the class itself are meant for this one. */
const assertHooksRun = (controller: ControllerClass, place: string, model: Model): void => {
  const own = hookNames.filter((name) => Object.hasOwn(controller, name))
  const ofWrite = own.find((name) => model.readOnly && hookTable[name].ofWrites)
  if (ofWrite !== undefined)
    throw new StartError(`${place}: ${model.name} is read-only, so ${ofWrite} would never run. Remove it.`)
  for (const name of own) assertRun(place, model, name)
}

const assertRun = (place: string, model: Model, name: HookName): void => {
  const { runBy } = hookTable[name]
  if (runBy === undefined || runBy.some((operation) => hasOperation(model, operation))) return
  throw new StartError(
    `${place}: ${name} would never run because modelConfig.${model.name}.operations does not contain ${runBy.join(' or ')}. Remove it.`,
  )
}

export interface HookRules {
  readonly isAsync: boolean
  /** A transaction runs in one tick, as on better-sqlite3, so hooks inside it cannot be asynchronous. @default false */
  readonly oneTick?: boolean
}

type Hook = (...given: readonly unknown[]) => unknown

/** The own and inherited hooks of a class, each bound to the class. */
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
      `${place}: ${name} must be a function, not ${kindOf(hook)}. Write static ${name}(request, …) { … }, or remove it.`,
    )
  // It runs after the response, so it may be asynchronous in either mode.
  if (name !== 'afterCommit') assertRuns(hook, name, hookTable[name].inTransaction, place, rules)
  return hook
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value)

/** Generator functions are excluded: calling one does not run its body. */
const isHook = (value: unknown): value is Hook =>
  typeof value === 'function' && !tagOf(value).includes('Generator')

const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return String(value)
  return typeof value === 'function' ? 'a generator' : `a value of type ${typeof value}`
}

const assertRuns = (
  hook: Hook,
  name: string,
  inTransaction: boolean,
  place: string,
  { isAsync, oneTick }: HookRules,
): void => {
  if (tagOf(hook) !== '[object AsyncFunction]') return
  if (!isAsync)
    throw new StartError(
      `${place}: ${name} is an async function, but isAsync is false. Write it without async, or remove isAsync.`,
    )
  if (oneTick && inTransaction)
    throw new StartError(
      `${place}: ${name} is an async function, but transactions of this database are synchronous. Write it without async, or move asynchronous work to afterCommit.`,
    )
}

const actionNamesOf = (controller: ControllerClass): readonly string[] =>
  Object.keys(Object(Reflect.get(controller, 'actions')))

const actionsOf = (
  controller: ControllerClass,
  about: Pick<Declaring, 'place' | 'model' | 'permissions'>,
  rules: HookRules,
): readonly DeclaredAction[] => {
  if (!('actions' in controller)) return []
  const assertRunnable: Declaring['assertRuns'] = (run, name) => {
    if (!isHook(run))
      throw new StartError(
        `${about.place}: ${name} must be a function, not ${kindOf(run)}. Write run(request, record, input, context) { … }.`,
      )
    assertRuns(run, name, true, about.place, rules)
  }
  return declaredActions(Reflect.get(controller, 'actions'), { ...about, assertRuns: assertRunnable })
}

/** @param own the names of actions, whose permissions may stand there too */
const permissionsOf = (
  controller: ControllerClass,
  { place, model }: Pick<Declaring, 'place' | 'model'>,
  own: readonly string[],
): Declaring['permissions'] => {
  const given: unknown = Reflect.get(controller, 'permissions')
  if (!('permissions' in controller)) return Object.freeze({})
  if (!isRecord(given))
    throw new StartError(
      `${place}: permissions must be an object, such as { read: 'public', delete: 'authenticated' }.`,
    )
  const entries = Object.entries(given).map(([act, permission]) => {
    assertKnown(`${place}: permissions: unknown key`, act, [...allActs, MANAGE_USERS, ...own])
    assertSeen(model, place, act)
    if (typeof permission === 'function') return [act, permission.bind(controller)]
    if (act === MANAGE_USERS && permission === 'public')
      throw new StartError(
        `${place}: permissions.${MANAGE_USERS} cannot be 'public'. Write a function (request, record, context) => boolean, or 'authenticated'.`,
      )
    if (permission === 'public' || permission === 'authenticated') return [act, permission]
    throw new StartError(
      `${place}: permissions.${act} must be 'public', 'authenticated' or a function (request, record) => boolean.`,
    )
  })
  return Object.freeze(Object.fromEntries(entries))
}

const MANAGE_USERS = 'manageUsers' satisfies keyof Controller['permissions']

/** @throws StartError if there are no deleted records that callers could see */
const assertSeen = ({ name, softDelete }: Model, place: string, act: string): void => {
  if (act === 'deleted' && softDelete === undefined)
    throw new StartError(
      `${place}: permissions.deleted has no effect because ${name} has no softDelete. Remove it, or set modelConfig.${name}.softDelete.`,
    )
}

/** Misspelled statics and instance methods would never be called. */
const assertNames = (controller: ControllerClass, place: string): void => {
  for (let owner: unknown = controller; isControllerClass(owner); owner = Object.getPrototypeOf(owner)) {
    const misspelled = Object.getOwnPropertyNames(owner).find(looksLikeHook)
    if (misspelled !== undefined)
      throw new StartError(
        `${place}: unknown hook ${misspelled}.${meantHooks(misspelled)}${suggest(misspelled, [...memberNames, ...partOptions.keys()])}`,
      )
    const method = Object.getOwnPropertyNames(Reflect.get(owner, 'prototype')).find(isHookName)
    if (method !== undefined)
      throw new StartError(
        `${place}: ${method} is an instance method, which would never run. Write static ${method}(…) { … }.`,
      )
  }
}

/**
 * `befroeCreate`, `scop`, `before_create`, `read_only`: statics that are meant as members but would be ignored. A class may
 * have statics of its own, such as `paths`.
 */
const looksLikeHook = (name: string): boolean => {
  if (memberNames.includes(name) || partOptions.has(name)) return false
  const plain = name.replaceAll('_', '').toLowerCase()
  if (/^(before|after)/.test(plain) || memberNames.some((hook) => isNear(plain, hook.toLowerCase())))
    return true
  return [...partOptions.keys()].some((key) => plain === key.toLowerCase())
}

/** Long names: an edit distance of up to 2. Short names (`scope`): one character missing, added or transposed. */
const isNear = (name: string, hook: string): boolean => {
  if (name === hook) return true
  if (hook.length > 8) return leven(name, hook) <= 2
  return name.length === hook.length ? sorted(name) === sorted(hook) : leven(name, hook) === 1
}

const sorted = (name: string): string => [...name].sort().join('')
