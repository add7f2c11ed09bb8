import type { Model } from '../../model/model.ts'
import { onceFor } from '../../model/once-for.ts'
import type { RecordStore, Session } from '../source.ts'
import { type BoundTable, bindTable } from './bound-table.ts'
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

/** @param tableOf the table of a model, by its name */
export const storesOf = (
  database: Database,
  described: readonly DescribedTable[],
  tableOf: (model: string) => DescribedTable,
): Stores => {
  const bind = onceFor((table: DescribedTable): BoundTable => bindTable(database, table, boundOf))
  const boundOf = (model: string): BoundTable => bind(tableOf(model))
  const brokenKeys = brokenKeysOf(database, described, boundOf)
  const storeIn = (where: Database, { name }: Model): RecordStore => {
    const table = boundOf(name)
    const refusing = { described: tableOf(name), brokenKeys, lookLater: where !== database }
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
