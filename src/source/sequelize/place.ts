import type { Transaction } from 'sequelize'
import type { Sending } from '../sql/database.ts'
import { spellingOfFamily } from '../sql/mapped-table.ts'
import type { OrmEngine } from '../sql/orm-engine.ts'
import { queryOf, type Spelling, type Sql } from '../sql/text.ts'
import type { MappedTable } from './describe.ts'
import { OBSERVE } from './observed.ts'
import { type Database, literalOf, type Within } from './values.ts'

/** Where statements run. */
export interface Place {
  readonly database: Database
  readonly engine: OrmEngine<Place, MappedTable>
  readonly transaction?: Transaction
  /** Runs the statements of Sequelize's own acts. */
  readonly observe?: Sending
}

/**
 * Runs a statement in the transaction of this place, or in none: not in one that the application keeps in an asynchronous context.
 * A replica would not have what was just written, such as the end of a session.
 */
export const within = ({
  transaction = null,
  observe,
}: Pick<Place, 'observe'> & { readonly transaction?: Transaction | null }): Within => ({
  transaction,
  useMaster: true,
  ...(observe && { [OBSERVE]: observe }),
})

/** Values become literals: parameters would be prepared statements of MySQL, which a server has few of. */
export const spellingIn = (database: Database): Spelling => ({
  ...spellingOfFamily(database.family),
  literal: (value) => literalOf(database, value, ''),
})

export const textOf = (database: Database, piece: Sql): string => queryOf(piece, spellingIn(database)).text

/** Runs work in a transaction. On SQLite, one that reads before it writes would fail if another one writes in between. */
export const transactionIn = <T>(
  { sequelize, family }: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> =>
  sequelize.transaction(family === 'sqlite' ? { type: 'IMMEDIATE' as Transaction.TYPES } : {}, work)

/** Runs several statements in the open transaction, or in one of their own. */
export const together = <T>(place: Place, work: (inside: Place) => Promise<T>): Promise<T> =>
  place.transaction === undefined
    ? transactionIn(place.database, (transaction) => work({ ...place, transaction }))
    : work(place)
