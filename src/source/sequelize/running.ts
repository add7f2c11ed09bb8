import { onceFor } from '../../model/objects.ts'
import type { Database } from '../sql/database.ts'
import { engineDatabase, engineTable } from '../sql/mapped-table.ts'
import type { Described } from '../sql/mapping.ts'
import { type OrmEngine, ormEngine } from '../sql/orm-engine.ts'
import { type Sql, sql } from '../sql/text.ts'
import type { MappedDefined } from './describe.ts'
import { loggable, readErrorOf } from './errors.ts'
import { type Execution, spellingIn, transactionIn, within } from './execution.ts'
import { hasListeners } from './hooks.ts'
import { withRows } from './internals.ts'
import { findsOf, isSaidAbout, shownIn } from './reads.ts'
import type { SequelizeDatabase } from './values.ts'

/** Runs the statements of the engine where Sequelize runs its own. */
const runningIn = (place: Execution, sharesReads: boolean): Database => {
  const { database, transaction } = place
  const { family, select, insert, sequelize } = database
  const where = within({ transaction: transaction ?? null })
  return engineDatabase({
    ...{ family, sharesReads, handle: transaction ?? sequelize, inTransaction: transaction !== undefined },
    spelling: spellingIn(database),
    errors: { read: readErrorOf(family), loggable },
    rows: (text) => select<object>(withRows(text), where),
    outcome: async (text) => {
      const [counted, changed] = await insert(text, where)
      return [changed, counted]
    },
    transaction: (work) =>
      transactionIn(database, async (inside) =>
        work(runningIn({ ...place, transaction: inside }, sharesReads)),
      ),
  })
}

const hears = ({ sequelize, Model }: SequelizeDatabase, { defined }: MappedDefined): boolean =>
  hasListeners(sequelize, defined, 'read') ||
  hasListeners(sequelize, defined, 'count') ||
  defined.findAll !== Model.findAll ||
  defined.count !== Model.count

/** Where statements run outside of transactions. @param sharesReads whether concurrent requests share reads */
export const outsideOf = (
  database: SequelizeDatabase,
  { models, foreignKeys }: Described<MappedDefined>,
  sharesReads: boolean,
): Execution => {
  const outside: Execution = {
    database,
    get engine() {
      return engine
    },
  }
  const engine: OrmEngine<Execution, MappedDefined> = ormEngine<Execution, MappedDefined>(
    {
      ...{ models, foreignKeys, findsOf, shownBy: 'key', shown: shownIn },
      databaseOf: onceFor((place: Execution) => runningIn(place, sharesReads)),
      tableOf: (mapped) => {
        const { defaultFilter, alias } = mapped
        const isFiltered = defaultFilter(alias).length > 0
        const filter = (at: Sql) => sql.made(at, (text) => defaultFilter(text).join(' and '))
        return engineTable(mapped, {
          isView: false,
          isCounted: ({ attribute }) => attribute.autoIncrement === true,
          ...(isFiltered && { filter }),
        })
      },
      readHooks: (mapped) => ({
        records: isSaidAbout(outside, mapped),
        conditions: hears(database, mapped),
      }),
    },
    outside,
  )
  return outside
}
