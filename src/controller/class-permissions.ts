import { StartError, suggest } from '../error/start-error.ts'
import type { ControllerClass } from './base-model-controller.ts'
import { type Permission, type Permissions, permissionActs } from './permissions.ts'
import { permissionsName } from './statics.ts'

/** The permissions of a class, functions with the class as their `this`. @throws StartError for what decides nothing */
export const permissionsOf = (controller: ControllerClass, place: string): Permissions => {
  if (!(permissionsName in controller)) return Object.freeze({})
  const given: unknown = Reflect.get(controller, permissionsName)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new StartError(
      `${place}: permissions must be an object, as { read: 'public', delete: 'authenticated' }.`,
    )
  }
  const entries = Object.entries(given).map(([act, permission]: [string, unknown]) => {
    if (!permissionActs.some((known) => known === act))
      throw new StartError(`${place}: permissions have no ${act}.${suggest(act, permissionActs)}`)
    return [act, permissionIn(permission, act, place, controller)]
  })
  return Object.freeze(Object.fromEntries(entries))
}

const permissionIn = (
  permission: unknown,
  act: string,
  place: string,
  controller: ControllerClass,
): Permission => {
  if (permission === 'public' || permission === 'authenticated') return permission
  if (typeof permission === 'function') return permission.bind(controller)
  throw new StartError(
    `${place}: permissions.${act} must be 'public', 'authenticated', or a function (request, record) => boolean.`,
  )
}
