import type { Model } from '../model/model.ts'
import type { Controller } from './controller.ts'
import { type Permission, type PermissionAct, permissionActs } from './permissions.ts'

/** What a request does with a model. */
export type Verb = 'list' | 'get' | 'create' | 'update' | 'replace' | 'delete'

/** Which permission a request needs, and whether there is a record that it is about. */
export const verbs: Readonly<Record<Verb, { readonly act: PermissionAct; readonly onRecord: boolean }>> = {
  list: { act: 'read', onRecord: false },
  get: { act: 'read', onRecord: true },
  create: { act: 'create', onRecord: false },
  update: { act: 'update', onRecord: true },
  replace: { act: 'update', onRecord: true },
  delete: { act: 'delete', onRecord: true },
}

/** Who may do what with the records of a model. */
export type Access = Readonly<Record<PermissionAct, Permission>>

/** Whether an anonymous request is refused before any record is looked for. */
export const needsCaller = (
  { access, controller }: { readonly access: Access; readonly controller: Controller | undefined },
  act: PermissionAct,
): boolean => access[act] === 'authenticated' || controller?.needsCaller?.includes(act) === true

/** What the controller says, else what the model is configured to be, else what the application is. */
export const accessOf = (
  { public: open }: Model,
  controller: Controller | undefined,
  isProtected: boolean,
): Access => {
  const usual = (act: PermissionAct): Permission =>
    !isProtected || open === true || (open === 'read' && act === 'read') ? 'public' : 'authenticated'
  return Object.freeze({
    ...(Object.fromEntries(permissionActs.map((act) => [act, usual(act)])) as Access),
    ...controller?.permissions,
  })
}
