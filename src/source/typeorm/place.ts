import type { EntityManager } from 'typeorm'
import type { Row } from '../source.ts'
import { returning as returningBy } from '../sql/selects.ts'
import { type Scope, scopeOf } from '../sql/tables.ts'
import type { MappedEntity } from './describe.ts'
import type { Database } from './values.ts'

/** Where statements run. */
export interface Place {
  readonly database: Database
  readonly mappedOf: (model: string) => MappedEntity
  readonly manager: EntityManager
}

/** A scope whose values become parameters. */
export interface BoundScope extends Scope {
  readonly parameters: Readonly<Record<string, unknown>>
}

/** @param prefix begins the names of parameters and aliases */
export const newScope = (
  { database, mappedOf }: Pick<Place, 'database' | 'mappedOf'>,
  { written, prefix = 'm' }: { readonly written?: MappedEntity; readonly prefix?: string } = {},
): BoundScope => {
  let count = 0
  const parameters: Record<string, unknown> = {}
  const bound = (value: unknown): string => {
    const name = `${prefix}${count++}`
    parameters[name] = value
    return `:${name}`
  }
  return { ...scopeOf(database, mappedOf, bound, { written, prefix }), parameters }
}

/** What TypeORM's builders take as the table of an entity. */
export const targetOf = (
  { source }: Database,
  { metadata }: MappedEntity,
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
    // With PostgreSQL, updates and deletes also return their number. MariaDB returns no list if there are no rows.
    return Array.isArray(result) ? result.flat().filter((row) => typeof row === 'object') : []
  })
}
