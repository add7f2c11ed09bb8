import { problem } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import { capital } from '../model/naming.ts'
import type { ModelName } from '../model/types.ts'
import { type Call, type Caller, failedIn } from '../operation/call.ts'
import { PromiseRefused, type Steps, wait } from '../operation/steps.ts'
import type { Session } from '../source/source.ts'
import {
  type AnyAct,
  type Controller,
  type Permission,
  type PermissionAct,
  permissionActs,
} from './controller.ts'
import { hookContext } from './hooks.ts'

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

/** The permission of each act. */
export type ActPermissions = Readonly<Record<AnyAct, AnyPermission>>

/** Whether an anonymous request is refused before a record is read. */
export const needsCaller = (
  { permissions, controller }: Pick<Permitting, 'permissions' | 'controller'>,
  act: AnyAct,
): boolean =>
  permissions[act] === 'authenticated' || controller?.needsCaller?.some((needed) => needed === act) === true

/** From the controller, else from the configuration of the model, else from the application. */
export const permissionsOf = (
  { public: open }: Model,
  controller: Controller | undefined,
  isProtected: boolean,
): ActPermissions => {
  const usual = (act: PermissionAct): AnyPermission =>
    !isProtected || open === true || (open === 'read' && act === 'read') ? 'public' : 'authenticated'
  return Object.freeze({
    ...(Object.fromEntries(permissionActs.map((act) => [act, usual(act)])) as ActPermissions),
    deleted: () => false,
    ...controller?.permissions,
  })
}

export const assertCaller = (call: Call): void => {
  if (call.caller === undefined) throw unauthenticated(call)
}

/** The permissions of a model. */
export interface Permitting {
  readonly model: Model
  readonly permissions: ActPermissions
  readonly controller: Controller | undefined
  readonly undecided: Undecided
  /** The action whose permission takes the place of that of a write. @default none */
  readonly action?: string
}

/** Reports the result of a permission function that is neither true nor false. */
export type Undecided = (permission: string, act: AnyAct, result: unknown, call: Call) => void

/** Each permission is reported once, because its result may be the same for every request. */
export const undecidedLog = (): Undecided => {
  const reported = new Set<AnyAct>()
  return (permission, act, result, call) => {
    if (typeof result === 'boolean' || reported.has(act)) return
    reported.add(act)
    const kind = result === null ? 'null' : typeof result
    call.log.warn(
      `${capital(permission)} must return true or false, but returned ${kind}: the request is refused. This is logged once.`,
    )
  }
}

/**
 * Throws if the caller does not have the permission. A permission function must return `true`.
 *
 * @throws HttpError 401 for anonymous callers, 403 for others
 */
export function* authorise(permitting: Permitting, act: AnyAct, asking: Asking): Steps<void> {
  const { call, record } = asking
  const permission = permitting.permissions[act]
  if (typeof permission === 'string') {
    if (permission === 'authenticated') assertCaller(call)
    return
  }
  const copy = record === undefined ? {} : { record: { ...record } }
  if (yield* askedOf(permitting, { act, permission }, { ...asking, ...copy })) return
  throw call.caller === undefined
    ? unauthenticated(call)
    : problem('forbidden', 'You do not have permission to do this.')
}

export interface Asking {
  readonly call: Call
  readonly session: Session
  readonly record?: Readonly<Record<string, unknown>>
}

export type PermissionFunction = Exclude<AnyPermission, string>

/** Whether a permission function returns `true`. @throws what it throws, which the call then has as its failure */
export function* askedOf(
  { model, controller, undecided, action }: Permitting,
  { act, permission }: { readonly act: AnyAct; readonly permission: PermissionFunction },
  { call, session, record }: Asking,
): Steps<boolean> {
  const title = `the permission ${action ?? act} of ${model.name} (${controller?.place})`
  let may: unknown
  try {
    may = yield* wait(permission(call.request, record, hookContext(session, call)))
  } catch (error) {
    const cause =
      error instanceof PromiseRefused
        ? new Error(`${capital(title)} returned a promise. ${error.message}`, { cause: error })
        : error
    throw failedIn(call, title, cause)
  }
  if (may !== true) undecided(title, act, may, call)
  return may === true
}

const unauthenticated = (call: Call): Error =>
  problem('unauthenticated', anonymousDetail(call), {
    headers: { 'www-authenticate': call.challenge ?? 'Bearer' },
  })

/** Does not say why a token was not accepted, and neither does the challenge (RFC 6750, 3.1). */
export const anonymousDetail = ({ challenge }: Call): string =>
  challenge === undefined
    ? 'Authentication is required.'
    : 'The access token was not accepted. Refresh it, or log in again.'

/** Sets the caller for hooks, and on the request object of the host unless it has a `user` already. */
export const identify = (call: Call, caller: Caller | undefined): void => {
  if (caller === undefined) return
  call.caller = caller
  const { request } = call
  if (typeof request !== 'object' || request === null) return
  const own: unknown = Reflect.get(request, 'user')
  if (own === undefined || own === null) Reflect.set(request, 'user', caller)
}
