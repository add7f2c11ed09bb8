import type { Sending } from '../sql/database.ts'
import type { OrmEngine } from '../sql/orm-engine.ts'
import { type Database, forkOf, type SqlManager } from './database.ts'
import type { MappedEntity } from './describe.ts'

/** Where statements run. */
export interface Place {
  readonly database: Database
  readonly engine: OrmEngine<SqlManager, MappedEntity>
  /** That of a transaction, or of the ORM. */
  readonly manager: SqlManager
  /** Runs the statements that MikroORM sends in a flush, or to find entities. */
  readonly observe?: Sending
}

type Acting = Pick<Place, 'database' | 'manager' | 'observe'>

/** The place of one act. In SQLite, reads outside of an open transaction would wait for its end, so they join it. */
export const actIn = <Where extends Acting>(place: Where): Where => {
  const { database, manager, observe } = place
  const isInside = manager !== (database.orm.em as object)
  return { ...place, manager: forkOf(manager, isInside || database.family === 'sqlite', observe) }
}

/** Runs several statements in the open transaction, or in one of their own, at whose end MikroORM flushes only its own manager. */
export const together = <T, Where extends Acting>(
  place: Where,
  work: (inside: Where) => Promise<T>,
): Promise<T> => {
  const { manager } = actIn(place)
  return manager.isInTransaction()
    ? work({ ...place, manager })
    : place.database.transaction(manager, (inside) => work(actIn({ ...place, manager: inside })))
}
