import type { ModelName, RecordOf } from '../model/register.ts'
import type { HookContext } from './hooks.ts'

/** What permissions tell apart: lists and details, POST, PATCH and PUT, DELETE. */
export type PermissionAct = 'read' | 'create' | 'update' | 'delete'

/**
 * Who may do it: everybody, whoever is authenticated, or those of whom a function says `true`.
 *
 * A function is asked with the record where there is one. For lists and creates there is none: `undefined`.
 */
export type Permission<Name extends ModelName = ModelName, Request = unknown> =
  | 'public'
  | 'authenticated'
  | Decision<Name, Request>['decide']

/** A method, as hooks are: one for any request serves for that of a host. */
interface Decision<Name extends ModelName, Request> {
  decide(
    request: Request,
    record: RecordOf<Name> | undefined,
    context: HookContext,
  ): boolean | PromiseLike<boolean>
}

/** `static permissions` of a controller. What it does not name is as the model has it: `authenticated`, or `public`. */
export type Permissions<Name extends ModelName = ModelName, Request = unknown> = {
  readonly [Act in PermissionAct]?: Permission<Name, Request>
}

export const permissionActs: readonly PermissionAct[] = ['read', 'create', 'update', 'delete']
