import { onceFor } from '../../model/objects.ts'
import { type Database as Running, spellingOf } from '../sql/database.ts'
import { dialectOfFamily, engineDatabase, engineTable } from '../sql/mapped-table.ts'
import type { Engine } from '../sql/orm-source.ts'
import { type Sql, sql } from '../sql/text.ts'
import type { MappedTable } from './describe.ts'
import { isHeard, isRewritten } from './hooks.ts'
import { newScope, type Place, within } from './place.ts'
import { transactionIn } from './records.ts'
import { literalOf } from './values.ts'

/** Runs the statements of the engine where Sequelize runs its own. Its parameters would be prepared statements of MySQL, which a server has few of. */
const runningIn = (place: Place, sharesReads: boolean): Running => {
  const { database, transaction } = place
  const { family, select, sequelize } = database
  return engineDatabase({
    ...{ family, sharesReads, handle: transaction ?? sequelize, inTransaction: transaction !== undefined },
    spelling: {
      ...spellingOf({ dialect: dialectOfFamily(family) }),
      literal: (value) => literalOf(database, value, ''),
    },
    rows: (text) => select<object>(text, within(place)),
    transaction: (work) =>
      transactionIn(database, async (inside) =>
        work(runningIn({ ...place, transaction: inside }, sharesReads)),
      ),
  })
}

/** @param sharesReads whether concurrent requests share reads */
export const engineOf = (outside: Place, sharesReads: boolean): Engine<Place, MappedTable> => {
  const { sequelize, Model } = outside.database
  return {
    databaseOf: onceFor((place: Place) => runningIn(place, sharesReads)),
    tableOf: (mapped) => {
      const { living, indexed, alias } = mapped
      const scope = newScope(outside)
      const isFiltered = living(alias, scope).length > 0
      const filter = (at: Sql) => sql.made(at, (text) => living(text, scope).join(' and '))
      return engineTable(mapped, { isView: false, indexed, foreignKeys: [], ...(isFiltered && { filter }) })
    },
    hears: ({ defined }) => {
      const isHooked = (['read', 'count'] as const).some((act) => isHeard(sequelize, defined, act))
      const isReplaced = defined.findAll !== Model.findAll || defined.count !== Model.count
      if (isHooked || isReplaced) return 'conditions'
      return isRewritten(defined) ? 'records' : undefined
    },
  }
}
