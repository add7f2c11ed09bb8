import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm'
import { ownValue } from '../../model/objects.ts'
import { sizeOf } from '../sizing.ts'
import type { Admits, Row } from '../source.ts'
import { whereOne } from '../sql/conditions.ts'
import { type Reader, type Select, shownOf } from '../sql/reads.ts'
import { columnAt, decoded, type Raw, rowOf, type Value, valueAt } from '../sql/selects.ts'
import { type BoundScope, memberOf } from '../sql/tables.ts'
import type { MappedEntity } from './describe.ts'
import { isHeard } from './hooks.ts'
import { newScope, type Place, targetOf } from './place.ts'

/** The alias of the records that a statement reads. */
export const MAIN = 't'

/** A select of records that meet a condition in SQL, without its columns. */
export const selecting = (
  { database, manager }: Pick<Place, 'database' | 'manager'>,
  entity: MappedEntity,
  where: string,
): SelectQueryBuilder<ObjectLiteral> =>
  manager
    .createQueryBuilder()
    .select([])
    .from(targetOf(database, entity), MAIN)
    .setOption('disable-global-order')
    .where(where)

const select = (query: SelectQueryBuilder<ObjectLiteral>, columns: readonly string[]): void => {
  for (const [place, sql] of columns.entries()) query.addSelect(sql, columnAt(place))
}

/** Runs a select. Entities are made only for listeners and subscribers that hear it. */
export const fetched = async (
  query: SelectQueryBuilder<ObjectLiteral>,
  entity: MappedEntity,
  values: readonly Value[],
  place: Place,
  admits?: Admits,
): Promise<readonly Row[]> => {
  const { database } = place
  const isLoaded = isHeard(database.source, entity.metadata, 'Load')
  const table = database.quoted(MAIN)
  const keys = isLoaded
    ? entity.model.primaryKey.map((name) => valueAt(database, memberOf(entity, name), table))
    : []
  const columns = [...values, ...keys].map(({ sql }) => sql)
  select(query, columns)
  const { raw, entities } = isLoaded
    ? await query.addSelect(MAIN).getRawAndEntities<Raw>()
    : { raw: await query.getRawMany<Raw>(), entities: [] }
  if ((await admits?.(raw.map(sizeOf))) === false) return []
  if (!isLoaded || entities.length === raw.length)
    return raw.map((row, at) => heardOf(entity, values, row, entities[at]))
  // TypeORM merges rows whose keys are equal once they are joined with underscores.
  const rows: Row[] = []
  for (const row of raw) {
    const key = keys.map(({ member }, at) =>
      decoded(member, ownValue(row, columnAt(values.length + at)), () => entity.model.name),
    )
    const scope = newScope(place)
    const one = query.clone().andWhere(whereOne(scope, entity, table, key))
    const own = await one.setParameters(scope.parameters).offset(undefined).getRawAndEntities<Raw>()
    rows.push(...own.raw.map((stored) => heardOf(entity, values, stored, own.entities[0])))
  }
  return rows
}

/** The record in a row, with the values of its entity after listeners. */
const heardOf = (
  entity: MappedEntity,
  values: readonly Value[],
  raw: Raw,
  loaded: ObjectLiteral | undefined,
): Row => {
  if (loaded === undefined) return rowOf(entity, values, raw)
  return shownOf(entity, values, raw, ({ metadata, codec: { ofEntity, isInEntities } }) =>
    metadata.isVirtual || !metadata.isSelect || !isInEntities
      ? undefined
      : [metadata.getEntityValue(loaded), ofEntity],
  )
}

export const readerOf = (place: Place, entity: MappedEntity): Reader<BoundScope> => {
  const queryOf = ({ scope, where, order, limit, offset = 0, groups = [] }: Select<BoundScope>) => {
    const query = selecting(place, entity, where).setParameters(scope.parameters)
    if (limit !== Number.POSITIVE_INFINITY) query.limit(limit)
    for (const key of groups) query.addGroupBy(key)
    for (const { sql, direction } of order) query.addOrderBy(sql, direction === 'asc' ? 'ASC' : 'DESC')
    return offset > 0 ? query.offset(offset) : query
  }
  return {
    newScope: () => newScope(place),
    records: (given, values, admits) => fetched(queryOf(given), entity, values, place, admits),
    count: async (given) => {
      const [sql, parameters] = queryOf(given).addSelect('1', 'one').getQueryAndParameters()
      const counted = `select count(*) as count from (${sql}) counted`
      const [row] = await place.manager.query<readonly Raw[]>(counted, parameters)
      return Number(row?.['count'] ?? 0)
    },
    rows: (given, columns) => {
      const query = queryOf(given)
      select(query, columns)
      return query.getRawMany<Raw>()
    },
  }
}
