import type { EntityManager } from 'typeorm'
import { spellingOfFamily } from '../sql/mapped-table.ts'
import type { OrmEngine } from '../sql/orm-engine.ts'
import { filled, queryOf, type Sql } from '../sql/text.ts'
import type { MappedEntity } from './describe.ts'
import type { TypeormDatabase } from './values.ts'

/** Where statements run. */
export interface Execution {
  readonly database: TypeormDatabase
  readonly engine: OrmEngine<EntityManager, MappedEntity>
  readonly manager: EntityManager
}

/** What the engine wrote, in a statement of TypeORM. */
interface Bound {
  /** The text of a piece of SQL. Its values become parameters. */
  text(piece: Sql): string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** For one statement. */
export const bound = ({ family }: Pick<TypeormDatabase, 'family'>): Bound => {
  const parameters: Record<string, unknown> = {}
  // Neither strings of clients, in expressions of the application, nor other statements may name the same parameters.
  const prefix = `m${crypto.randomUUID().replaceAll('-', '')}_`
  return {
    parameters,
    text: (piece) => {
      const before = Object.keys(parameters).length
      const nameOf = (count: number): string => `${prefix}${before + count}`
      const spelling = {
        ...spellingOfFamily(family),
        parameter: (count: number) => `:${nameOf(count)}`,
      }
      const query = queryOf(piece, spelling)
      for (const [at, value] of filled(query, []).entries())
        Object.assign(parameters, { [nameOf(at + 1)]: value })
      return query.text
    },
  }
}

/** What TypeORM's builders take as the table of an entity. */
export const targetOf = (
  { source }: TypeormDatabase,
  { metadata }: Pick<MappedEntity, 'metadata'>,
): string | typeof metadata.target =>
  metadata.isJunction
    ? metadata.tablePath
    : source.hasMetadata(metadata.target)
      ? metadata.target
      : metadata.name

/** Runs several statements in the open transaction, or in one of their own. */
export const inOneTransaction = <T>(place: Execution, work: (inside: Execution) => Promise<T>): Promise<T> =>
  place.manager.queryRunner?.isTransactionActive === true
    ? work(place)
    : place.manager.transaction((manager) => work({ ...place, manager }))
