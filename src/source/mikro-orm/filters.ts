import { memberOf } from '../sql/tables.ts'
import type { MikroOrmDatabase, SqlManager } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { conditionAfter } from './internals.ts'

/** The SQL of what MikroORM adds to a select: filters, and the class of an entity whose table has several. */
export type Filter = (at: string) => string

const FILTERED = 'modelrest_filtered'

const keysQuery = (manager: SqlManager, { metadata }: MappedEntity) => {
  const query = manager.createQueryBuilder(metadata.class, FILTERED)
  query.select(metadata.primaryKeys)
  return query
}

/** What MikroORM has added to a select of all keys. */
const filterIn = (
  query: ReturnType<typeof keysQuery>,
  { members, model }: MappedEntity,
  { quoted }: MikroOrmDatabase,
): Filter => {
  const sql = query.getFormattedQuery()
  const alias = quoted(FILTERED)
  const condition = conditionAfter(sql, alias)
  if (condition === '') return () => '1 = 1'
  if (condition !== undefined) return (at) => `(${condition.replaceAll(alias, () => at)})`
  const keys = model.primaryKey.map((name) => quoted(memberOf({ members, model }, name).column))
  // MySQL cannot read the table that a statement writes, but a copy.
  return (at) => `(${keys.map((key) => `${at}.${key}`).join(', ')}) in (select * from (${sql}) ${alias})`
}

/** What MikroORM adds to a select of an entity. The functions of filters may wait. */
export const filterFor = async (
  manager: SqlManager,
  entity: MappedEntity,
  database: MikroOrmDatabase,
): Promise<Filter> => {
  const query = keysQuery(manager, entity)
  await query.applyFilters()
  return filterIn(query, entity, database)
}

/** The same without filters, for what cannot wait. @throws Error for an entity with filters */
export const classFilterFor = (
  manager: SqlManager,
  entity: MappedEntity,
  database: MikroOrmDatabase,
): Filter => {
  const filters = database.orm.config.get('filters')
  if (Object.keys({ ...entity.metadata.filters, ...filters }).length > 0)
    throw new Error(
      `The scope depends on records of ${entity.model.name}, whose filters a query cannot contain.`,
    )
  return filterIn(keysQuery(manager, entity), entity, database)
}
