import type { HookName } from '../controller/hooks.ts'
import type { ProblemCode } from '../error/codes.ts'
import type { Resource } from './resource.ts'

export type Verb = 'list' | 'get' | 'create' | 'update' | 'replace' | 'delete'

const updateHooks: readonly HookName[] = ['beforeUpdate', 'afterUpdate']

const hooksOf: Readonly<Record<Verb, readonly HookName[]>> = {
  list: ['beforeList', 'afterList'],
  get: [],
  create: ['beforeCreate', 'afterCreate'],
  update: updateHooks,
  replace: updateHooks,
  delete: ['beforeDelete', 'afterDelete'],
}

const scopedWrites: ReadonlySet<Verb> = new Set(['create', 'update', 'replace'])

/** What an operation may answer because of the application's own hooks and schemas: a `ValueError`, a record out of reach. */
export const hookProblems = (
  { around: { controller }, bodies }: Resource,
  verb: Verb,
): readonly ProblemCode[] => {
  const hooks = controller?.hooks ?? {}
  const isCustom = Object.entries(bodies.isCustom).some(([which, custom]) => which === verb && custom)
  return [
    ...(isCustom || hooksOf[verb].some((name) => hooks[name] !== undefined) ? (['rejected'] as const) : []),
    ...(hooks.scope !== undefined && scopedWrites.has(verb) ? (['forbidden'] as const) : []),
  ]
}
