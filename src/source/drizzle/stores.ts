import type { Model } from '../../model/model.ts'
import { onceFor } from '../../model/objects.ts'
import type { RecordStore, Session } from '../source.ts'
import { type BoundTable, bindTable } from './bound-table.ts'
import { type Changes, returningChanges } from './changes.ts'
import type { Database, ServedDialect } from './database.ts'
import { mysqlChanges } from './mysql/changes.ts'
import { countIn, estimateIn, listIn, readIn } from './reads.ts'
import { type Refusals, refusalsOf } from './refusals.ts'
import { brokenKeysOf } from './refused-fields.ts'
import { accessTo, type TableAccess } from './statements.ts'
import type { DescribedTable } from './tables.ts'

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
  const brokenKeys = brokenKeysOf(database, () => described.map(bind))
  const storeIn = (where: Database, { name }: Model): RecordStore => {
    const table = boundOf(name)
    return recordStore(where, table, refusalsOf(database, table, brokenKeys, where !== database))
  }
  const outside = (model: Model): RecordStore => storeIn(database, model)
  const insideOnSameConnection = onceFor(outside)
  return {
    outside,
    inside: (transaction) =>
      database.synchronous ? insideOnSameConnection : (model) => storeIn(transaction, model),
  }
}

const changesBy: Readonly<
  Record<ServedDialect, (access: TableAccess, read: RecordStore['read']) => Changes>
> = { sqlite: returningChanges, pg: returningChanges, mysql: mysqlChanges }

/** The acts on the records of one table. What the database refuses is told by `refusals`. */
const recordStore = (database: Database, table: BoundTable, refusals: Refusals): RecordStore => {
  const access = accessTo(database, table)
  const { recovering } = access
  const read = readIn(access)
  const { create, update, remove, take } = changesBy[database.dialect](access, read)
  return Object.freeze<RecordStore>({
    list: recovering(listIn(access), refusals.read),
    count: recovering(countIn(access), refusals.read),
    estimate: estimateIn(access),
    read: recovering(read, refusals.read),
    create: recovering(create, refusals.create),
    update: recovering(update, refusals.update),
    remove: recovering(remove, refusals.remove),
    take: recovering(take, refusals.remove),
  })
}
