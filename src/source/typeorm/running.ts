import type { EntityManager } from 'typeorm'
import type { Database } from '../sql/database.ts'
import { engineDatabase, engineTable } from '../sql/mapped-table.ts'
import type { Described } from '../sql/mapping.ts'
import { type OrmEngine, ormEngine } from '../sql/orm-engine.ts'
import type { Table } from '../sql/table.ts'
import { filterOf, type MappedEntity } from './describe.ts'
import { loggable, readErrorOf } from './errors.ts'
import { hasListeners } from './hooks.ts'
import { unobserved } from './observed.ts'
import { shownIn } from './reads.ts'
import type { ColumnMetadata, TypeormDatabase } from './values.ts'

/** Runs the statements of the engine where a manager runs its own. */
const runningIn = (
  { family }: Pick<TypeormDatabase, 'family'>,
  manager: EntityManager,
  sharesReads: boolean,
): Database =>
  engineDatabase({
    ...{ family, sharesReads, handle: manager, errors: { read: readErrorOf(family), loggable } },
    inTransaction: manager.queryRunner?.isTransactionActive === true,
    rows: async (text, values) => {
      const result: unknown = await manager.query(text, [...values])
      // With PostgreSQL, updates and deletes also return their number. MariaDB returns no list without rows.
      return Array.isArray(result) ? result.flat().filter((row) => typeof row === 'object') : []
    },
    outcome: async (text, values) => {
      const { affectedRows, insertId } = await manager.query(text, [...values])
      return [affectedRows, insertId]
    },
    transaction: (work) =>
      manager.transaction(async (inside) => work(runningIn({ family }, inside, sharesReads))),
  })

/** The class of a record in a table with several, where no field says it. */
const constantsOf = ({ metadata, members }: MappedEntity): NonNullable<Table['constants']> => {
  const { discriminatorColumn: column, discriminatorValue: value } = metadata
  const isField = [...members.values()].some((member) => member.metadata === column)
  return column === undefined || isField ? [] : [{ name: column.databaseName, value }]
}

const isCounted = ({ isGenerated, generationStrategy }: ColumnMetadata): boolean =>
  isGenerated && generationStrategy !== 'uuid'

/** @param sharesReads whether concurrent requests share reads */
export const engineOf = (
  database: TypeormDatabase,
  { models, foreignKeys }: Described<MappedEntity>,
  sharesReads: boolean,
): OrmEngine<EntityManager, MappedEntity> => {
  const engine: OrmEngine<EntityManager, MappedEntity> = ormEngine<EntityManager, MappedEntity>(
    {
      ...{ models, foreignKeys, shownBy: 'key' },
      databaseOf: (manager) => runningIn(database, unobserved(manager), sharesReads),
      tableOf: (entity) => {
        const { metadata } = entity
        return engineTable(entity, {
          isView: metadata.tableType === 'view',
          isCounted: (member) => isCounted(member.metadata),
          constants: constantsOf(entity),
          filter: (at) => filterOf(metadata, at),
        })
      },
      readHooks: ({ metadata }) => ({
        records: hasListeners(database.source, metadata, 'Load'),
        conditions: false,
      }),
      shown: (manager, entity, rows, guard) => shownIn({ database, engine, manager }, entity, rows, guard),
    },
    database.source.manager,
  )
  return engine
}
