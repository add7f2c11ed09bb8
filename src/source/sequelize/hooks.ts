import type { Sequelize } from 'sequelize'
import { associationsOf } from './foreign-keys.ts'
import { type Defined, typeKeyOf } from './values.ts'

const saves = ['beforeValidate', 'afterValidate', 'beforeSave', 'afterSave'] as const

type ListenedAct =
  | 'create'
  | 'read'
  | 'bulk'
  | 'update'
  | 'bulkUpdate'
  | 'bulkDestroy'
  | 'destroy'
  | 'find'
  | 'count'

/** Hooks of Sequelize. Those of records run only in calls on an instance. */
const hooks: Readonly<Record<ListenedAct, readonly string[]>> = {
  create: [...saves, 'validationFailed', 'beforeCreate', 'afterCreate'],
  /** They may change what is read. */
  read: ['beforeFind', 'beforeFindAfterExpandIncludeAll', 'beforeFindAfterOptions'],
  /** Updates that are not of an instance. */
  bulk: ['beforeBulkUpdate', 'afterBulkUpdate'],
  update: [...saves, 'beforeUpdate', 'afterUpdate'],
  // They may turn the statement into a select and others, by `individualHooks`.
  bulkUpdate: ['beforeBulkUpdate'],
  bulkDestroy: ['beforeBulkDestroy'],
  destroy: ['beforeDestroy', 'afterDestroy'],
  find: ['afterFind'],
  count: ['beforeCount'],
}

/** Whether a hook hears an act on a record. Hooks may be added at any time. */
export const hasListeners = (sequelize: Sequelize, defined: Defined, act: ListenedAct): boolean =>
  // Sequelize does not type all names.
  (hooks[act] as readonly 'beforeUpdate'[]).some((name) => defined.hasHook(name) || sequelize.hasHook(name))

/**
 * Whether an update needs the whole record: for its hooks, setters, version, or validators that are functions. Validators with
 * constants need only the new values.
 */
export const needsRecord = (sequelize: Sequelize, defined: Defined): boolean =>
  hasListeners(sequelize, defined, 'update') ||
  Boolean(defined.options.version) ||
  isValidated(defined) ||
  isRewritten(defined)

/** Whether the model has validators that are functions. */
const isValidated = (defined: Defined): boolean =>
  Object.keys(defined.options.validate ?? {}).length > 0 ||
  Object.values(defined.getAttributes()).some(({ validate }) =>
    Object.values(validate ?? {}).some((rule) => typeof rule === 'function'),
  )

/** Whether getters or setters change values. */
export const isRewritten = (defined: Defined): boolean =>
  Object.values(defined.getAttributes()).some(
    ({ get, set, type }) => (get !== undefined && typeKeyOf({ type }) !== 'VIRTUAL') || set !== undefined,
  )

/** Whether a delete runs hooks: of the record, or of those that are deleted with it. */
export const isDestroyHeard = (sequelize: Sequelize, defined: Defined): boolean =>
  hasListeners(sequelize, defined, 'destroy') ||
  associationsOf(defined).some(({ options }) => options?.hooks === true)

/** Whether a write runs functions of the application, which may wait for anything. */
export const runsHooks = (
  sequelize: Sequelize,
  defined: Defined,
  event: 'create' | 'update' | 'delete',
): boolean => {
  if (event === 'delete')
    return isDestroyHeard(sequelize, defined) || hasListeners(sequelize, defined, 'bulkDestroy')
  const isBulk = event === 'update' && hasListeners(sequelize, defined, 'bulk')
  return hasListeners(sequelize, defined, event) || isBulk || isValidated(defined)
}
