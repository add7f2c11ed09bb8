import type { FindOptions, Model as Instance } from 'sequelize'
import { type Condition, everything } from '../../query/ast.ts'
import { amongKeys, keyValues } from '../record-keys.ts'
import type { Row } from '../source.ts'
import { decoded } from '../sql/bound-table.ts'
import { conditionSql } from '../sql/condition.ts'
import { keyFound, saidByFound, selectedKeys } from '../sql/found-keys.ts'
import type { Finds } from '../sql/statement.ts'
import { sql } from '../sql/text.ts'
import type { AttributeMember, MappedDefined } from './describe.ts'
import { type Execution, sqlText, within } from './execution.ts'
import { hasListeners } from './hooks.ts'
import { keeping, scoped, withoutRecords } from './kept.ts'

/** Reads by Sequelize's own finds, whose hooks they run. */
export const findsOf = (place: Execution, mapped: MappedDefined): Finds & { readonly alias: string } => {
  const { database } = place
  const { defined, unscoped } = mapped
  const literal = (piece: Parameters<typeof sqlText>[1]) =>
    database.sequelizeLiteral(sqlText(database, piece))
  const whereOf = (where = sql`true`) => ({ ...scoped(database, mapped, where), ...within(place) })
  return {
    alias: defined.name,
    find: async ({ columns, where, groupBy = [], having, orderBy = [], limit, offset = 0, lock }) => {
      const options: FindOptions = {
        ...{ ...whereOf(where), raw: true, attributes: [literal(columns)] as never },
        ...(orderBy.length > 0 && { order: orderBy.map(literal) }),
        ...(limit !== undefined && { limit }),
        ...(offset > 0 && { offset }),
        ...(groupBy.length > 0 && { group: groupBy.map(literal) as never }),
        ...(having !== undefined && { having: literal(having) }),
        ...(lock !== undefined && database.family !== 'sqlite' && { lock: true }),
      }
      const rows: readonly object[] = await withoutRecords(unscoped).findAll(options)
      assertRead(mapped, rows)
      return rows.map(valuesIn)
    },
    count: (where) => keeping(unscoped).count(whereOf(where)),
  }
}

/** The values of a row without those of attributes that a hook has added. */
const valuesIn = (row: object): readonly unknown[] =>
  Object.entries(row).flatMap(([name, value]: [string, unknown]) => (isSelected(name) ? [value] : []))

/** Whether it is the name of a column that the engine selects. */
const isSelected = (name: string): boolean => / of (row|group)$/.test(name)

/** A hook must not make values look as if they were null. */
const assertRead = ({ model }: MappedDefined, [row]: readonly object[]): void => {
  if (row === undefined || Object.keys(row).some(isSelected)) return
  throw new Error(
    `A beforeFind hook of ${model.name} replaced options.attributes, so that the values are missing. Use the default scope or getters to hide values.`,
  )
}

/** Whether a getter, an `afterFind` hook or a method `findAll` of the model has something to say about records. */
export const isSaidAbout = (
  { database }: Pick<Execution, 'database'>,
  { defined, members }: MappedDefined,
): boolean =>
  hasListeners(database.sequelize, defined, 'find') ||
  defined.findAll !== database.Model.findAll ||
  [...members.values()].some(({ attribute }) => attribute.get !== undefined)

/** Records with what getters and hooks of finds say about them. @param hooks whether they run. @default true */
export const shownIn = async (
  place: Execution,
  mapped: MappedDefined,
  rows: readonly Row[],
  guard: Condition = everything,
  hooks = true,
): Promise<readonly (Row | undefined)[]> => {
  const { database, engine } = place
  const { defined, members, model, scope, unscoped } = mapped
  const table = engine.tableOf(mapped).as(defined.name)
  const keys = rows.map((row) => keyValues(row, model.primaryKey))
  const condition = conditionSql(hooks ? table : { ...table, filter: undefined }, [
    amongKeys(model.primaryKey, keys),
    guard,
  ])
  const own = [...members.values()].filter(({ field }) => scope.reads(field.name))
  const selected = selectedKeys(table).map(
    ([column, name]): [ReturnType<typeof database.sequelizeLiteral>, string] => [
      database.sequelizeLiteral(sqlText(database, column)),
      name,
    ],
  )
  const records = await keeping(unscoped).findAll({
    ...(hooks
      ? scoped(database, mapped, condition)
      : { where: database.sequelizeLiteral(sqlText(database, condition)) }),
    ...({ ...within(place), hooks, raw: false } as object),
    attributes: [...own.map(({ field }) => field.name), ...selected],
  })
  const found = records.map((record) => ({
    record,
    key: keyFound(table, record.get({ raw: true } as object) as Row),
  }))
  return saidByFound(rows, keys, found, (record, row) => {
    const said = own.filter((member) => Object.hasOwn(row, member.field.name) && isSaid(record, member))
    return Object.fromEntries(
      said.map(({ field, codec }) => [
        field.name,
        decoded(field, record.get(field.name), codec.ofEntity, () => model.name),
      ]),
    )
  })
}

/** Whether a getter or hook says another value than the one that is stored. */
const isSaid = (record: Instance, { field: { name }, attribute }: AttributeMember): boolean =>
  attribute.get !== undefined || record.previous(name as never) !== record.getDataValue(name as never)
