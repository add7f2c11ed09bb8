import type { EntityManager } from 'typeorm'
import type { Database as Running } from '../sql/database.ts'
import type { Dialect } from '../sql/text.ts'
import type { Database } from './values.ts'

const dialects: Readonly<Record<Database['family'], Dialect>> = {
  ...{ pg: 'pg', mysql: 'mysql', mariadb: 'mysql', sqlite: 'sqlite' },
}

/** Runs the texts of the engine where a manager runs its statements. */
export const runningIn = (
  database: Database,
  manager: EntityManager,
  options: Pick<Running, 'sharesReads' | 'hasTransactions'>,
): Running => {
  const run: Running['run'] = async (text, values, { read }) => {
    const rows: readonly object[] = await manager.query(text, [...values])
    return read(rows.map((row) => Object.values(row)))
  }
  return Object.freeze<Running>({
    ...{ ...options, run, dialect: dialects[database.family], handle: manager },
    ...{ synchronous: false, keepsPlans: false, namesColumns: true },
    inTransaction: manager.queryRunner?.isTransactionActive === true,
    server: { version: database.family },
    prepare: (text, _count, purpose) => (values) => run(text, values, purpose),
    transaction: (work) => manager.transaction(async (inside) => work(runningIn(database, inside, options))),
  })
}
