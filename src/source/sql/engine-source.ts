import type { Model } from '../../model/model.ts'
import { defineSource } from '../define.ts'
import type { Capabilities, ModelSource, Session } from '../source.ts'
import { engineCapabilities } from './capabilities.ts'
import type { Database } from './database.ts'
import { dialectOf } from './dialects.ts'
import { refusalOfHook } from './errors.ts'
import { loggable } from './loggable.ts'
import { type Checking, missingIn, pingIn } from './missing-tables.ts'
import { observedDatabase } from './observed.ts'
import { type Stores, storesOf } from './store.ts'
import type { Table } from './table.ts'
import type { Sql } from './text.ts'

/** What a source has of its own beside the engine. */
interface Own<Of extends Table> extends Omit<Checking, 'assertSafe'> {
  readonly database: Database
  readonly tables: readonly Of[]
  readonly members: Pick<ModelSource, 'notes' | 'queues' | 'advice'>
  /** Checks that the database does not lose data of these tables. @throws StartError */
  assertSafe(tables: readonly Of[]): Promise<void>
  /** A condition in the language of the application's queries. Absent: the application writes none. */
  readonly conditionOf?: ((condition: Sql) => unknown) | undefined
  /** The stores of pages, whose reads may go elsewhere. @default those of the database */
  readonly storeOfPages?:
    | ((outside: Session['store'], storesIn: (where: Database) => Stores) => ModelSource['store'])
    | undefined
}

/** The source of tables whose statements the engine writes. */
export const engineSource = <Types, Of extends Table>(own: Own<Of>): ModelSource<Types> => {
  const { database, tables, members, conditionOf } = own
  const { hasTransactions, sharesReads, synchronous } = database
  const { readError, unicodeCaseFolding } = dialectOf(database)
  // The served models are configured copies of the described ones; only the name is the same.
  const tablesOf = (models: readonly Pick<Model, 'name'>[]): readonly Of[] => {
    const names = new Set(models.map(({ name }) => name))
    return tables.filter(({ model }) => names.has(model.name))
  }

  /** The stores and transactions. Startup statements and those of `ping` are not observed. */
  const acts = (watched: (database: Database) => Database) => {
    const storesIn = (where: Database): Stores => storesOf(watched(where), tables)
    const stores = storesIn(database)
    return {
      store: own.storeOfPages?.(stores.outside, storesIn) ?? stores.outside,
      transaction: stores.transaction,
      ...(conditionOf && {
        conditionOf: (...about: Parameters<Stores['conditionOf']>) =>
          conditionOf(stores.conditionOf(...about)),
      }),
    }
  }

  const source = defineSource<ModelSource<Types>>({
    ...acts((itself) => itself),
    ...members,
    models: Object.freeze(tables.map(({ model }) => model)),
    capabilities: Object.freeze<Capabilities>({
      ...{ ...engineCapabilities, synchronous, unicodeCaseFolding, sharedReads: sharesReads },
      arrayElements: database.dialect === 'pg',
      // A transaction of SQLite locks the whole database.
      ...{ transactions: hasTransactions, rowLocks: hasTransactions },
    }),
    // Hooks may decide by what they read, so they must not use a replica, which may lag.
    db: database.handle,
    refusalOf: (error) => refusalOfHook(error, readError),
    loggable,
    missing: (models) => {
      const { adapter, migrate } = own
      const checked = tablesOf(models)
      const assertSafe = () => own.assertSafe(checked)
      return missingIn(database, checked, { adapter, migrate, assertSafe })
    },
    ping: pingIn(database),
    observed: (watch): ModelSource<Types> =>
      Object.freeze({ ...source, ...acts((inner) => observedDatabase(inner, watch)) }),
  })
  return Object.freeze(source)
}
