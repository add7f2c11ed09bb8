import type { WhereOptions } from 'sequelize'
import { onceFor } from '../../model/objects.ts'
import type { Sql } from '../sql/text.ts'
import { isLimited } from './default-scope.ts'
import type { MappedDefined } from './describe.ts'
import { sqlText } from './execution.ts'
import { type RunHooks, withHooks } from './internals.ts'
import type { Defined, SequelizeDatabase } from './values.ts'

/** In the options of a find: puts the condition back that a hook has replaced. */
const KEEP: unique symbol = Symbol('keep')

interface Kept {
  readonly where: WhereOptions
  readonly [KEEP]: (where: unknown) => unknown
}

/** Options of a find with a condition and that of the default scope. It is an object, because hooks add conditions to it. */
export const scoped = (database: SequelizeDatabase, { scope }: MappedDefined, condition: Sql): Kept => {
  const { sequelizeLiteral, and } = database
  const own = sequelizeLiteral(`(${sqlText(database, condition)})`)
  const holds = (where: unknown): boolean =>
    where === own ||
    (Array.isArray(where)
      ? where.some(holds)
      : typeof where === 'object' && where !== null && holds(Reflect.get(where, and)))
  return {
    where: { [and]: [...(scope.where === undefined ? [] : [scope.where]), own] },
    [KEEP]: (where: unknown): unknown => (holds(where) ? where : { [and]: [where, own] }),
  }
}

const keep = (options: unknown): void => {
  if (typeof options !== 'object' || options === null) return
  const kept: unknown = Reflect.get(options, KEEP)
  if (typeof kept === 'function') Reflect.set(options, 'where', kept(Reflect.get(options, 'where')))
}

/** The last hooks before a find and a count. */
const last: ReadonlySet<string> = new Set(['beforeFindAfterOptions', 'beforeCount'])

const keepingAll =
  (run: RunHooks): RunHooks =>
  async (name, ...args) => {
    const result = await run(name, ...args)
    if (last.has(name)) keep(args[0])
    return result
  }

/** A model whose hooks cannot replace the conditions of `scoped`, such as by `options.where[Op.and]`. */
export const keeping: (unscoped: Defined) => Defined = onceFor(
  (unscoped: Defined): Defined => withHooks(unscoped, keepingAll),
)

/**
 * The same, whose `afterFind` hooks do not run: they expect records, not values. Those that add conditions do. The records that they
 * only load with others would repeat the values.
 */
export const withoutRecords: (unscoped: Defined) => Defined = onceFor(
  (unscoped: Defined): Defined =>
    withHooks(unscoped, (own) => {
      const run = keepingAll(own)
      return async (name, ...args) => {
        if (name === 'afterFind') return undefined
        const result = await run(name, ...args)
        if (name === 'beforeFind') leaveIncludes(unscoped, args[0])
        return result
      }
    }),
)

const leaveIncludes = (unscoped: Defined, options: unknown): void => {
  if (typeof options !== 'object' || options === null) return
  if (!isLimited(unscoped, Reflect.get(options, 'include'))) Reflect.deleteProperty(options, 'include')
}
