import type { Database as Running } from '../sql/database.ts'
import { spellings } from '../sql/text.ts'
import { type Place, within } from './place.ts'
import { transactionIn } from './records.ts'
import { literalOf } from './values.ts'

/** Runs the statements of the engine where Sequelize runs its own. Its parameters would be prepared statements of MySQL, which a server has few of. */
export const runningIn = (place: Place, sharesReads: boolean): Running => {
  const { database, transaction } = place
  const { family, select } = database
  const dialect = family === 'mariadb' ? 'mysql' : family
  const run: Running['run'] = async (text, _values, { read }) =>
    read((await select<object>(text, within(place))).map((row) => Object.values(row)))
  return Object.freeze<Running>({
    ...{ dialect, run, sharesReads, handle: transaction ?? database.sequelize },
    ...{ synchronous: false, hasTransactions: true, keepsPlans: false, namesColumns: true },
    spelling: { ...spellings[dialect], literal: (value) => literalOf(database, value, '') },
    inTransaction: transaction !== undefined,
    server: { version: family },
    prepare: (text, _count, purpose) => (values) => run(text, values, purpose),
    transaction: (work) =>
      transactionIn(database, async (inside) =>
        work(runningIn({ ...place, transaction: inside }, sharesReads)),
      ),
  })
}
