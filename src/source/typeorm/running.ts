import type { EntityManager } from 'typeorm'
import { onceFor } from '../../model/objects.ts'
import type { Database as Running } from '../sql/database.ts'
import { engineTable } from '../sql/mapped-table.ts'
import type { Engine } from '../sql/orm-source.ts'
import { filterOf, type MappedEntity } from './describe.ts'
import { isHeard } from './hooks.ts'
import type { Database } from './values.ts'

/** Runs the statements of the engine where a manager runs its own. */
const runningIn = (database: Database, manager: EntityManager, sharesReads: boolean): Running => {
  const { family } = database
  const run: Running['run'] = async (text, values, { read }) => {
    const rows: readonly object[] = await manager.query(text, [...values])
    return read(rows.map((row) => Object.values(row)))
  }
  return Object.freeze<Running>({
    ...{ sharesReads, run, dialect: family === 'mariadb' ? 'mysql' : family, handle: manager },
    ...{ synchronous: false, hasTransactions: true, keepsPlans: false, namesColumns: true },
    inTransaction: manager.queryRunner?.isTransactionActive === true,
    server: { version: family },
    prepare: (text, _count, purpose) => (values) => run(text, values, purpose),
    transaction: (work) =>
      manager.transaction(async (inside) => work(runningIn(database, inside, sharesReads))),
  })
}

/** @param sharesReads whether concurrent requests share reads */
export const engineOf = (database: Database, sharesReads: boolean): Engine<EntityManager, MappedEntity> => ({
  databaseOf: onceFor((manager: EntityManager) => runningIn(database, manager, sharesReads)),
  tableOf: (entity) => {
    const { metadata, indexed } = entity
    const isView = metadata.tableType === 'view'
    return engineTable(entity, { isView, indexed, foreignKeys: [], filter: (at) => filterOf(metadata, at) })
  },
  hears: ({ metadata }) => (isHeard(database.source, metadata, 'Load') ? 'records' : undefined),
})
