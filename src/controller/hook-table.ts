import type { HookName } from './hooks.ts'

/** What start-up has to know of a hook. */
export interface HookRow {
  /** Only writes run it: a model that cannot be written never does. */
  readonly ofWrites: boolean
  /** It runs inside the transaction of its write. */
  readonly inTransaction: boolean
}

const reading: HookRow = { ofWrites: false, inTransaction: false }
const writing: HookRow = { ofWrites: true, inTransaction: false }
const after: HookRow = { ofWrites: true, inTransaction: true }

/** Every hook. */
export const hookTable: Readonly<Record<HookName, HookRow>> = {
  beforeList: reading,
  afterList: reading,
  beforeCreate: writing,
  afterCreate: after,
  beforeUpdate: writing,
  afterUpdate: after,
  beforeDelete: writing,
  afterDelete: after,
  afterCommit: writing,
  scope: reading,
}

export const isHookName = (name: string): name is HookName => Object.hasOwn(hookTable, name)

export const hookNames: readonly HookName[] = Object.keys(hookTable).filter(isHookName)
