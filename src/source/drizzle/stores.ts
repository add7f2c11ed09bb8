import type { Model } from '../../model/model.ts'
import { onceFor } from '../../model/objects.ts'
import type { RecordStore, Session } from '../source.ts'
import { type BoundTable, bindTable } from './bound-table.ts'
import { returningChanges } from './changes.ts'
import type { Database, ServedDialect } from './database.ts'
import { mysqlChanges } from './mysql/changes.ts'
import { countIn, estimateIn, listIn, readIn } from './reads.ts'
import { type Refusals, refusalsOf } from './refusals.ts'
import { brokenKeysOf } from './refused-fields.ts'
import { type Acting, actingOn } from './statements.ts'
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

type ChangesOf = (
  database: Database,
  acting: Acting,
  read: RecordStore['read'],
) => ReturnType<typeof returningChanges>

const returning: ChangesOf = (_database, acting, read) => returningChanges(acting, read)

const changesBy: Readonly<Record<ServedDialect, ChangesOf>> = {
  sqlite: returning,
  pg: returning,
  mysql: mysqlChanges,
}

/** The acts on the records of one table. What the database refuses is told by `refusals`. */
const recordStore = (database: Database, table: BoundTable, refusals: Refusals): RecordStore => {
  const acting = actingOn(database, table)
  const { recovering } = acting
  const read = readIn(acting)
  const changes = changesBy[database.dialect](database, acting, read)
  return Object.freeze<RecordStore>({
    list: recovering(listIn(acting), refusals.read),
    count: recovering(countIn(database, acting), refusals.read),
    estimate: estimateIn(database, acting),
    read: recovering(read, refusals.read),
    create: recovering(changes.create, refusals.create),
    update: recovering(changes.update, refusals.update),
    remove: recovering(changes.remove, refusals.remove),
    take: recovering(changes.take, refusals.remove),
  })
}
