import { isRecord } from '../error/record.ts'
import type { Model } from '../model/model.ts'
import { capital } from '../model/naming.ts'
import type { OperationName } from '../model/operations.ts'
import { type Call, failedIn } from '../operation/call.ts'
import { PromiseRefused, type Steps, wait } from '../operation/steps.ts'
import type { Session } from '../source/source.ts'
import type { ChangeContext, Controller, HookContext, HookName } from './controller.ts'

interface HookRow {
  /** Only writes run it, so a read-only model never does. */
  readonly ofWrites: boolean
  /** The operations that run it. Absent: not only these. */
  readonly runBy?: readonly OperationName[]
  /** It runs inside the transaction of its write. */
  readonly inTransaction: boolean
  /** Checks the return value, unless there is none. Absent: the value is checked where it is used, or ignored. */
  readonly returns?: Returned
}

interface Returned {
  readonly isValid: (value: unknown) => boolean
  readonly rule: string
}

const isShown = (value: unknown): boolean => isRecord(value) && typeof value['then'] !== 'function'

const aRecord: Returned = { isValid: isShown, rule: 'must return an object, or nothing.' }
const records: Returned = {
  isValid: (value) => Array.isArray(value) && value.every(isShown),
  rule: 'must return an array of objects, or nothing.',
}
const noDecision: Returned = {
  isValid: (value) => typeof value !== 'boolean',
  rule: 'cannot refuse a request with its return value. Throw an HttpError instead.',
}

const reading: HookRow = { ofWrites: false, inTransaction: false }
const changing = ['update', 'replace'] as const
const writing: HookRow = { ofWrites: true, inTransaction: false }
const after: HookRow = { ofWrites: true, inTransaction: true }

export const hookTable: Readonly<Record<HookName, HookRow>> = {
  beforeList: { ...reading, runBy: ['list'] },
  afterList: { ...reading, runBy: ['list', 'related'], returns: records },
  afterRead: { ...reading, runBy: ['read'], returns: aRecord },
  present: { ...reading, returns: records },
  beforeCreate: { ...writing, runBy: ['create'] },
  afterCreate: { ...after, runBy: ['create'], returns: aRecord },
  beforeUpdate: { ...writing, runBy: changing },
  afterUpdate: { ...after, runBy: changing, returns: aRecord },
  beforeDelete: { ...writing, runBy: ['delete'], returns: noDecision },
  afterDelete: { ...after, runBy: ['delete'] },
  afterCommit: writing,
  scope: reading,
  access: reading,
}

export const isHookName = (name: string): name is HookName => Object.hasOwn(hookTable, name)

export const hookNames: readonly HookName[] = Object.keys(hookTable).filter(isHookName)

export const memberNames: readonly string[] = [...hookNames, 'permissions', 'computed', 'actions']

/** What hooks of other libraries are called -> the names of ours. */
const otherNames: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(save|write|change|upsert)$/, ['Create', 'Update']],
  [/^(insert|add|post|store)$/, ['Create']],
  [/^(patch|put|edit|modify|replace)$/, ['Update']],
  [/^(remove|destroy)$/, ['Delete']],
  [/^(find|query|index)$/, ['List']],
]

/** For an unknown hook such as `beforeSave`: ` Did you mean beforeCreate or beforeUpdate?` Otherwise empty. */
export const meantHooks = (unknown: string): string => {
  const [, when = '', what = ''] = /^(before|after)_?(\w+)$/i.exec(unknown) ?? []
  const found = otherNames.find(([pattern]) => pattern.test(what.toLowerCase()))?.[1] ?? []
  const names = found.map((name) => `${when.toLowerCase()}${name}`)
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`
}

const noUser = (): null => null

/** The last argument of hooks. @param session the source, or its transaction, which also reads the caller */
export const hookContext = (session: Session, { caller, user = noUser }: Call): HookContext =>
  Object.freeze({
    db: session.db as HookContext['db'],
    caller: caller ?? null,
    user: () => user(session) as ReturnType<HookContext['user']>,
  })

/** The same after a write. @param before the stored record as it was. Absent: it was created */
export const writtenContext = (session: Session, call: Call, before: object | undefined): ChangeContext =>
  Object.freeze({ ...hookContext(session, call), before: before && { ...before } }) as ChangeContext

type HookResult<Name extends HookName> = Exclude<
  Awaited<ReturnType<NonNullable<Controller['hooks'][Name]>>>,
  void
>

/** `the hook scope of Product (controllers/product.ts, ProductController)`, for the log */
export const hookTitle = ({ model, place, hasScopeOption }: Controller, name: HookName): string =>
  name === 'scope' && hasScopeOption === true
    ? `the option scope for ${model}`
    : `the hook ${name} of ${model} (${place})`

/** Runs a hook of a controller and waits for it. `undefined`: the hook is missing or returned nothing. */
export function* runHook<Name extends HookName>(
  controller: Controller | undefined,
  name: Name,
  call: Call,
  run: (hook: NonNullable<Controller['hooks'][Name]>) => unknown,
): Steps<HookResult<Name> | undefined> {
  const hook = controller?.hooks[name]
  if (controller === undefined || hook === undefined) return undefined
  try {
    const returned = yield* wait(run(hook))
    const { returns } = hookTable[name]
    if (returned !== undefined && returns?.isValid(returned) === false)
      throw new Error(`${capital(hookTitle(controller, name))} ${returns.rule}`)
    return returned as HookResult<Name> | undefined
  } catch (error) {
    const cause = error instanceof PromiseRefused ? promiseReturned(controller, name, error) : error
    throw failedIn(call, hookTitle(controller, name), cause)
  }
}

/**
 * Uses the result of a hook. If it is unusable, the log names the hook.
 *
 * @param use receives the text that names the hook in messages
 */
export const useResult = <T>(
  controller: Controller,
  name: HookName,
  call: Call,
  use: (hook: () => string) => T,
): T => {
  try {
    return use(() => capital(hookTitle(controller, name)))
  } catch (error) {
    throw failedIn(call, hookTitle(controller, name), error)
  }
}

/** What a hook returned instead of the record. */
export const recordBy = (
  { controller, model }: { readonly controller: Controller | undefined; readonly model: Model },
  name: 'afterCreate' | 'afterUpdate' | 'afterRead',
  call: Call,
  given: object,
): object => {
  if (controller === undefined) return given
  return useResult(controller, name, call, (hook) => {
    const known = model.fields.flatMap(({ name, inSource = name }) => [name, inSource])
    if (known.some((name) => Object.hasOwn(given, name))) return given
    throw new Error(
      `${hook()} returned an object without a field of ${model.name}, such as the result of a statement. Return the record to show, or nothing.`,
    )
  })
}

const promiseReturned = (controller: Controller, name: HookName, cause: PromiseRefused): Error => {
  const remedy = hookTable[name].inTransaction
    ? ', but a transaction of a synchronous driver cannot wait for it. The write was rolled back: move asynchronous work to afterCommit.'
    : '. With isAsync: false, or in a transaction of a synchronous driver, it must be synchronous.'
  return new Error(`${capital(hookTitle(controller, name))} returned a promise${remedy}`, { cause })
}
