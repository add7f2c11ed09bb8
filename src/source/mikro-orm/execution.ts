import type { Sending } from '../sql/database.ts'
import type { OrmEngine } from '../sql/orm-engine.ts'
import { forkOf, type MikroOrmDatabase, type SqlManager } from './database.ts'
import type { MappedEntity } from './describe.ts'

/** Where statements run. */
export interface Execution {
  readonly database: MikroOrmDatabase
  readonly engine: OrmEngine<SqlManager, MappedEntity>
  /** That of a transaction, or of the ORM. */
  readonly manager: SqlManager
  /** Runs the statements that MikroORM sends in a flush, or to find entities. */
  readonly observe?: Sending
}

type ExecutionPart = Pick<Execution, 'database' | 'manager' | 'observe'>

/** The execution of one act. In SQLite, reads outside of an open transaction would wait for its end, so they join it. */
export const actIn = <Where extends ExecutionPart>(place: Where): Where => {
  const { database, manager, observe } = place
  const isInside = manager !== (database.orm.em as object)
  return { ...place, manager: forkOf(manager, isInside || database.family === 'sqlite', observe) }
}

/** Runs several statements in the open transaction, or in one of their own, at whose end MikroORM flushes only its own manager. */
export const inOneTransaction = <T, Where extends ExecutionPart>(
  place: Where,
  work: (inside: Where) => Promise<T>,
): Promise<T> => {
  const { manager } = actIn(place)
  return manager.isInTransaction()
    ? work({ ...place, manager })
    : place.database.transaction(manager, (inside) => work(actIn({ ...place, manager: inside })))
}
