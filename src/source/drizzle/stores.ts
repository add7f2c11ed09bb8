import type { Model } from '../../model/model.ts'
import { onceFor } from '../../model/once-for.ts'
import type { RecordStore, Session } from '../source.ts'
import { bindTable } from './bound-table.ts'
import { brokenKeysOf } from './broken-keys.ts'
import type { Database } from './database.ts'
import { recordStore } from './records.ts'
import { refusalsOf } from './refusals.ts'
import type { DescribedTable } from './table.ts'

/** The stores of a database: those that act by themselves, and those that act in one of its transactions. */
export interface Stores {
  readonly outside: Session['store']
  readonly inside: (transaction: Database) => Session['store']
}

export const storesOf = (
  database: Database,
  described: readonly DescribedTable[],
  tableOf: (model: Model) => DescribedTable,
): Stores => {
  const brokenKeys = brokenKeysOf(database, described)
  const boundOf = onceFor((model: Model) => bindTable(database, tableOf(model)))
  const storeIn = (where: Database, model: Model): RecordStore => {
    const table = boundOf(model)
    const refusing = { described: tableOf(model), brokenKeys, lookLater: where !== database }
    return recordStore(where, table, refusalsOf(database, table, refusing))
  }
  const outside = (model: Model): RecordStore => storeIn(database, model)
  const insideOnSameConnection = onceFor(outside)
  return {
    outside,
    inside: (transaction) =>
      database.synchronous ? insideOnSameConnection : (model) => storeIn(transaction, model),
  }
}
