import type { EntityManager } from 'typeorm'
import type { Database as Running } from '../sql/database.ts'
import type { Database } from './values.ts'

/** Runs the statements of the engine where a manager runs its own. */
export const runningIn = (
  database: Database,
  manager: EntityManager,
  options: Pick<Running, 'sharesReads' | 'hasTransactions'>,
): Running => {
  const { family } = database
  const run: Running['run'] = async (text, values, { read }) => {
    const rows: readonly object[] = await manager.query(text, [...values])
    return read(rows.map((row) => Object.values(row)))
  }
  return Object.freeze<Running>({
    ...{ ...options, run, dialect: family === 'mariadb' ? 'mysql' : family, handle: manager },
    ...{ synchronous: false, keepsPlans: false, namesColumns: true },
    inTransaction: manager.queryRunner?.isTransactionActive === true,
    server: { version: family },
    prepare: (text, _count, purpose) => (values) => run(text, values, purpose),
    transaction: (work) => manager.transaction(async (inside) => work(runningIn(database, inside, options))),
  })
}
