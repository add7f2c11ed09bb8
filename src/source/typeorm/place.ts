import type { EntityManager } from 'typeorm'
import type { Row } from '../source.ts'
import { returning as returningBy } from '../sql/selects.ts'
import { type BoundScope, boundScope } from '../sql/tables.ts'
import type { MappedEntity } from './describe.ts'
import type { Database } from './values.ts'

/** Where statements run. */
export interface Place {
  readonly database: Database
  readonly mappedOf: (model: string) => MappedEntity
  readonly manager: EntityManager
}

export const newScope = (
  { database, mappedOf }: Pick<Place, 'database' | 'mappedOf'>,
  written?: MappedEntity,
): BoundScope => boundScope(database, mappedOf, written)

/** What TypeORM's builders take as the table of an entity. */
export const targetOf = (
  { source }: Database,
  { metadata }: Pick<MappedEntity, 'metadata'>,
): string | typeof metadata.target =>
  metadata.isJunction
    ? metadata.tablePath
    : source.hasMetadata(metadata.target)
      ? metadata.target
      : metadata.name

/** Runs several statements in the open transaction, or in one of their own. */
export const together = <T>(place: Place, work: (inside: Place) => Promise<T>): Promise<T> =>
  place.manager.queryRunner?.isTransactionActive === true
    ? work(place)
    : place.manager.transaction((manager) => work({ ...place, manager }))

/** Runs a statement with RETURNING. TypeORM's own knows it on fewer databases, and converts no values. */
export const returning = (
  { database, manager }: Place,
  entity: MappedEntity,
  query: { getQueryAndParameters(): [string, unknown[]] },
): Promise<readonly Row[]> => {
  const [sql, parameters] = query.getQueryAndParameters()
  return returningBy(database, entity, async (end) => {
    const result: unknown = await manager.query(`${sql} ${end}`, parameters)
    // With PostgreSQL, updates and deletes also return their number. MariaDB returns no list without rows.
    return Array.isArray(result) ? result.flat().filter((row) => typeof row === 'object') : []
  })
}
