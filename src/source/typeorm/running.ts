import type { EntityManager } from 'typeorm'
import type { Database as Running } from '../sql/database.ts'
import { engineDatabase, engineTable } from '../sql/mapped-table.ts'
import type { Described } from '../sql/mapping.ts'
import { type OrmEngine, ormEngine } from '../sql/orm-engine.ts'
import { filterOf, type MappedEntity } from './describe.ts'
import { loggable, readErrorOf } from './errors.ts'
import { isHeard } from './hooks.ts'
import { shownIn } from './reads.ts'
import type { Database } from './values.ts'

/** Runs the statements of the engine where a manager runs its own. */
const runningIn = (
  { family }: Pick<Database, 'family'>,
  manager: EntityManager,
  sharesReads: boolean,
): Running =>
  engineDatabase({
    ...{ family, sharesReads, handle: manager, errors: { read: readErrorOf(family), loggable } },
    inTransaction: manager.queryRunner?.isTransactionActive === true,
    rows: (text, values) => manager.query(text, [...values]),
    transaction: (work) =>
      manager.transaction(async (inside) => work(runningIn({ family }, inside, sharesReads))),
  })

/** @param sharesReads whether concurrent requests share reads */
export const engineOf = (
  database: Database,
  { models, foreignKeys }: Described<MappedEntity>,
  sharesReads: boolean,
): OrmEngine<EntityManager, MappedEntity> => {
  const engine: OrmEngine<EntityManager, MappedEntity> = ormEngine<EntityManager, MappedEntity>(
    {
      ...{ models, foreignKeys, shownBy: 'key' },
      databaseOf: (manager) => runningIn(database, manager, sharesReads),
      tableOf: (entity) => {
        const { metadata, indexed } = entity
        const isView = metadata.tableType === 'view'
        return engineTable(entity, {
          ...{ isView, indexed, filter: (at) => filterOf(metadata, at) },
        })
      },
      heard: ({ metadata }) => ({
        records: isHeard(database.source, metadata, 'Load'),
        conditions: false,
      }),
      shown: (manager, entity, rows, guard) => shownIn({ database, engine, manager }, entity, rows, guard),
    },
    database.source.manager,
  )
  return engine
}
