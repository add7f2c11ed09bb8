import type { Call } from '../operation/call.ts'
import { type Condition, everything } from '../query/ast.ts'
import type { HookContext } from './hooks.ts'

/** One request at the records of a model. */
export interface Visit {
  readonly call: Call
  /** What the caller may reach: it joins the WHERE of every statement. */
  guard: Condition
  /** The scopes that were asked for in this request, by model. */
  guards: Map<string, Condition> | undefined
}

/** A request that may reach everything. */
export const openVisit = (call: Call): Visit => ({ call, guard: everything, guards: undefined })

const nobody = (): null => null

/** What hooks get last. @param db the ORM's handle that they act with */
export const contextWith = (db: unknown, { caller, user = nobody }: Call): HookContext =>
  Object.freeze({ db: db as HookContext['db'], caller: caller ?? null, user: user as HookContext['user'] })
