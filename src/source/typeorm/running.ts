import type { EntityManager } from 'typeorm'
import { onceFor } from '../../model/objects.ts'
import type { Database as Running } from '../sql/database.ts'
import { engineDatabase, engineTable } from '../sql/mapped-table.ts'
import type { Engine } from '../sql/orm-source.ts'
import { filterOf, type MappedEntity } from './describe.ts'
import { isHeard } from './hooks.ts'
import type { Database } from './values.ts'

/** Runs the statements of the engine where a manager runs its own. */
const runningIn = (
  { family }: Pick<Database, 'family'>,
  manager: EntityManager,
  sharesReads: boolean,
): Running =>
  engineDatabase({
    ...{ family, sharesReads, handle: manager },
    inTransaction: manager.queryRunner?.isTransactionActive === true,
    rows: (text, values) => manager.query(text, [...values]),
    transaction: (work) =>
      manager.transaction(async (inside) => work(runningIn({ family }, inside, sharesReads))),
  })

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
