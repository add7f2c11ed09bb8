import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm'
import { type Condition, everything } from '../../query/ast.ts'
import { amongKeys, type Key, keyValues } from '../record-keys.ts'
import type { Awaitable, Row } from '../source.ts'
import { decoded } from '../sql/bound-table.ts'
import { conditionSql } from '../sql/condition.ts'
import { type Found, keyFound, saidByFound, selectedKeys } from '../sql/found-keys.ts'
import type { MappedEntity } from './describe.ts'
import { bound, type Execution, inOneTransaction, targetOf } from './execution.ts'
import { hasListeners } from './hooks.ts'

/** The alias of the records that a statement reads. */
const MAIN = 't'

/** A select of the entities that meet all conditions. */
export const selecting = (
  { database, engine, manager }: Execution,
  entity: MappedEntity,
  conditions: readonly Condition[],
): SelectQueryBuilder<ObjectLiteral> => {
  const { text, parameters } = bound(database)
  return manager
    .createQueryBuilder()
    .select(MAIN)
    .from(targetOf(database, entity), MAIN)
    .setOption('disable-global-order')
    .where(text(conditionSql(engine.tableOf(entity).as(MAIN), conditions)))
    .setParameters(parameters)
}

/** The entities that meet the conditions. */
const loadedWith = async (
  place: Execution,
  entity: MappedEntity,
  conditions: readonly Condition[],
): Promise<{ readonly found: readonly Found<ObjectLiteral>[]; readonly isMerged: boolean }> => {
  const query = selecting(place, entity, conditions)
  const table = place.engine.tableOf(entity).as(MAIN)
  for (const [column, name] of selectedKeys(table)) query.addSelect(bound(place.database).text(column), name)
  const { raw, entities } = await query.getRawAndEntities<Record<string, unknown>>()
  const isMerged = entities.length !== raw.length
  const found = isMerged
    ? []
    : entities.map((record, at) => ({ record, key: keyFound(table, raw[at] ?? {}) }))
  return { found, isMerged }
}

/** The records with the values of their entities after listeners. */
export const shownIn = async (
  place: Execution,
  entity: MappedEntity,
  rows: readonly Row[],
  guard: Condition = everything,
): Promise<readonly (Row | undefined)[]> => {
  const { primaryKey } = entity.model
  const keys = rows.map((row) => keyValues(row, primaryKey))
  const among = (some: readonly Key[]) => loadedWith(place, entity, [amongKeys(primaryKey, some), guard])
  const atOnce = await among(keys)
  const found = [...atOnce.found]
  // TypeORM merges entities whose keys are equal once they are joined with underscores.
  if (atOnce.isMerged) for (const key of keys) found.push(...(await among([key])).found)
  return saidByFound(rows, keys, found, (record, row) => saidBy(entity, record, row))
}

/** What a statement of the engine stored, as reads show it. A listener that fails undoes it. */
export const shownAfter = async (
  place: Execution,
  entity: MappedEntity,
  write: (where: Execution) => Awaitable<readonly Row[]>,
): Promise<readonly Row[]> => {
  if (!hasListeners(place.database.source, entity.metadata, 'Load')) return await write(place)
  return inOneTransaction(place, async (where) => {
    const rows = await write(where)
    const shown = await shownIn(where, entity, rows)
    return rows.map((row, at) => shown[at] ?? row)
  })
}

const saidBy = ({ members, model }: MappedEntity, record: ObjectLiteral, row: Row): Row =>
  Object.fromEntries(
    [...members.values()].flatMap(({ metadata, field, codec: { ofEntity, isInEntities } }) =>
      metadata.isVirtual || !metadata.isSelect || !isInEntities || !Object.hasOwn(row, field.name)
        ? []
        : [[field.name, decoded(field, metadata.getEntityValue(record), ofEntity, () => model.name)]],
    ),
  )
