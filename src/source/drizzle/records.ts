import type { RecordStore } from '../source.ts'
import { type Acting, actingOn } from './acting.ts'
import type { BoundTable } from './bound-table.ts'
import { returningChanges } from './changes.ts'
import { countIn } from './counts.ts'
import type { Database, ServedDialect } from './database.ts'
import { estimateIn } from './estimates.ts'
import { mysqlChanges } from './mysql/changes.ts'
import { listIn, readIn } from './reads.ts'
import type { Refusals } from './refusals.ts'

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
export const recordStore = (database: Database, table: BoundTable, refusals: Refusals): RecordStore => {
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
