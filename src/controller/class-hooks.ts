import { StartError } from '../error/start-error.ts'
import type { ControllerClass } from './base-model-controller.ts'
import { hookNames, hookTable } from './hook-table.ts'
import type { HookName, Hooks } from './hooks.ts'
import { assertNames } from './statics.ts'

/** How the application runs its hooks. */
export interface HookRules {
  readonly isAsync: boolean
  /** Transactions are one tick, as on better-sqlite3: hooks inside them cannot wait. @default false */
  readonly oneTick?: boolean
}

type Hook = (...given: readonly unknown[]) => unknown

/**
 * The hooks of a class, also those that it inherits, each with the class as its `this`.
 *
 * @param place Where the class stands, for messages
 * @throws StartError for a hook that cannot run: misspelt, no function, no static, or asynchronous where nothing can wait
 */
export const hooksOf = (controller: ControllerClass, place: string, rules: HookRules): Hooks => {
  assertNames(controller, place)
  const hooks = hookNames
    .filter((name) => name in controller)
    .map((name): readonly [HookName, Hook] => {
      const hook = hookIn(controller, name, place)
      assertRuns(hook, name, place, rules)
      return [name, hook.bind(controller)]
    })
  return Object.freeze(Object.fromEntries(hooks)) as Hooks
}

const hookIn = (controller: ControllerClass, name: HookName, place: string): Hook => {
  const hook: unknown = Reflect.get(controller, name)
  if (isHook(hook)) return hook
  throw new StartError(
    `${place}: ${name} is no function but ${kindOf(hook)}. Write static ${name}(request, …) { … }, or leave it out.`,
  )
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
  if (!isAsync) {
    throw new StartError(
      `${place}: ${name} is an async function, and isAsync is false. Write it without async, or leave isAsync out.`,
    )
  }
  if (oneTick && hookTable[name].inTransaction) {
    throw new StartError(
      `${place}: ${name} is an async function, and on this database a transaction cannot wait for it. Write it without async, or do what has to wait in afterCommit.`,
    )
  }
}
