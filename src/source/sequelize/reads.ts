import type { FindOptions, Model as Instance, literal } from 'sequelize'
import { onceFor } from '../../model/objects.ts'
import { sizeOf } from '../sizing.ts'
import type { Admits, Row } from '../source.ts'
import { type Reader, type Select, shownOf } from '../sql/reads.ts'
import { columnAt, type Raw, rowOf, type Value } from '../sql/selects.ts'
import type { Scope } from '../sql/tables.ts'
import type { MappedTable, Member } from './describe.ts'
import { isHeard } from './hooks.ts'
import { newScope, type Place, scoped, within } from './place.ts'
import type { Database, Defined } from './values.ts'

const selected = ({ sequelizeLiteral }: Database, columns: readonly string[]) =>
  columns.map((sql, at): [ReturnType<typeof literal>, string] => [sequelizeLiteral(sql), columnAt(at)])

/** Runs a select. Instances are made only if a getter or a hook has something to say about them. */
export const fetched = async (
  place: Place,
  mapped: MappedTable,
  values: readonly Value[],
  options: FindOptions,
  admits?: Admits,
): Promise<readonly Row[]> => {
  const { database } = place
  const { members, unscoped, defined, scope } = mapped
  const columns = values.map(({ sql }) => sql)
  const isPlain =
    !isHeard(database.sequelize, defined, 'find') &&
    ![...members.values()].some(({ attribute }) => attribute.get !== undefined)
  const own = isPlain ? [] : [...members.keys()].filter((name) => scope.reads(name))
  const found = await unscoped.findAll({
    ...{ ...options, ...within(place), raw: isPlain },
    attributes: [...own, ...selected(database, columns)],
  })
  const raws = found.map((row) =>
    isPlain ? (row as unknown as Raw) : (row.get({ raw: true } as object) as Raw),
  )
  assertRead(mapped, raws)
  if ((await admits?.(raws.map(sizeOf))) === false) return []
  if (isPlain) return raws.map((raw) => rowOf(mapped, values, raw))
  return found.map((instance, at) =>
    shownOf(mapped, values, raws[at] ?? {}, (member) =>
      isSaid(instance, member) ? [instance.get(member.field.name), member.codec.ofEntity] : undefined,
    ),
  )
}

/** A hook must not make values look as if they were null. */
const assertRead = ({ model }: MappedTable, [raw]: readonly Raw[]): void => {
  if (raw === undefined || Object.hasOwn(raw, columnAt(0))) return
  throw new Error(
    `A beforeFind hook of ${model.name} replaced options.attributes, so that the values are missing. Use the default scope or getters to hide values.`,
  )
}

/** Whether a getter or hook says another value than the one that is stored. */
const isSaid = (instance: Instance, { field: { name }, attribute }: Member): boolean =>
  attribute.get !== undefined || instance.previous(name as never) !== instance.getDataValue(name as never)

/** Selects by Sequelize's own finds, whose hooks they run. */
export const readerOf = (place: Place, mapped: MappedTable): Reader<Scope> => {
  const { database } = place
  const { sequelizeLiteral } = database
  const optionsOf = ({ where, order, limit, offset = 0, groups = [] }: Select): FindOptions => ({
    ...{ where: scoped(database, mapped, where), limit, ...within(place) },
    order: order.map(({ sql, direction }) => sequelizeLiteral(`${sql} ${direction}`)),
    ...(offset > 0 && { offset }),
    ...(groups.length > 0 && { group: groups.map(sequelizeLiteral) as never }),
  })
  return {
    newScope: () => newScope(place),
    records: (select, values, admits) => fetched(place, mapped, values, optionsOf(select), admits),
    count: async ({ scope, where, limit }) => {
      const { unscoped, alias, table, defined } = mapped
      // Sequelize cannot limit a count, but its hooks may add conditions to one.
      if (limit === Number.POSITIVE_INFINITY || isHeard(database.sequelize, defined, 'count'))
        return Math.min(
          await unscoped.count({ where: scoped(database, mapped, where), ...within(place) }),
          limit,
        )
      const all = [...mapped.living(alias, scope), where].join(' and ')
      const [row] = await database.select<{ count: unknown }>(
        `select count(*) as count from (select 1 as one from ${table} ${alias} where ${all} limit ${limit}) counted`,
        within(place),
      )
      return Number(row?.count ?? 0)
    },
    rows: async (select, columns) => {
      const options = { ...optionsOf(select), raw: true, attributes: selected(database, columns) }
      const rows = (await withoutRecords(mapped.unscoped).findAll(options)) as unknown as readonly Raw[]
      assertRead(mapped, rows)
      return rows
    },
  }
}

/** A model whose `afterFind` hooks do not run: they expect records, not sums. Those that add conditions do. */
const withoutRecords = onceFor((unscoped: Defined): Defined => {
  const runHooks = (name: string, ...args: unknown[]): unknown =>
    name === 'afterFind'
      ? undefined
      : Reflect.apply(Reflect.get(unscoped, 'runHooks'), unscoped, [name, ...args])
  return Object.defineProperties(class extends unscoped {}, {
    name: { value: unscoped.name },
    runHooks: { value: runHooks },
  })
})
