import { problem } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import type { ModelName } from '../model/types.ts'
import type { Call, Caller } from '../operation/call.ts'
import { PromiseRefused, type Steps, wait } from '../operation/steps.ts'
import { type Controller, hookContext, type Permission, type PermissionAct, permissionActs } from './hooks.ts'

export type Verb = 'list' | 'get' | 'create' | 'update' | 'replace' | 'delete'

/** Which permission a request needs, and whether it concerns an existing record. */
export const verbs: Readonly<Record<Verb, { readonly act: PermissionAct; readonly onRecord: boolean }>> = {
  list: { act: 'read', onRecord: false },
  get: { act: 'read', onRecord: true },
  create: { act: 'create', onRecord: false },
  update: { act: 'update', onRecord: true },
  replace: { act: 'update', onRecord: true },
  delete: { act: 'delete', onRecord: true },
}

type AnyPermission = Permission<ModelName, unknown>

export type Access = Readonly<Record<PermissionAct, AnyPermission>>

/** Whether an anonymous request is refused before a record is read. */
export const needsCaller = (
  { access, controller }: { readonly access: Access; readonly controller: Controller | undefined },
  act: PermissionAct,
): boolean => access[act] === 'authenticated' || controller?.needsCaller?.includes(act) === true

/** From the controller, else from the configuration of the model, else from the application. */
export const accessOf = (
  { public: open }: Model,
  controller: Controller | undefined,
  isProtected: boolean,
): Access => {
  const usual = (act: PermissionAct): AnyPermission =>
    !isProtected || open === true || (open === 'read' && act === 'read') ? 'public' : 'authenticated'
  return Object.freeze({
    ...(Object.fromEntries(permissionActs.map((act) => [act, usual(act)])) as Access),
    ...controller?.permissions,
  })
}

export const assertCaller = (call: Call): void => {
  if (call.caller === undefined) throw unauthenticated(call)
}

/**
 * Passes a request that has the permission. A permission function must return `true`.
 *
 * @throws HttpError 401 for anonymous callers, 403 for others
 */
export function* authorise(
  permission: AnyPermission,
  { call, db, record }: { readonly call: Call; readonly db: unknown; readonly record?: object },
): Steps<void> {
  if (typeof permission === 'string') {
    if (permission === 'authenticated') assertCaller(call)
    return
  }
  const copy = record === undefined ? undefined : { ...record }
  let may: unknown
  try {
    may = yield* wait(permission(call.request, copy, hookContext(db, call)))
  } catch (error) {
    if (!(error instanceof PromiseRefused)) throw error
    throw new Error(`A permission returned a promise. ${error.message}`, { cause: error })
  }
  if (may === true) return
  throw call.caller === undefined
    ? unauthenticated(call)
    : problem('forbidden', 'You do not have permission to do this.')
}

const unauthenticated = ({ challenge = 'Bearer' }: Call): Error =>
  problem('unauthenticated', 'Authentication is required.', { headers: { 'www-authenticate': challenge } })

/** Sets the caller for hooks, and on the request object of the host unless it has a `user` already. */
export const identify = (call: Call, caller: Caller | undefined): void => {
  if (caller === undefined) return
  call.caller = caller
  const { request } = call
  if (typeof request !== 'object' || request === null) return
  const own: unknown = Reflect.get(request, 'user')
  if (own === undefined || own === null) Reflect.set(request, 'user', caller)
}
