import { type Verb, verbs } from '../controller/access.ts'
import type { HookName } from '../controller/hooks.ts'
import type { ProblemCode } from '../error/codes.ts'
import type { Resource } from './resource.ts'

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

/**
 * What an operation may answer because of the application's own hooks, schemas and
 * permissions: a `ValueError`, a record out of reach; and because of how callers are known.
 */
export const hookProblems = (
  { around: { controller, access, writeProblems = [] }, bodies }: Resource,
  verb: Verb,
): readonly ProblemCode[] => {
  const hooks = controller?.hooks ?? {}
  const { act } = verbs[verb]
  const permission = access[act]
  const isCustom = Object.entries(bodies.isCustom).some(([which, custom]) => which === verb && custom)
  return [
    ...(isCustom || hooksOf[verb].some((name) => hooks[name] !== undefined) ? (['rejected'] as const) : []),
    ...(permission === 'public' ? [] : (['unauthenticated'] as const)),
    ...(act === 'read' ? [] : writeProblems),
    ...(typeof permission === 'function' || (hooks.scope !== undefined && scopedWrites.has(verb))
      ? (['forbidden'] as const)
      : []),
  ]
}
