import type { Transaction } from 'sequelize'
import type { Sending } from '../sql/database.ts'
import { spellingOfFamily } from '../sql/mapped-table.ts'
import type { OrmEngine } from '../sql/orm-engine.ts'
import { queryOf, type Spelling, type Sql } from '../sql/text.ts'
import type { MappedDefined } from './describe.ts'
import { OBSERVE } from './observed.ts'
import { literalSql, type SequelizeDatabase, type Within } from './values.ts'

/** Where statements run. */
export interface Execution {
  readonly database: SequelizeDatabase
  readonly engine: OrmEngine<Execution, MappedDefined>
  readonly transaction?: Transaction
  /** Runs the statements of Sequelize's own acts. */
  readonly observe?: Sending
}

/**
 * Runs a statement in this transaction, or in none: not in one that the application keeps in an asynchronous context.
 * A replica would not have what was just written, such as the end of a session.
 */
export const within = ({
  transaction = null,
  observe,
}: Pick<Execution, 'observe'> & { readonly transaction?: Transaction | null }): Within => ({
  transaction,
  useMaster: true,
  ...(observe && { [OBSERVE]: observe }),
})

/** Values become literals: parameters would be prepared statements of MySQL, which a server has few of. */
export const spellingIn = (database: SequelizeDatabase): Spelling => ({
  ...spellingOfFamily(database.family),
  literal: (value) => literalSql(database, value, ''),
})

export const sqlText = (database: SequelizeDatabase, piece: Sql): string =>
  queryOf(piece, spellingIn(database)).text

/** Runs work in a transaction. On SQLite, one that reads before it writes would fail if another one writes in between. */
export const transactionIn = <T>(
  { sequelize, family }: SequelizeDatabase,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> =>
  sequelize.transaction(family === 'sqlite' ? { type: 'IMMEDIATE' as Transaction.TYPES } : {}, work)

/** Runs several statements in the open transaction, or in one of their own. */
export const inOneTransaction = <T>(place: Execution, work: (inside: Execution) => Promise<T>): Promise<T> =>
  place.transaction === undefined
    ? transactionIn(place.database, (transaction) => work({ ...place, transaction }))
    : work(place)
