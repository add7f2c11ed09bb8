import { PromiseRefused } from '../operation/nested.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Controller } from './controller.ts'
import { hookTable } from './hook-table.ts'
import type { HookName, Hooks } from './hooks.ts'

/** What a hook gives, whatever its arguments. */
type Given<Name extends HookName> = Awaited<ReturnType<NonNullable<Hooks[Name]>>>

/** Runs a hook of a controller and waits for it. `undefined`: there is none, or it gave nothing. */
export function* ran<Name extends HookName>(
  controller: Controller | undefined,
  name: Name,
  run: (hook: NonNullable<Hooks[Name]>) => unknown,
): Steps<Given<Name> | undefined> {
  const hook = controller?.hooks[name]
  if (controller === undefined || hook === undefined) return undefined
  try {
    return (yield* wait(run(hook))) as Given<Name> | undefined
  } catch (error) {
    throw error instanceof PromiseRefused ? unawaited(controller, name, error) : error
  }
}

const unawaited = ({ place }: Controller, name: HookName, cause: PromiseRefused): Error => {
  const remedy = hookTable[name].inTransaction
    ? 'The write was undone. Return no promise: what has to wait belongs into afterCommit.'
    : 'Return no promise.'
  return new Error(`${place}: the hook ${name} returned a promise. ${cause.message} ${remedy}`, { cause })
}
